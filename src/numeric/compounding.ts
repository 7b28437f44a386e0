import { apyFromApr } from './power.ts';
import { ONE, Rational } from './rational.ts';

/** Slots of 500 ms in a year of 365 days: the lending program's rates are per this many slots. */
export const SLOTS_PER_YEAR = 63_072_000n;
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
  return apyFromApr(apr, 365n);
}
