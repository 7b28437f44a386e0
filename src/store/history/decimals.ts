import { toShortDecimalString } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const powersOfTen: bigint[] = [];

/**
 * How a number is kept: with 30 places, rounded once, half-even. A price times an amount has 130 places when it is
 * written out; kept a million times a day they would tell nobody anything.
 */
export const decimalText = toShortDecimalString;

/**
 * What `count` samples of this value add up to. It is rounded after it is multiplied: a mean of so many samples that has
 * more than 30 places comes back from its sum with all of them.
 */
export function times(value: Rational, count: number): Rational {
  return count === 1 ? value : Rational.of(value.n * BigInt(count), value.d);
}

/** Reads what the database wrote, however long: unlike the input of a caller it needs no ceiling. */
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
