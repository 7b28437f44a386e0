import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';

/** No RPC answer nests deeper. The limit makes recursion over answers safe. */
const MAX_DEPTH = 200;
/** Every integer of fewer characters is exact as a `number`. */
const UNSAFE_LENGTH = 16;
/** Prefix of a `bigint` written as a JSON string. Random, so no real string starts with it. */
const MARK = `int-${randomUUID().slice(0, 8)}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

const QUOTE = 34;
const MINUS = 45;
const BACKSLASH = 92;

/** The text of a body. @throws SyntaxError when it is not UTF-8 */
export function textOf(body: Buffer): string {
  // Account data is ASCII, which needs no decoding.
  if (isAscii(body)) return body.toString('latin1');
  if (isUtf8(body)) return body.toString('utf8');
  throw new SyntaxError('the body is not text');
}

/** @throws SyntaxError when the text nests too deeply */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new SyntaxError('nested too deeply');
}

/** Serialises with every `bigint` as a plain integer. */
export function stringifyExactJson(value: unknown): string {
  let marked = false;
  const json = JSON.stringify(value, (_, v: unknown) => {
    if (typeof v !== 'bigint') return v;
    if (Number.isSafeInteger(Number(v))) return Number(v);
    marked = true;
    return `${MARK}${v}`;
  });
  return marked ? json.replace(MARKED, '$1') : json;
}

/**
 * Parses JSON without loss: an integer beyond 2^53 becomes a `bigint`, every other number stays a `number`. Strings are
 * skipped whole, so it costs little more than `JSON.parse`.
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactJson(text: string): unknown {
  const integers = findLargeIntegers(text);
  if (integers.length === 0) return JSON.parse(text);
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of integers) {
    parts.push(text.slice(copied, start), `"${MARK}${text.slice(start, end)}"`);
    copied = end;
  }
  parts.push(text.slice(copied));
  return restore(JSON.parse(parts.join('')));
}

/** Position of an integer that `JSON.parse` would round. */
interface LargeInteger {
  readonly start: number;
  readonly end: number;
}

function findLargeIntegers(text: string): LargeInteger[] {
  const found: LargeInteger[] = [];
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at);
    } else if (isDigit(char)) {
      const start = at;
      while (isNumberPart(text.charCodeAt(at))) at += 1;
      const digits = at - start >= UNSAFE_LENGTH ? text.slice(start, at) : '';
      if (/^\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))) {
        found.push({ start: text.charCodeAt(start - 1) === MINUS ? start - 1 : start, end: at });
      }
    } else {
      if (char === 91 || char === 123) depth += 1;
      else if (char === 93 || char === 125) depth -= 1;
      checkDepth(depth);
      at += 1;
    }
  }
  return found;
}

/** The index after the closing quote of the string that opens at `open`. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let before = close - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((close - before) % 2 === 1) return close + 1;
  }
  return text.length;
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57;
}

/** Characters that can follow the first digit of a number: digits, point, exponent and its sign. */
function isNumberPart(char: number): boolean {
  return isDigit(char) || char === 46 || char === 101 || char === 69 || char === 43 || char === 45;
}

function restore(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'string' || typeof member === 'object') members[key] = restore(member);
  }
  return value;
}
