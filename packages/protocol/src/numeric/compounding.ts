import { FRACTION_ONE, multiplyScaled } from './fraction.ts';
import { apyFromApr, power } from './power.ts';
import { nearestQuotient, ONE, Rational } from './rational.ts';

/** Slots of 500 ms in a year of 365 days. */
export const SLOTS_PER_YEAR = 63_072_000n;
const DAYS_PER_YEAR = 365n;
/** The program computes the power exactly up to this many units; beyond, it uses three terms of the binomial series. */
const EXACT_UNITS = 4n;

/**
 * Growth factor of a debt over `units` of time, in units of 2^-60: the approximation of klend 1.17 and later, which
 * computes each term of the series from the one before. A unit is a slot or a second, of which a year has `perYear`.
 */
export function accrualFactorSf(yearlyRateSf: bigint, units: bigint, perYear: bigint): bigint {
  if (units <= 0n) return FRACTION_ONE;
  const base = yearlyRateSf / perYear;
  const one = FRACTION_ONE + base;
  if (units === 1n) return one;
  const squared = multiplyScaled(one, one);
  if (units === 2n) return squared;
  if (units === 3n) return multiplyScaled(squared, one);
  if (units === EXACT_UNITS) return multiplyScaled(squared, squared);
  const first = base * units;
  const second = (multiplyScaled(first, base) * (units - 1n)) / 2n;
  const third = (multiplyScaled(second, base) * (units - 2n)) / 3n;
  return FRACTION_ONE + first + second + third;
}

/** APY of a lending rate compounded every slot, the platform's convention for both bases of rates. */
export function apyPerSlot(apr: Rational): Rational {
  return apyFromApr(apr, SLOTS_PER_YEAR);
}

/** APY of a reward rate compounded daily, the platform's convention. */
export function apyDaily(apr: Rational): Rational {
  return apyFromApr(apr, DAYS_PER_YEAR);
}

/** Fewer than a power has, so that a rate with few digits is found exactly. */
const RATE_SCALE = 10n ** 24n;

/** The reward rate that gives this APY: the inverse of `apyDaily`, to 24 places. For an APY above -1. */
export function aprOfDailyApy(apy: Rational): Rational {
  const daily = power(apy.add(ONE), Rational.of(1n, DAYS_PER_YEAR)).sub(ONE);
  return Rational.of(nearestQuotient(daily.n * DAYS_PER_YEAR * RATE_SCALE, daily.d), RATE_SCALE);
}
