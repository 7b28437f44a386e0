import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { power } from '@sluice/protocol/numeric/power';
import { ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from '../accrued-reserve.ts';
import { ratio } from '../arithmetic.ts';

const DAYS_PER_YEAR = 365n;

/** Yields per year of both sides of a reserve, as fractions. */
export interface ReserveRates {
  readonly supplyApy: Rational;
  readonly borrowApy: Rational;
}

/** Growth factor in a number of days of something that yields `apy` per year of 365 days. 0 for an APY of -1 or less. */
export function growthIn(days: number, apy: Rational): Rational {
  if (days === 0 || apy.isZero) return ONE;
  const yearly = ONE.add(apy);
  return yearly.n <= 0n ? ZERO : power(yearly, Rational.of(BigInt(days), DAYS_PER_YEAR));
}

/** Doublings up to which a power is computed with few bits. */
const MAX_NARROW_DOUBLINGS = 24;
const NARROW_STEPS = 1;
const WIDE_STEPS = 20;

/** Steps that `growthIn` takes. Results far from one are computed with many more bits. */
export function growthSteps(days: number, { n, d }: Rational): number {
  if (days === 0 || n === 0n || n + d <= 0n) return 0;
  const doublings = (((n + d) / d).toString(2).length * days) / Number(DAYS_PER_YEAR);
  return doublings < MAX_NARROW_DOUBLINGS ? NARROW_STEPS : WIDE_STEPS;
}

const rounded = (value: Rational): Rational => fromScaledFraction(toScaledFraction(value));

/**
 * A reserve after days of interest at constant rates: every debt grows by the one rate and every deposit by the other.
 * Nobody supplies, borrows or repays in between, so the supply is the only amount of the reserve that the two rates
 * determine; fees are what remains. Amounts are rounded down to 2^-60.
 */
export function reserveAhead(accrued: AccruedReserve, days: number, rates: ReserveRates): AccruedReserve {
  if (days === 0) return accrued;
  const debtGrowth = growthIn(days, rates.borrowApy);
  const borrowed = rounded(accrued.borrowed.mul(debtGrowth));
  const totalSupply = rounded(accrued.totalSupply.mul(growthIn(days, rates.supplyApy)));
  return {
    account: accrued.account,
    at: accrued.at,
    available: accrued.available,
    rewardsAvailable: accrued.rewardsAvailable,
    borrowed,
    protocolFees: accrued.protocolFees,
    referrerFees: accrued.referrerFees,
    pendingReferrerFees: accrued.pendingReferrerFees,
    totalSupply,
    cumulativeBorrowRate: rounded(accrued.cumulativeBorrowRate.mul(debtGrowth)),
    utilization: ratio(borrowed, totalSupply),
  };
}
