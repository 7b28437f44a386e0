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
  const b = yearlyRate.div(Rational.of(SLOTS_PER_YEAR));
  if (slots <= EXACT_SLOTS) {
    let factor = ONE;
    for (let i = 0n; i < slots; i += 1n) factor = factor.mul(ONE.add(b));
    return factor;
  }
  const second = b.mul(b).mul(Rational.of(slots * (slots - 1n), 2n));
  const third = b
    .mul(b)
    .mul(b)
    .mul(Rational.of(slots * (slots - 1n) * (slots - 2n), 6n));
  return ONE.add(b.mul(Rational.of(slots)))
    .add(second)
    .add(third);
}

/** Yearly interest of a lending rate, compounded every slot, as the platform shows it. */
export function apyPerSlot(apr: Rational): Rational {
  return apyFromApr(apr, SLOTS_PER_YEAR);
}

/** Yearly interest of a reward rate, compounded every day, as the platform shows it. */
export function apyDaily(apr: Rational): Rational {
  return apyFromApr(apr, 365n);
}
