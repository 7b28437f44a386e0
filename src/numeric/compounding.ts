import { apyFromApr, power } from './power.ts';
import { nearestQuotient, ONE, Rational } from './rational.ts';

/** Slots of 500 ms in a year of 365 days: the lending program's rates are per this many slots. */
export const SLOTS_PER_YEAR = 63_072_000n;
const DAYS_PER_YEAR = 365n;
/** The program computes the power exactly up to this many slots; beyond, it uses three terms of the binomial series. */
const EXACT_SLOTS = 4n;

/** Growth factor of a debt over `slots` at a yearly rate: the lending program's approximation, evaluated without rounding. */
export function accrualFactor(yearlyRate: Rational, slots: bigint): Rational {
  if (slots <= 0n) return ONE;
  // The rate per slot is p / q. A single common denominator avoids reducing intermediate fractions.
  const p = yearlyRate.n;
  const q = yearlyRate.d * SLOTS_PER_YEAR;
  if (slots <= EXACT_SLOTS) return Rational.of((q + p) ** slots, q ** slots);
  const cubed = 6n * q * q * q;
  const series = slots * p * (6n * q * q + (slots - 1n) * p * (3n * q + (slots - 2n) * p));
  return Rational.of(cubed + series, cubed);
}

/** APY of a lending rate compounded every slot, the platform's convention. */
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
