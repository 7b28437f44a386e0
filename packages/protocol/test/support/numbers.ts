import { expect } from 'vitest';
import { parseDecimal } from '../../src/numeric/decimal.ts';
import { integer, Rational } from '../../src/numeric/rational.ts';

/** An exact number of what an answer writes, as text or as a JSON number. */
export function exact(written: unknown): Rational {
  if (typeof written === 'number') return fromDouble(written);
  if (typeof written !== 'string') throw new Error(`no number: ${JSON.stringify(written)}`);
  return parseDecimal(written);
}

/** Every double is a finite binary fraction; this is that fraction. */
function fromDouble(value: number): Rational {
  let [numerator, scale] = [value, 0n];
  while (!Number.isInteger(numerator)) [numerator, scale] = [numerator * 2, scale + 1n];
  return Rational.of(BigInt(numerator), 2n ** scale);
}

/** The tolerance that the contract gives its relations, and that of a figure which is a double. */
export const RELATION = 10n ** 12n;
export const DOUBLE = 10n ** 14n;

/** Equal to one part in so many. Nothing is near zero but zero, and what rounding a stored number to 30 places leaves of nothing. */
export function expectNear(actual: Rational, wanted: Rational, what: string, parts = RELATION): void {
  const difference = actual.sub(wanted).abs();
  const allowed = wanted.abs().div(integer(parts));
  const rounding = Rational.of(1n, 10n ** 28n);
  const near = difference.compare(allowed) <= 0 || difference.compare(rounding) <= 0;
  expect(near, `${what}: ${actual.toNumber()} instead of ${wanted.toNumber()}`).toBe(true);
}

export function expectExact(actual: Rational, wanted: Rational, what: string): void {
  expect(actual.compare(wanted), `${what}: ${actual.toNumber()} instead of ${wanted.toNumber()}`).toBe(0);
}

/** A quotient as the contract has it: nothing divided by nothing is nothing. */
export const ratio = (a: Rational, b: Rational) => (b.isZero ? integer(0n) : a.div(b));

/** Digits of plain notation without leading and trailing zeros. */
export function significantDigits(written: string): number {
  return written.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}
