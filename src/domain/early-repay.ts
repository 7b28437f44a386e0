import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import {
  ceilScaled,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { AccruedReserve } from './accrued-reserve.ts';
import { unitsInSeconds } from './rate-basis.ts';
import { debtGrowthSf } from './refreshed-reserve.ts';

/**
 * Base units that settling a part of a debt before the end of its term costs on top, with the rounding of klend 1.17 to
 * 1.25: a percentage of the interest that the part would bear until then at today's rate. 0 when none is due.
 *
 * @param accrued the reserve right after its refresh; the repayment has not changed its utilization yet
 * @param settledSf debt to settle, at most all of it, in base units of 2^-60
 */
export function earlyRepayPenalty(
  accrued: AccruedReserve,
  { lastBorrowedAtTimestamp }: Pick<ObligationLiquidity, 'lastBorrowedAtTimestamp'>,
  settledSf: bigint,
): bigint {
  const { config } = accrued.account;
  // A debt is refreshed before it is repaid, so its cumulative rate is the reserve's.
  const rateSf = toScaledFraction(accrued.cumulativeBorrowRate);
  if (config.debtTermSeconds === 0n || lastBorrowedAtTimestamp === 0n || rateSf === 0n) return 0n;
  const elapsed = atLeastZero(accrued.at.timestamp - lastBorrowedAtTimestamp);
  const remaining = config.debtTermSeconds - elapsed;
  if (remaining <= 0n) return 0n;
  const units = unitsInSeconds(config, remaining);
  const growthSf = debtGrowthSf(accrued, units);
  const interestSf = (settledSf * multiplyScaled(rateSf, growthSf)) / rateSf - settledSf;
  return ceilScaled(multiplyScaled(interestSf, percentScaled(config.earlyRepayRemainingInterestPct)));
}
