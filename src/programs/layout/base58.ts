import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';

const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');
const ONE = 49;
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
/** 32 bytes are below 58^44, that is nine limbs of five digits. */
const LIMBS = 9;
const DIGITS = LIMBS * DIGITS_PER_LIMB;

/** Scratch space, used within one call only. */
const limbs = new Float64Array(LIMBS);
const digits = Buffer.alloc(32 + DIGITS);

/** Addresses read before, by their own bytes: a reserve names the same ones in each of its states. A power of two. */
const KNOWN = 4_096;
const KEY_WORDS = 8;
const knownWords = new Uint32Array(KNOWN * KEY_WORDS);
const knownTexts = new Array<Address | undefined>(KNOWN);

/** Base58 of the 32 bytes at `offset`. */
export function readAddress(view: DataView, offset: number): Address {
  const place = (view.getUint32(offset) ^ view.getUint32(offset + 28)) & (KNOWN - 1);
  const known = knownTexts[place];
  if (known !== undefined && isKnown(view, offset, place)) return known;
  const text = toBase58(view, offset);
  for (let i = 0; i < KEY_WORDS; i += 1) knownWords[place * KEY_WORDS + i] = view.getUint32(offset + 4 * i);
  knownTexts[place] = text;
  return text;
}

function isKnown(view: DataView, offset: number, place: number): boolean {
  for (let i = 0; i < KEY_WORDS; i += 1) {
    if (knownWords[place * KEY_WORDS + i] !== view.getUint32(offset + 4 * i)) return false;
  }
  return true;
}

/**
 * Decoding accounts is mostly this; limbs of 58^5 keep every step inside a double's
 * exact integers, an order of magnitude faster than going through one big integer.
 */
function toBase58(view: DataView, offset: number): Address {
  // The most significant limb in use so far: the number grows by 16 bits a step, most steps touch few limbs.
  let top = LIMBS - 1;
  limbs.fill(0);
  for (let i = 0; i < 32; i += 2) {
    let carry = view.getUint16(offset + i);
    for (let j = LIMBS - 1; j >= top || carry > 0; j -= 1) {
      const value = (limbs[j] as number) * 65_536 + carry;
      carry = Math.floor(value / LIMB);
      limbs[j] = value - carry * LIMB;
      if (j < top) top = j;
    }
  }
  for (let j = top; j < LIMBS; j += 1) {
    let rest = limbs[j] as number;
    const start = 32 + j * DIGITS_PER_LIMB;
    for (let k = DIGITS_PER_LIMB - 1; k >= 0; k -= 1) {
      const next = (rest / 58) | 0;
      digits[start + k] = ALPHABET[rest - next * 58] as number;
      rest = next;
    }
  }
  // Leading zero digits are not written; each leading zero byte is written as one "1".
  let start = 32 + top * DIGITS_PER_LIMB;
  while (start < 32 + DIGITS && digits[start] === ONE) start += 1;
  for (let i = 0; i < 32 && view.getUint8(offset + i) === 0; i += 1) {
    start -= 1;
    digits[start] = ONE;
  }
  return digits.toString('latin1', start, 32 + DIGITS) as Address;
}

const VALUES = new Uint8Array(128);
ALPHABET.forEach((character, value) => {
  VALUES[character] = value;
});

const WORDS = 8;
const WORD = 2 ** 32;
/** 58^3 times a word stays inside a double's exact integers. */
const DIGITS_PER_STEP = 3;

/** Scratch space, used within one call only. */
const words = new Float64Array(WORDS);

/** Addresses checked before and their bytes, by their last characters: the first ones are often chosen by somebody. */
const checkedTexts = new Array<Address | undefined>(KNOWN);
const checkedBytes = new Uint8Array(KNOWN * 32);

/** The 32 bytes of an address. What is not base58 of exactly 32 bytes is refused with a coded error. */
export function addressBytes(address: Address): Uint8Array {
  const start = checkedPlace(address) * 32;
  return checkedBytes.slice(start, start + 32);
}

/** Checks text from outside. */
export function parseAddress(text: string): Address {
  return checkedTexts[checkedPlace(text)] as Address;
}

/** Base58 of 32 bytes that were made here. Whoever checks it soon finds it checked. */
export function madeAddress(bytes: Uint8Array): Address {
  const text = readAddress(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  keepChecked(placeOf(text), text, bytes);
  return text;
}

function placeOf(text: string): number {
  const end = text.length - 1;
  return (
    (text.charCodeAt(end) ^ (text.charCodeAt(end - 1) << 3) ^ (text.charCodeAt(end - 2) << 6)) & (KNOWN - 1)
  );
}

function keepChecked(place: number, text: Address, bytes: Uint8Array): void {
  checkedTexts[place] = text;
  checkedBytes.set(bytes, place * 32);
}

/** Where a text stands among the checked, after it was checked if need be. */
function checkedPlace(text: string): number {
  const place = placeOf(text);
  if (checkedTexts[place] === text) return place;
  const bytes = decode(text);
  // The text may be a part of a long document, which keeping it would keep.
  keepChecked(place, readAddress(new DataView(bytes.buffer), 0), bytes);
  return place;
}

function decode(text: string): Uint8Array {
  // As on the way there, the words above this one are still zero.
  let top = WORDS - 1;
  words.fill(0);
  for (let i = 0; i < text.length && i < DIGITS; ) {
    let factor = 1;
    let carry = 0;
    for (let j = 0; j < DIGITS_PER_STEP && i < text.length; j += 1, i += 1) {
      factor *= 58;
      carry = carry * 58 + (VALUES[text.charCodeAt(i)] ?? 0);
    }
    for (let j = WORDS - 1; j >= 0 && (j >= top || carry > 0); j -= 1) {
      const value = (words[j] as number) * factor + carry;
      carry = Math.floor(value / WORD);
      words[j] = value - carry * WORD;
      if (j < top) top = j;
    }
  }
  const bytes = new Uint8Array(WORDS * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < WORDS; i += 1) view.setUint32(i * 4, words[i] as number);
  // Whatever is wrong (a foreign character, too many digits, a missing leading "1") shows on the way back.
  if (readAddress(view, 0) !== text) throw new SluiceError('ADDRESS_INVALID', { value: text.slice(0, 80) });
  return bytes;
}
