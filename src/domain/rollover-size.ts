import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import {
  ceilScaled,
  divideScaled,
  FRACTION_ONE,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
  wholeScaled,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import type { AccruedReserve } from './accrued-reserve.ts';
import { NO_GROUP } from './elevation.ts';
import { debtAmount } from './obligation.ts';
import {
  borrowFactorScaled,
  type RefreshedObligation,
  remainingBorrowScaled,
  valueScaled,
} from './refreshed-obligation.ts';
import { borrowRemaining, freelyAvailableUnits, queuedLiquidity, remainingWithdrawalCap } from './reserve.ts';

/** Why the program refuses the size of a rollover, in the order of its checks. */
export type RolloverLimit =
  | 'NO_LIQUIDITY'
  | 'BORROW_LIMIT'
  | 'LIMIT_OUTSIDE_GROUPS'
  | 'UTILIZATION_LIMIT'
  | 'OUTFLOW_CAP'
  | 'PART_TOO_SMALL'
  | 'COLLATERAL_TOO_LOW';

export interface RolloverSizeInput {
  readonly market: LendingMarket;
  readonly refreshed: RefreshedObligation | null;
  /** The debt with its interest, base units in units of 2^-60. */
  readonly owedSf: bigint;
  readonly target: AccruedReserve;
  /** The obligation's debt in the target; undefined for none. */
  readonly existing: ObligationLiquidity | undefined;
  /** Of a whole token of the target; null when unknown. */
  readonly priceSf: bigint | null;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

export interface RolloverSize {
  /** Whole base units: what the target lends, at most the debt rounded up. */
  readonly moved: bigint;
  readonly settledSf: bigint;
  readonly isPart: boolean;
  readonly limit: RolloverLimit | null;
}

/** How much of a debt moves to another reserve. No fee is charged. */
export function rolloverSize(input: RolloverSizeInput): RolloverSize {
  const { market, refreshed, owedSf, target, priceSf } = input;
  const lendable = rolloverLendable(input);
  if (typeof lendable === 'string') return { moved: 0n, settledSf: 0n, isPart: true, limit: lendable };
  const moved = lesser(lendable, ceilScaled(owedSf));
  const movedSf = wholeScaled(moved);
  const settledSf = lesser(movedSf, owedSf);
  const isPart = movedSf < owedSf;
  const size = { moved, settledSf, isPart };
  const { account } = target;
  if (isPart && priceSf !== null) {
    const isTooSmall = valueScaled(account, movedSf, priceSf) < wholeScaled(market.minPartialRolloverValue);
    if (isTooSmall) return { ...size, limit: 'PART_TOO_SMALL' };
  }
  if (refreshed === null || priceSf === null) return { ...size, limit: null };
  const addedSf = valueScaled(account, movedSf - settledSf, priceSf);
  const factoredSf = multiplyScaled(addedSf, borrowFactorScaled(account, NO_GROUP));
  return { ...size, limit: remainingBorrowScaled(refreshed) < factoredSf ? 'COLLATERAL_TOO_LOW' : null };
}

/** Whole base units that a reserve lends to a rollover, or the first limit that leaves nothing. */
function rolloverLendable({ target, existing, timestamp }: RolloverSizeInput): bigint | RolloverLimit {
  const { account } = target;
  const { config } = account;
  const cap = remainingWithdrawalCap(config.debtWithdrawalCap, timestamp);
  const limits: readonly (readonly [bigint | null, RolloverLimit])[] = [
    [freelyAvailableUnits(target), 'NO_LIQUIDITY'],
    [borrowRemaining(target).floor(), 'BORROW_LIMIT'],
    [
      atLeastZero(config.borrowLimitOutsideElevationGroup - outsideGroups(target, existing)),
      'LIMIT_OUTSIDE_GROUPS',
    ],
    [belowUtilization(target), 'UTILIZATION_LIMIT'],
    [cap === null ? null : cap.floor(), 'OUTFLOW_CAP'],
  ];
  const none = limits.find(([amount]) => amount === 0n);
  if (none !== undefined) return none[1];
  const amounts = limits.flatMap(([amount]) => amount ?? []);
  return amounts.reduce(lesser);
}

/** Debt of the reserve outside elevation groups as the refresh of an obligation with this debt counts it. */
function outsideGroups(reserve: AccruedReserve, debt: ObligationLiquidity | undefined): bigint {
  const counted = reserve.account.borrowedAmountOutsideElevationGroup;
  if (debt === undefined) return counted;
  const owed = ceilScaled(toScaledFraction(debtAmount(debt, reserve)));
  return atLeastZero(counted - debt.borrowedAmountOutsideElevationGroups) + owed;
}

/** Whole base units below the limit on utilization; the whole supply without one. */
function belowUtilization({ account, totalSupply, borrowed }: AccruedReserve): bigint {
  const pct = account.config.utilizationLimitBlockBorrowingAbovePct;
  const supplySf = toScaledFraction(totalSupply);
  if (pct === 0) return supplySf / FRACTION_ONE;
  const mostSf = multiplyScaled(supplySf, percentScaled(pct)) - toScaledFraction(borrowed);
  return atLeastZero(mostSf - 1n) / FRACTION_ONE;
}

/** The first limit that a new start in the same reserve exceeds: it must stand as if the debt were borrowed again. */
export function sameReserveLimit(
  reserve: AccruedReserve,
  debt: ObligationLiquidity,
  owedSf: bigint,
): RolloverLimit | null {
  const { account, available, totalSupply } = reserve;
  const { config } = account;
  const queued = queuedLiquidity(reserve).floor();
  const freeSf = atLeastZero(wholeScaled(available) + owedSf - wholeScaled(queued));
  if (owedSf > freeSf) return 'NO_LIQUIDITY';
  const borrowedSf = toScaledFraction(reserve.borrowed);
  if (borrowedSf > wholeScaled(config.borrowLimit)) return 'BORROW_LIMIT';
  const pct = config.utilizationLimitBlockBorrowingAbovePct;
  const supplySf = toScaledFraction(totalSupply);
  if (pct !== 0 && supplySf > 0n && divideScaled(borrowedSf, supplySf) >= percentScaled(pct)) {
    return 'UTILIZATION_LIMIT';
  }
  const isOver = outsideGroups(reserve, debt) > config.borrowLimitOutsideElevationGroup;
  return isOver ? 'LIMIT_OUTSIDE_GROUPS' : null;
}
