import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { checkDepth, parseExactJson, textOf } from './exact-json.ts';

/** The rent epoch of nearly every account. It is restored by name, which spares a pass over large answers. */
export const U64_MAX = 18_446_744_073_709_551_615n;
/** Every integer of fewer than 16 digits is exact as a `number`. Not in a word or at its beginning: programs are called by ones. */
const MAY_BE_ROUNDED = new RegExp(`(?<![\\w".])(?!${U64_MAX}(?!\\d))\\d{16,}`);

/** What stands around the data of an account. */
const BEFORE = '["';
const BEHIND = '","base64"]';
const QUOTE = 34;
const BACKSLASH = 92;
/** Shorter data is parsed as quickly as it is cut out. */
const LONG_DATA = 1_024;
/** Stands for data that is not parsed; which one follows. Not guessable, so no real string begins with it. */
const CUT = `cut-${randomUUID().slice(0, 8)}:`;

/** Between its quotes, in a body. */
interface Data {
  readonly start: number;
  readonly end: number;
}

/** The bytes of an account, which come decoded where there are many. */
export function bytesOf([data]: readonly [string | Uint8Array, ...unknown[]]): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data;
}

/**
 * Parses an answer of base64 accounts. Most of it is data, which is decoded out of the body one account at a time: `data[0]`
 * are bytes where it is long. As one text it would be twice as much memory as the accounts are, until V8 collects it.
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

/** By `JSON.parse` where that rounds nothing but rent epochs. */
const parsed = (json: string): unknown =>
  MAY_BE_ROUNDED.test(json) ? parseExactJson(json) : JSON.parse(json);

/** None where a quote may be part of a string. What is found between two others then makes JSON that is none. */
function longData(body: Buffer): Data[] {
  const found: Data[] = [];
  if (body.length < LONG_DATA || !isAscii(body) || body.includes(BACKSLASH)) return found;
  for (let before = body.indexOf(BEFORE); before !== -1; ) {
    const start = before + BEFORE.length;
    const end = body.indexOf(QUOTE, start);
    if (end === -1) break;
    if (end - start > LONG_DATA && body.toString('latin1', end, end + BEHIND.length) === BEHIND)
      found.push({ start, end });
    before = body.indexOf(BEFORE, end);
  }
  return found;
}

/** Puts the bytes where their data was. */
function restored(value: unknown, body: Buffer, all: readonly Data[], depth = 0): unknown {
  if (typeof value === 'string') {
    const data = value.startsWith(CUT) ? all[Number(value.slice(CUT.length))] : undefined;
    return data === undefined ? value : Buffer.from(body.toString('latin1', data.start, data.end), 'base64');
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
