import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { parseExactJson } from './exact-json.ts';

/** The rent epoch of nearly every account. It is restored by name, which spares a pass over large answers. */
export const U64_MAX = 18_446_744_073_709_551_615n;

/** Stands for a string that is not parsed; which one follows. Not guessable, so no real string begins with it. */
const CUT = `cut-${randomUUID().slice(0, 8)}:`;
/** Shorter strings are parsed as quickly as they are cut out. */
const LONG_STRING = 1_024;
/** Every integer of fewer digits is exact as a `number`. */
const UNSAFE_LENGTH = 16;
/** Nothing that the RPC serves nests deeper. */
const MAX_DEPTH = 200;

const QUOTE = 34;

/** A long string between its quotes, in a body. */
interface Cut {
  readonly start: number;
  readonly end: number;
}

/** The bytes of an account, which come decoded where there are many. */
export function bytesOf([data]: readonly [string | Uint8Array, ...unknown[]]): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : data;
}

/** The text of a body. @throws SyntaxError when it is none */
export function textOf(body: Buffer): string {
  // Account data is ASCII, which is copied instead of decoded.
  if (isAscii(body)) return body.toString('latin1');
  if (isUtf8(body)) return body.toString('utf8');
  throw new SyntaxError('the body is not text');
}

/**
 * Parses an answer of base64 accounts. Most of it is data, which is decoded out of the body one account at a time: `data[0]`
 * are bytes where it is long. As one text it would be twice as much memory as the accounts are, until V8 collects it.
 * @throws SyntaxError when the body is not JSON
 */
export function parseAccountsJson(body: Buffer): unknown {
  const cuts = findCuts(body);
  if (cuts === null) return parseExactJson(textOf(body));
  const parts: string[] = [];
  let copied = 0;
  for (const [i, { start, end }] of cuts.entries()) {
    parts.push(body.toString('latin1', copied, start), `${CUT}${i}`);
    copied = end;
  }
  parts.push(body.toString('latin1', copied));
  return restored(JSON.parse(parts.join('')), body, cuts);
}

/** Null when something stands for another character, or an integer would be rounded. */
function findCuts(body: Buffer): Cut[] | null {
  if (!isAscii(body) || body.includes(92)) return null;
  const cuts: Cut[] = [];
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at] ?? 0;
    if (char === QUOTE) {
      const start = at + 1;
      at = body.indexOf(QUOTE, start);
      if (at === -1) return null;
      if (at - start > LONG_STRING) cuts.push({ start, end: at });
    } else if (char >= 48 && char <= 57) {
      const start = at;
      while (isDigit(body[at + 1] ?? 0)) at += 1;
      if (at + 1 - start >= UNSAFE_LENGTH && !isExact(body.toString('latin1', start, at + 1))) return null;
    } else if (char === 91 || char === 123) {
      depth += 1;
      if (depth > MAX_DEPTH) return null;
    } else if (char === 93 || char === 125) depth -= 1;
  }
  return cuts;
}

const isDigit = (char: number) => char >= 48 && char <= 57;
const isExact = (digits: string) => digits === String(U64_MAX) || Number.isSafeInteger(Number(digits));

/** Puts what was cut out where it belongs: as bytes where the RPC says that it is base64. */
function restored(value: unknown, body: Buffer, cuts: readonly Cut[]): unknown {
  if (typeof value === 'string') {
    const cut = value.startsWith(CUT) ? cuts[Number(value.slice(CUT.length))] : undefined;
    return cut === undefined ? value : body.toString('latin1', cut.start, cut.end);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'string' || typeof member === 'object') members[key] = restored(member, body, cuts);
  }
  if (Array.isArray(value) && value.length === 2 && value[1] === 'base64' && typeof value[0] === 'string') {
    value[0] = value[0].length > LONG_STRING ? Buffer.from(value[0], 'base64') : value[0];
  }
  return value;
}
