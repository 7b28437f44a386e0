import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { checkDepth, parseExactJson, textOf } from './exact-json.ts';

/** The rent epoch of nearly every account. It is restored by field name, which saves a pass over large answers. */
export const U64_MAX = 18_446_744_073_709_551_615n;
/** Every integer of fewer than 16 digits is exact as a `number`. Digits in strings do not count, as in program ids. */
const MAY_BE_ROUNDED = new RegExp(`(?<![\\w".])(?!${U64_MAX}(?!\\d))\\d{16,}`);

/** The text around the data of an account. */
const BEFORE = '["';
const AFTER = '","base64"]';
const QUOTE = 34;
const BACKSLASH = 92;
/** Shorter data is parsed as fast as it could be cut out. */
const LONG_DATA = 1_024;
/** Placeholder for what is cut out; for data, followed by its index. Random, so no real string starts with it. */
const CUT = `cut-${randomUUID().slice(0, 8)}:`;

/** The text around a list of accounts, and between two of them. */
const FIRST = '[{';
const BETWEEN = '},{';
const LAST = '}]';
/** Parsed in one turn of the event loop. */
const PIECE_BYTES = 256 * 1_024;

/** Lets other work of the event loop run, until the promise resolves; null when there is time to go on. */
export type Pause = () => Promise<void> | null;

/** Position of data in a body, without its quotes. */
interface Data {
  readonly start: number;
  readonly end: number;
}

/** The bytes of an account. Large pages arrive with their data already decoded. */
export function bytesOf([data]: readonly [string | Uint8Array, ...unknown[]]): Uint8Array {
  return typeof data === 'string' ? fromBase64(data) : data;
}

/** No Buffer: its `slice` shares the bytes, and whoever changed a copy would change the account. */
function fromBase64(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, length);
}

/**
 * Parses an answer of base64 accounts. Most of it is account data, which is decoded directly from the body: `data[0]` holds
 * bytes where the data is long. Decoding the whole body to text first would take twice the memory of the accounts.
 * @throws SyntaxError when the body is not JSON
 */
export function parseAccountsJson(body: Buffer): unknown {
  const all = longData(body);
  if (all.length === 0) return restored(parsed(textOf(body)), body, all);
  const parts: string[] = [];
  let copied = 0;
  all.forEach(({ start, end }, i) => {
    parts.push(body.toString('latin1', copied, start), `${CUT}${i}`);
    copied = end;
  });
  parts.push(body.toString('latin1', copied));
  return restored(parsed(parts.join('')), body, all);
}

/**
 * Parses an answer of very many accounts as `parseAccountsJson` does, in several turns of the event loop.
 * @throws SyntaxError when the body is not JSON
 */
export async function parseManyAccountsJson(body: Buffer, pause: Pause): Promise<unknown> {
  try {
    return await parsedInPieces(body, pause);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parseAccountsJson(body);
  }
}

/** @throws SyntaxError when a piece is not JSON, which is also so if the body was not cut between two accounts */
async function parsedInPieces(body: Buffer, pause: Pause): Promise<unknown> {
  const start = body.indexOf(FIRST) + 1;
  const end = body.lastIndexOf(LAST) + 1;
  const envelope = [body.subarray(0, start), Buffer.from(`"${CUT}"`), body.subarray(end)];
  const answer = parseAccountsJson(Buffer.concat(envelope));
  const list = emptiedListIn(answer);
  for (let at = start; at < end; ) {
    await pause();
    const cut = body.indexOf(BETWEEN, at + PIECE_BYTES);
    const to = cut === -1 || cut >= end ? end : cut + 1;
    const piece = Buffer.concat([Buffer.from('['), body.subarray(at, to), Buffer.from(']')]);
    for (const account of parseAccountsJson(piece) as unknown[]) list.push(account);
    at = to + 1;
  }
  return answer;
}

/** The list from which the accounts were cut, without the placeholder. */
function emptiedListIn(answer: unknown): unknown[] {
  const { result } = (answer ?? {}) as { result?: { value?: unknown } | null };
  const list = Array.isArray(result) ? result : result?.value;
  if (!Array.isArray(list) || list.pop() !== CUT || list.length > 0)
    throw new SyntaxError('no list of accounts');
  return list;
}

/** Uses `JSON.parse` where it rounds nothing but rent epochs. */
const parsed = (json: string): unknown =>
  MAY_BE_ROUNDED.test(json) ? parseExactJson(json) : JSON.parse(json);

/** The long data of a body. Empty when a string may contain a quote, because a cut could then be wrong. */
function longData(body: Buffer): Data[] {
  const found: Data[] = [];
  if (body.length < LONG_DATA || !isAscii(body) || body.includes(BACKSLASH)) return found;
  for (let before = body.indexOf(BEFORE); before !== -1; ) {
    const start = before + BEFORE.length;
    const end = body.indexOf(QUOTE, start);
    if (end === -1) break;
    if (end - start > LONG_DATA && body.toString('latin1', end, end + AFTER.length) === AFTER)
      found.push({ start, end });
    before = body.indexOf(BEFORE, end);
  }
  return found;
}

/** Replaces the placeholders by the decoded bytes. */
function restored(value: unknown, body: Buffer, all: readonly Data[], depth = 0): unknown {
  if (typeof value === 'string') {
    const data = value.startsWith(CUT) ? all[Number(value.slice(CUT.length))] : undefined;
    return data === undefined ? value : fromBase64(body.toString('latin1', data.start, data.end));
  }
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(depth + 1);
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'string' || typeof member === 'object')
      members[key] = restored(member, body, all, depth + 1);
  }
  return value;
}
