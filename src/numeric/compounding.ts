import { apyFromApr } from './power.ts';
import { ONE, Rational } from './rational.ts';

/** Slots of 500 ms in a year of 365 days: the lending program's rates are per this many slots. */
export const SLOTS_PER_YEAR = 63_072_000n;
/** Up to this many slots the program multiplies out; beyond, it takes three terms of the binomial series. */
const EXACT_SLOTS = 4n;

/**
 * The factor by which a debt grows over `slots` at a yearly rate, by the lending program's own approximation.
 * Exact in what it computes: no step is rounded.
 */
export function accrualFactor(yearlyRate: Rational, slots: bigint): Rational {
  if (slots <= 0n) return ONE;
  // The rate of one slot is p / q; everything is put over one denominator at once, which spares reducing in between.
  const p = yearlyRate.n;
  const q = yearlyRate.d * SLOTS_PER_YEAR;
  if (slots <= EXACT_SLOTS) return Rational.of((q + p) ** slots, q ** slots);
  const cubed = 6n * q * q * q;
  const series = slots * p * (6n * q * q + (slots - 1n) * p * (3n * q + (slots - 2n) * p));
  return Rational.of(cubed + series, cubed);
}

/** Yearly interest of a lending rate, compounded every slot, as the platform shows it. */
export function apyPerSlot(apr: Rational): Rational {
  return apyFromApr(apr, SLOTS_PER_YEAR);
}

/** Yearly interest of a reward rate, compounded every day, as the platform shows it. */
export function apyDaily(apr: Rational): Rational {
  return apyFromApr(apr, 365n);
}
