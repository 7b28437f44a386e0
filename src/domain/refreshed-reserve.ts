import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { accrualFactorSf } from '@sluice/protocol/numeric/compounding';
import {
  bpsScaled,
  FRACTION_ONE,
  FULL_BPS,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { AccruedReserve } from './accrued-reserve.ts';
import { type AccrualTerms, storedReserve, withInterest, withRewards } from './interest.ts';
import type { Instant } from './moment.ts';
import { unitsElapsed, unitsPerYear } from './rate-basis.ts';

/**
 * The reserve after a refresh at an instant, with the rounding of klend 1.17 and later: interest at the utilization of the
 * last refresh, per slot or second, then the reserve's own rewards. An instant before the last refresh returns the stored
 * state. Published amounts and the outcomes of actions both follow from it.
 */
export function refreshReserve(account: Reserve, at: Instant, terms: AccrualTerms): AccruedReserve {
  const { config } = account;
  const stored = storedReserve(account, at);
  const units = unitsElapsed(account, at);
  if (units === 0n) return stored;
  const takeRateSf = percentScaled(config.protocolTakeRatePct);
  const accrued = withInterest(stored, {
    growthSf: debtGrowthSf(stored, units),
    hostGrowthSf: accrualFactorSf(bpsScaled(config.hostFixedInterestRateBps), units, unitsPerYear(config)),
    takeRateSf,
    referralRateSf: multiplyScaled(takeRateSf, bpsScaled(terms.referralFeeBps)),
  });
  return withRewards(accrued, terms, units);
}

/** Growth factor of a debt over the next slots or seconds at the rate of the current utilization, in units of 2^-60. */
export function debtGrowthSf(accrued: AccruedReserve, units: bigint): bigint {
  return accrualFactorSf(borrowRateSf(accrued), units, unitsPerYear(accrued.account.config));
}

/** Yearly rate of a debt at the current utilization: the curve's and the host's, in units of 2^-60. */
function borrowRateSf({ account: { config }, utilization }: AccruedReserve): bigint {
  return curveRateSf(config, toScaledFraction(utilization)) + bpsScaled(config.hostFixedInterestRateBps);
}

/**
 * The program chooses the segment by whole basis points; a hit on a point uses that point's rate. Defined even for a curve
 * that the program would reject.
 */
function curveRateSf({ borrowRateCurve: { points } }: ReserveConfig, utilizationSf: bigint): bigint {
  const clamped = lesser(utilizationSf, FRACTION_ONE);
  const bps = Number((clamped * FULL_BPS + FRACTION_ONE / 2n) / FRACTION_ONE);
  let [start] = points;
  for (const end of points) {
    if (start !== undefined && end.utilizationRateBps >= bps) {
      const run = BigInt(end.utilizationRateBps - start.utilizationRateBps);
      if (end.utilizationRateBps === bps || run <= 0n) return bpsScaled(end.borrowRateBps);
      const rise = BigInt(end.borrowRateBps - start.borrowRateBps);
      const offsetSf = clamped - bpsScaled(start.utilizationRateBps);
      return (offsetSf * rise) / run + bpsScaled(start.borrowRateBps);
    }
    start = end;
  }
  return bpsScaled(start?.borrowRateBps ?? 0);
}
