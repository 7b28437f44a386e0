import { toStoredDecimal } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const powersOfTen: bigint[] = [];

/**
 * Stored form of a number: 30 decimal places, rounded half-even. An exact price times an amount can have
 * 130 places; storing them a million times a day would add nothing.
 */
export const decimalText = toStoredDecimal;

/**
 * The sum of `count` samples of this value. Rounding happens after the multiplication, so the mean of equal
 * samples returns with all its stored places.
 */
export function times(value: Rational, count: number): Rational {
  return count === 1 ? value : Rational.of(value.n * BigInt(count), value.d);
}

/** Parses a decimal written by the database. Unlike caller input, its length needs no limit. */
export function decimalFrom(text: string): Rational | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const point = text.indexOf('.');
  if (point < 0) return Rational.of(BigInt(text));
  const digits = text.slice(0, point) + text.slice(point + 1);
  return Rational.of(BigInt(digits), powerOfTen(text.length - point - 1));
}

function powerOfTen(exponent: number): bigint {
  const known = powersOfTen[exponent];
  if (known !== undefined) return known;
  const power = 10n ** BigInt(exponent);
  powersOfTen[exponent] = power;
  return power;
}
