import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import {
  ceilScaled,
  FRACTION_ONE,
  fromScaledFraction,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { Rational } from '@sluice/protocol/numeric/rational';
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
  const growthSf = growthWithinSf(accrued, remaining);
  const interestSf = (settledSf * multiplyScaled(rateSf, growthSf)) / rateSf - settledSf;
  return ceilScaled(multiplyScaled(interestSf, percentScaled(config.earlyRepayRemainingInterestPct)));
}

/**
 * The penalty as a fraction of the debt, right after a borrow: the most that repaying before the end of the term can cost
 * at today's rate. 0 in a reserve without a term.
 */
export function penaltyOfNewDebt(accrued: AccruedReserve): Rational {
  const { debtTermSeconds, earlyRepayRemainingInterestPct } = accrued.account.config;
  const interestSf = growthWithinSf(accrued, debtTermSeconds) - FRACTION_ONE;
  return fromScaledFraction(multiplyScaled(interestSf, percentScaled(earlyRepayRemainingInterestPct)));
}

function growthWithinSf(accrued: AccruedReserve, seconds: bigint): bigint {
  return debtGrowthSf(accrued, unitsInSeconds(accrued.account.config, seconds));
}
