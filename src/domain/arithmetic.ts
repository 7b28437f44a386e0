import { Rational, ZERO } from '../numeric/rational.ts';

/** No mint has more decimals than its one byte can hold; a greater number in an account is damage, not scale. */
const MAX_DECIMALS = 255;
const POWERS_OF_TEN = Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** The exact quotient; zero when there is nothing to divide by. */
export function ratio(numerator: Rational, denominator: Rational): Rational {
  return denominator.isZero ? ZERO : numerator.div(denominator);
}

/** The value, or zero where it would be negative. */
export function positivePart(value: Rational): Rational {
  return value.isNegative ? ZERO : value;
}

/** The least of the values; null for none. */
export function least(values: Iterable<Rational>): Rational | null {
  let found: Rational | null = null;
  for (const value of values) found = found === null ? value : found.min(value);
  return found;
}

/**
 * The exact sum, with a denominator that is no larger than needed: terms that share a denominator are added as
 * integers first, and a denominator that divides another is scaled up to it instead of being multiplied in.
 */
export function total(values: Iterable<Rational>): Rational {
  const denominators: bigint[] = [];
  const numerators: bigint[] = [];
  for (const { n, d } of values) {
    const place = denominators.indexOf(d);
    if (place < 0) {
      denominators.push(d);
      numerators.push(n);
    } else numerators[place] = (numerators[place] ?? 0n) + n;
  }
  let sum = ZERO;
  numerators.forEach((n, place) => {
    const d = denominators[place] ?? 1n;
    sum = sum.n === 0n ? Rational.of(n, d) : addAligned(sum, n, d);
  });
  return sum;
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
