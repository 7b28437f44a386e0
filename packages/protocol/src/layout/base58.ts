import type { Address } from '@solana/kit';
import { ProtocolError } from '../protocol-error.ts';

const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');
const ONE = 49;
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
/** 32 bytes are below 58^44: nine limbs of five digits. */
const LIMBS = 9;
const DIGITS = LIMBS * DIGITS_PER_LIMB;

/** Scratch space, used within one call only. */
const limbs = new Float64Array(LIMBS);
const digits = Buffer.alloc(32 + DIGITS);

/** Slots of the two direct-mapped caches below; a power of two. Accounts name the same addresses in every state. */
const CACHE_SLOTS = 4_096;
const KEY_WORDS = 8;
/** Text by bytes. */
const cachedKeys = new Uint32Array(CACHE_SLOTS * KEY_WORDS);
const cachedTexts = new Array<Address | undefined>(CACHE_SLOTS);

/** Base58 of the 32 bytes at `offset`. */
export function readAddress(view: DataView, offset: number): Address {
  const slot = (view.getUint32(offset) ^ view.getUint32(offset + 28)) & (CACHE_SLOTS - 1);
  const cached = cachedTexts[slot];
  if (cached !== undefined && hasKey(slot, view, offset)) return cached;
  const text = toBase58(view, offset);
  for (let i = 0; i < KEY_WORDS; i += 1) cachedKeys[slot * KEY_WORDS + i] = view.getUint32(offset + 4 * i);
  cachedTexts[slot] = text;
  return text;
}

function hasKey(slot: number, view: DataView, offset: number): boolean {
  for (let i = 0; i < KEY_WORDS; i += 1) {
    if (cachedKeys[slot * KEY_WORDS + i] !== view.getUint32(offset + 4 * i)) return false;
  }
  return true;
}

/**
 * Dominates the cost of decoding accounts. Limbs of 58^5 keep every step within a double's exact integers, an order of
 * magnitude faster than one big integer.
 */
function toBase58(view: DataView, offset: number): Address {
  // The most significant limb in use: the number grows by 16 bits a step, so most steps touch few limbs.
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
/** 58^3 times a word stays within a double's exact integers. */
const DIGITS_PER_STEP = 3;

/** Scratch space, used within one call only. */
const words = new Float64Array(WORDS);

/** Bytes by text. Slots are chosen by the last characters, because vanity addresses share their first ones. */
const checkedTexts = new Array<Address | undefined>(CACHE_SLOTS);
const checkedBytes = new Uint8Array(CACHE_SLOTS * 32);

/** The 32 bytes of an address. Throws ADDRESS_INVALID unless the text is base58 of exactly 32 bytes. */
export function addressBytes(address: Address): Uint8Array {
  const start = checkedSlot(address) * 32;
  return checkedBytes.slice(start, start + 32);
}

/** Validates untrusted text. */
export function parseAddress(text: string): Address {
  return checkedTexts[checkedSlot(text)] as Address;
}

/** Base58 of 32 bytes. Caches the pair, so a later `addressBytes` of the text costs nothing. */
export function addressFromBytes(bytes: Uint8Array): Address {
  const text = readAddress(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  cacheChecked(slotOf(text), text, bytes);
  return text;
}

function slotOf(text: string): number {
  const end = text.length - 1;
  return (
    (text.charCodeAt(end) ^ (text.charCodeAt(end - 1) << 3) ^ (text.charCodeAt(end - 2) << 6)) &
    (CACHE_SLOTS - 1)
  );
}

function cacheChecked(slot: number, text: Address, bytes: Uint8Array): void {
  checkedTexts[slot] = text;
  checkedBytes.set(bytes, slot * 32);
}

/** The cache slot of a text, after validating it if it is not cached. */
function checkedSlot(text: string): number {
  const slot = slotOf(text);
  if (checkedTexts[slot] === text) return slot;
  const bytes = decode(text);
  // Caches a fresh string: `text` may be a slice that would retain a long document.
  cacheChecked(slot, readAddress(new DataView(bytes.buffer), 0), bytes);
  return slot;
}

function decode(text: string): Uint8Array {
  // The most significant word in use; those above it are still zero.
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
  // Any defect (a foreign character, too many digits, a missing leading "1") shows when the bytes are encoded again.
  if (readAddress(view, 0) !== text) throw new ProtocolError('ADDRESS_INVALID', { value: text.slice(0, 80) });
  return bytes;
}
