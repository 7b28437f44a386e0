import { ProtocolError } from '../protocol-error.ts';
import { nearestQuotient, Rational } from './rational.ts';

/** Significant digits of a published number, as in IEEE 754 decimal128. */
export const PUBLISHED_DIGITS = 34;
/** Decimal places of a number that is stored in bulk, and of a power. */
export const STORED_PLACES = 30;

const POWERS_OF_TEN = Array.from({ length: 80 }, (_, exponent) => 10n ** BigInt(exponent));
const EXPONENTS = new Map(POWERS_OF_TEN.map((power, exponent) => [power, exponent]));
const STORED_SCALE = powerOfTen(STORED_PLACES);
const DIGITS_LIMIT = powerOfTen(PUBLISHED_DIGITS);
const FEWER_DIGITS_LIMIT = powerOfTen(PUBLISHED_DIGITS - 1);

/** Longer inputs are rejected before any arithmetic: no amount needs them, and parsing is quadratic in the length. */
const MAX_INPUT_LENGTH = 400;
const DECIMAL = /^-?(?:\d+)(?:\.\d+)?$/;

/** Parses plain notation (`-12.50`) exactly. Rejects exponents, whitespace and any sign but a leading minus. */
export function parseDecimal(text: string): Rational {
  if (text.length > MAX_INPUT_LENGTH || !DECIMAL.test(text)) {
    throw new ProtocolError('DECIMAL_INVALID', { value: text.slice(0, 80) });
  }
  const [whole = '', fraction = ''] = text.split('.');
  return Rational.of(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

/**
 * Plain notation: no exponent, no trailing zeros, `0` and never `-0`. Rounded half-even to 34 significant digits; a
 * number that needs no more is exact.
 *
 * @example
 * toDecimalString(Rational.of(1n, 8n)); // '0.125'
 */
export function toDecimalString(value: Rational): string {
  return value.memoizedText(plainNotation);
}

/** `toDecimalString` as a JSON string literal. */
export function toDecimalJson(value: Rational): string {
  return value.memoizedJson(plainNotation);
}

function plainNotation(value: Rational): string {
  const { n, d } = value;
  if (isShort(n)) {
    if (d === 1n) return n.toString();
    const exponent = EXPONENTS.get(d);
    if (exponent !== undefined) return placePoint(n, exponent);
  }
  const { units, places } = scaledTogether([value]);
  return placePoint(units[0] ?? 0n, places);
}

/** The exact value that `toDecimalString` prints. */
export function roundToPublished(value: Rational): Rational {
  if (isShort(value.n) && EXPONENTS.has(value.d)) return value;
  const { units, places } = scaledTogether([value]);
  return fromUnits(units[0] ?? 0n, places);
}

/**
 * Rounds numbers that are published next to their sums and differences. All get the same number of decimal places: as
 * many as the sum of their absolute values can have in 34 significant digits. So every sum and difference of the rounded
 * parts is published exactly.
 */
export function roundParts<T extends readonly Rational[]>(parts: T): { [K in keyof T]: Rational };
export function roundParts(parts: readonly Rational[]): readonly Rational[] {
  // The estimate may be a digit too low.
  const certain = PUBLISHED_DIGITS - 1 - estimatedWholeDigits(parts);
  if (parts.every(({ d }) => (EXPONENTS.get(d) ?? Number.POSITIVE_INFINITY) <= certain)) return parts;
  const { units, places } = scaledTogether(parts);
  return units.map((each) => fromUnits(each, places));
}

/** A double holds this many exactly. */
const EXACT_HEX_DIGITS = 13;

/** Numbers as multiples of 10^-places. */
interface Scaled {
  readonly units: readonly bigint[];
  /** Negative when the last digit is left of the decimal point. */
  readonly places: number;
}

/** Rounds half-even to the most decimal places with which the sum of the absolute values has 34 significant digits. */
function scaledTogether(values: readonly Rational[]): Scaled {
  let places = PUBLISHED_DIGITS - estimatedWholeDigits(values);
  let units = scaled(values, places);
  while (magnitude(units) > DIGITS_LIMIT) {
    places -= 1;
    units = scaled(values, places);
  }
  // The estimate may have been a digit too high. Each value rounds by at most half a unit.
  const mayHaveMore = FEWER_DIGITS_LIMIT + BigInt(values.length);
  for (let size = magnitude(units); size > 0n && size <= mayHaveMore; size = magnitude(units)) {
    const finer = scaled(values, places + 1);
    if (magnitude(finer) > DIGITS_LIMIT) break;
    places += 1;
    units = finer;
  }
  return { units, places };
}

function scaled(values: readonly Rational[], places: number): bigint[] {
  const scale = powerOfTen(Math.abs(places));
  return places < 0
    ? values.map(({ n, d }) => nearestQuotient(n, d * scale))
    : values.map(({ n, d }) => nearestQuotient(n * scale, d));
}

function magnitude(units: readonly bigint[]): bigint {
  let sum = 0n;
  for (const each of units) sum += each < 0n ? -each : each;
  return sum;
}

/** Digits left of the decimal point of the sum of absolute values; negative for leading zeros right of it. */
function estimatedWholeDigits(values: readonly Rational[]): number {
  let sum = 0;
  for (const { n, d } of values) sum += Math.abs(Number(n)) / Number(d);
  if (sum > 0 && sum < Number.POSITIVE_INFINITY) return Math.floor(Math.log10(sum)) + 1;
  // Outside the range of a double.
  const sizes = values.flatMap(({ n, d }) => (n === 0n ? [] : log10(n < 0n ? -n : n) - log10(d)));
  return sizes.length === 0 ? 0 : Math.floor(Math.max(...sizes)) + 1;
}

/** Takes a positive integer of any size. Hexadecimal, because decimal digits of a large number take long to compute. */
function log10(n: bigint): number {
  const digits = n.toString(16);
  const head = digits.slice(0, EXACT_HEX_DIGITS);
  return Math.log10(Number.parseInt(head, 16)) + (digits.length - head.length) * Math.log10(16);
}

function isShort(n: bigint): boolean {
  return n < DIGITS_LIMIT && n > -DIGITS_LIMIT;
}

function fromUnits(units: bigint, places: number): Rational {
  return places < 0 ? Rational.of(units * powerOfTen(-places)) : Rational.of(units, powerOfTen(places));
}

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

/** Rounded half-even to 30 decimal places, in plain notation. For values stored in bulk. */
export function toStoredDecimal(value: Rational): string {
  if (value.n === 0n) return '0';
  return value.d === 1n ? value.n.toString() : placePoint(toStoredUnits(value), STORED_PLACES);
}

/** The value of `toStoredDecimal` in units of 10^-30. */
export function toStoredUnits({ n, d }: Rational): bigint {
  return d === STORED_SCALE ? n : nearestQuotient(n * STORED_SCALE, d);
}

/** The exact value that `toStoredDecimal` prints. */
export function roundToStored(value: Rational): Rational {
  return value.d === 1n ? value : Rational.of(toStoredUnits(value), STORED_SCALE);
}

const ZERO_DIGIT = 48;

/** An integer amount of base units as a decimal number of tokens: `placePoint(1500000n, 6)` is `1.5`. */
export function placePoint(baseUnits: bigint, decimals: number): string {
  if (decimals < 0) return (baseUnits * powerOfTen(-decimals)).toString();
  const negative = baseUnits < 0n;
  const digits = (negative ? -baseUnits : baseUnits).toString().padStart(decimals + 1, '0');
  const split = digits.length - decimals;
  let end = digits.length;
  while (end > split && digits.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
  const text =
    end === split ? digits.slice(0, split) : `${digits.slice(0, split)}.${digits.slice(split, end)}`;
  return negative && text !== '0' ? `-${text}` : text;
}
