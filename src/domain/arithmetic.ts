import { roundParts } from '@sluice/protocol/numeric/decimal';
import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';

/** A mint stores its decimals in one byte; a greater number elsewhere is corrupt data. */
const MAX_DECIMALS = 255;
const POWERS_OF_TEN = Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** The exact quotient; zero when the denominator is zero. */
export function ratio(numerator: Rational, denominator: Rational): Rational {
  return denominator.isZero ? ZERO : numerator.div(denominator);
}

/** max(value, 0). */
export function positivePart(value: Rational): Rational {
  return value.isNegative ? ZERO : value;
}

/** The smallest value; null for an empty list. */
export function least(values: Iterable<Rational>): Rational | null {
  let found: Rational | null = null;
  for (const value of values) found = found === null ? value : found.min(value);
  return found;
}

/** The middle value, or the mean of the two in the middle; null for an empty list. */
export function median(values: readonly Rational[]): Rational | null {
  const sorted = values.toSorted((a, b) => a.compare(b));
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? null) : mean(sorted.slice(middle - 1, middle + 1));
}

/** Null for an empty list. */
export function mean(values: readonly Rational[]): Rational | null {
  return values.length === 0 ? null : total(values).div(integer(values.length));
}

/**
 * The exact sum with a small denominator: terms that share a denominator are added as integers first, and a denominator
 * that divides another is scaled up to it instead of multiplied in.
 */
export function total(values: Iterable<Rational>): Rational {
  const denominators: bigint[] = [];
  const numerators: bigint[] = [];
  for (const { n, d } of values) {
    const index = denominators.indexOf(d);
    if (index < 0) {
      denominators.push(d);
      numerators.push(n);
    } else numerators[index] = (numerators[index] ?? 0n) + n;
  }
  let sum = ZERO;
  numerators.forEach((n, index) => {
    const d = denominators[index] ?? 1n;
    sum = sum.n === 0n ? Rational.of(n, d) : addAligned(sum, n, d);
  });
  return sum;
}

/** The exact sum; null when a value is unknown. */
export function totalIfKnown(values: readonly (Rational | null)[]): Rational | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? total(known) : null;
}

/**
 * Shares of a whole, rounded so that they add up to 1 as published: the first one takes what rounding leaves.
 *
 * @param shares add up to 1
 */
export function wholeShares(shares: readonly Rational[]): readonly Rational[] {
  const [, ...others] = roundParts(shares);
  return shares.length === 0 ? [] : [ONE.sub(total(others)), ...others];
}

function addAligned(sum: Rational, n: bigint, d: bigint): Rational {
  if (sum.d % d === 0n) return Rational.of(sum.n + n * (sum.d / d), sum.d);
  if (d % sum.d === 0n) return Rational.of(sum.n * (d / sum.d) + n, d);
  return sum.add(Rational.of(n, d));
}

/** 10^decimals: base units in one whole token. */
export function unitsPerToken(decimals: bigint | number): bigint {
  return POWERS_OF_TEN[Math.min(Number(decimals), MAX_DECIMALS)] ?? 1n;
}

/** Base units as whole tokens, exactly. */
export function toTokens(baseUnits: Rational, decimals: bigint | number): Rational {
  return Rational.of(baseUnits.n, baseUnits.d * unitsPerToken(decimals));
}

/** USD value of an amount of base units at a price per whole token, exactly. */
export function valueUsd(baseUnits: Rational, decimals: bigint | number, priceUsd: Rational): Rational {
  return Rational.of(baseUnits.n * priceUsd.n, baseUnits.d * priceUsd.d * unitsPerToken(decimals));
}
