const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
const DIGITS_PER_STEP = 3;
const WORD = 2 ** 32;
const NO_DIGIT = 255;

const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const VALUES = new Uint8Array(128).fill(NO_DIGIT);
CODES.forEach((code, value) => {
  VALUES[code] = value;
});

/**
 * Base58 of any bytes. Limbs of 58^5 keep every step within a double's exact integers, many times faster than one
 * big integer.
 */
export function base58Of(bytes: ArrayLike<number>): string {
  const { length } = bytes;
  // A byte takes less than 1.366 digits.
  const count = Math.ceil((length * 1.366) / DIGITS_PER_LIMB) + 1;
  const limbs = new Float64Array(count);
  let top = count - 1;
  const take = (factor: number, added: number) => {
    let carry = added;
    for (let j = count - 1; j >= top || carry > 0; j -= 1) {
      const value = (limbs[j] as number) * factor + carry;
      carry = Math.floor(value / LIMB);
      limbs[j] = value - carry * LIMB;
      if (j < top) top = j;
    }
  };
  const odd = length % 2;
  if (odd === 1) take(256, bytes[0] as number);
  for (let i = odd; i < length; i += 2) take(65_536, (bytes[i] as number) * 256 + (bytes[i + 1] as number));
  const digits = Buffer.alloc(count * DIGITS_PER_LIMB);
  for (let j = top; j < count; j += 1) {
    let rest = limbs[j] as number;
    for (let k = DIGITS_PER_LIMB - 1; k >= 0; k -= 1) {
      const next = Math.floor(rest / 58);
      digits[j * DIGITS_PER_LIMB + k] = CODES[rest - next * 58] as number;
      rest = next;
    }
  }
  // Leading zero digits are not written; each leading zero byte is written as one "1".
  let start = top * DIGITS_PER_LIMB;
  while (start < digits.length && digits[start] === CODES[0]) start += 1;
  let zeros = 0;
  while (zeros < length && bytes[zeros] === 0) zeros += 1;
  return '1'.repeat(zeros) + digits.toString('latin1', start);
}

/** Decodes base58; null when the text has a character outside the alphabet. */
export function base58ToBytes(text: string): Uint8Array | null {
  let zeros = 0;
  while (zeros < text.length && text[zeros] === '1') zeros += 1;
  // A digit takes less than 0.733 bytes.
  const count = Math.ceil(((text.length - zeros) * 0.733) / 4) + 1;
  const words = new Float64Array(count);
  let top = count - 1;
  for (let i = zeros; i < text.length; ) {
    let [factor, carry] = [1, 0];
    for (let j = 0; j < DIGITS_PER_STEP && i < text.length; j += 1, i += 1) {
      const digit = VALUES[text.charCodeAt(i)] ?? NO_DIGIT;
      if (digit === NO_DIGIT) return null;
      factor *= 58;
      carry = carry * 58 + digit;
    }
    for (let j = count - 1; j >= top || carry > 0; j -= 1) {
      const value = (words[j] as number) * factor + carry;
      carry = Math.floor(value / WORD);
      words[j] = value - carry * WORD;
      if (j < top) top = j;
    }
  }
  const whole = new Uint8Array(count * 4);
  const view = new DataView(whole.buffer);
  words.forEach((word, i) => {
    view.setUint32(i * 4, word);
  });
  let start = 0;
  while (start < whole.length && whole[start] === 0) start += 1;
  const bytes = new Uint8Array(zeros + whole.length - start);
  bytes.set(whole.subarray(start), zeros);
  return bytes;
}
