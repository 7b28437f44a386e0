import { addSf, bpsSf, ceilSf, mulSf, percentSf, ratioSf, subSf, wholeSf } from './fraction.ts';
import type { BorrowState } from './obligation-slots.ts';
import { accrualUnit, compoundedSf, curveRateSf, utilizationSf } from './reserve-interest.ts';
import { takeIn } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

/**
 * Base units that settling a part of a debt before the end of its term costs on top; 0 when none is due. A share of the
 * interest that the part would bear until then at the present rate of the reserve.
 *
 * @param now unix seconds
 */
export function earlyRepayPenalty(
  reserve: ReserveState,
  debt: BorrowState,
  settledSf: bigint,
  now: bigint,
): bigint {
  const { config } = reserve;
  const { lastBorrowedAt } = debt;
  if (config.debtTermSeconds === 0n || lastBorrowedAt === 0n || debt.amountSf === 0n) return 0n;
  const elapsed = now > lastBorrowedAt ? now - lastBorrowedAt : 0n;
  if (elapsed >= config.debtTermSeconds) return 0n;
  const unit = accrualUnit(config);
  const curveRate = curveRateSf(config.borrowRateCurve.points, utilizationSf(reserve));
  const rate = addSf(curveRate, bpsSf(config.hostFixedInterestRateBps));
  const growth = compoundedSf(rate, (config.debtTermSeconds - elapsed) * unit.perSecond, unit);
  const futureRate = (reserve.cumulativeBorrowRate * growth) >> 60n;
  const interest = subSf(ratioSf(settledSf, futureRate, debt.cumulativeBorrowRate), settledSf);
  return ceilSf(mulSf(interest, percentSf(config.earlyRepayRemainingInterestPct)));
}

/** The protocol earns the penalty; it stays in the supply vault until the fees are collected. */
export function collectPenalty(reserve: ReserveState, penalty: bigint): void {
  takeIn(reserve, penalty);
  reserve.protocolFeesSf = addSf(reserve.protocolFeesSf, wholeSf(penalty));
}
