import { SluiceError } from '../errors/sluice-error.ts';
import { nearestQuotient, Rational } from './rational.ts';

/** Decimal places of a published number that has no finite decimal form. Rounded half-even, once. */
export const PUBLISHED_PLACES = 30;
const PUBLISHED_SCALE = 10n ** BigInt(PUBLISHED_PLACES);

/** Longer inputs are rejected before any arithmetic: no amount needs them, and parsing is quadratic in the length. */
const MAX_INPUT_LENGTH = 400;
const DECIMAL = /^-?(?:\d+)(?:\.\d+)?$/;

/** Parses plain notation (`-12.50`) exactly. Rejects exponents, whitespace and any sign but a leading minus. */
export function parseDecimal(text: string): Rational {
  if (text.length > MAX_INPUT_LENGTH || !DECIMAL.test(text)) {
    throw new SluiceError('DECIMAL_INVALID', { value: text.slice(0, 80) });
  }
  const [whole = '', fraction = ''] = text.split('.');
  return Rational.of(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

/**
 * Plain notation: no exponent, no trailing zeros, `0` and never `-0`. A value with a finite decimal form is exact,
 * however long; any other is rounded half-even to 30 places.
 */
export function toDecimalString(value: Rational): string {
  return value.memoizedText(plainNotation);
}

/** `toDecimalString` as a JSON string literal. */
export function toDecimalJson(value: Rational): string {
  return value.memoizedJson(plainNotation);
}

function plainNotation({ n, d }: Rational): string {
  if (d === 1n) return n.toString();
  const places = finitePlaces(n, d);
  return places === undefined
    ? placePoint(scaledToPublishedPlaces(n, d), PUBLISHED_PLACES)
    : placePoint((n * 10n ** BigInt(places)) / d, places);
}

/** Like `toDecimalString`, but rounds finite forms to 30 places too. For values stored in bulk. */
export function toShortDecimalString({ n, d }: Rational): string {
  if (n === 0n) return '0';
  return d === 1n ? n.toString() : placePoint(scaledToPublishedPlaces(n, d), PUBLISHED_PLACES);
}

/** The value of `toShortDecimalString` in units of 10^-30. */
export function toShortUnits({ n, d }: Rational): bigint {
  return scaledToPublishedPlaces(n, d);
}

/** The exact value that `toShortDecimalString` prints. */
export function roundToShort(value: Rational): Rational {
  const { n, d } = value;
  return d === 1n ? value : Rational.of(scaledToPublishedPlaces(n, d), PUBLISHED_SCALE);
}

/**
 * The exact value that `toDecimalString` prints. Round parts with this before adding them, so that the published sum
 * equals the sum of the published parts.
 */
export function roundToPublished(value: Rational): Rational {
  const { n, d } = value;
  if (d === 1n || d === PUBLISHED_SCALE || (mayHaveMorePlaces(d) && finitePlaces(n, d) !== undefined)) {
    return value;
  }
  return Rational.of(scaledToPublishedPlaces(n, d), PUBLISHED_SCALE);
}

function scaledToPublishedPlaces(n: bigint, d: bigint): bigint {
  return d === PUBLISHED_SCALE ? n : nearestQuotient(n * PUBLISHED_SCALE, d);
}

const ZERO_DIGIT = 48;

/** An integer amount of base units as a decimal number of tokens: `placePoint(1500000n, 6)` is `1.5`. */
export function placePoint(baseUnits: bigint, decimals: number): string {
  const negative = baseUnits < 0n;
  const digits = (negative ? -baseUnits : baseUnits).toString().padStart(decimals + 1, '0');
  const split = digits.length - decimals;
  let end = digits.length;
  while (end > split && digits.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
  const text =
    end === split ? digits.slice(0, split) : `${digits.slice(0, split)}.${digits.slice(split, end)}`;
  return negative && text !== '0' ? `-${text}` : text;
}

const FIVES_AT_ONCE = 8;
const FIVES = 5n ** BigInt(FIVES_AT_ONCE);
const MORE_FIVES = 5n ** BigInt(PUBLISHED_PLACES + 1);

/** Whether a fraction with this denominator can have a finite form longer than 30 places: it needs 2^31 or 5^31 in it. */
function mayHaveMorePlaces(d: bigint): boolean {
  return BigInt.asUintN(PUBLISHED_PLACES + 1, d) === 0n || d % MORE_FIVES === 0n;
}

/**
 * Decimal places that suffice to write n/d exactly, or undefined when it has no finite decimal form: d has a prime
 * factor other than 2 and 5 that n does not cancel. Avoids a gcd, which would cost far more.
 */
function finitePlaces(n: bigint, d: bigint): number | undefined {
  const twos = trailingZeroBits(d);
  let rest = d >> BigInt(twos);
  let fives = 0;
  // Most denominators are powers of ten: divide out 5^8 at a time, then the remaining fives.
  for (; rest % FIVES === 0n; fives += FIVES_AT_ONCE) rest /= FIVES;
  for (; rest % 5n === 0n; fives += 1) rest /= 5n;
  return rest === 1n || n % rest === 0n ? Math.max(twos, fives) : undefined;
}

/** `value` must be positive. */
function trailingZeroBits(value: bigint): number {
  for (let zeros = 0, rest = value; ; zeros += WORD_BITS, rest >>= BigInt(WORD_BITS)) {
    const low = Number(BigInt.asUintN(WORD_BITS, rest));
    if (low !== 0) return zeros + 31 - Math.clz32(low & -low);
  }
}

const WORD_BITS = 32;
