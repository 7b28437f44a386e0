import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { aborted, ensure } from '../anchor.ts';
import type { Clock } from '../program.ts';
import { checkBorrowPossible, checkUtilization, findOrOpenBorrow } from './borrow.ts';
import { borrowFactorSf } from './borrow-factor.ts';
import { addSf, ceilSf, floorSf, leastOf, mulSf, percentSf, subSfToZero, wholeSf } from './fraction.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { checkOrdersSupported } from './obligation-orders.ts';
import type { BorrowState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { findBorrow } from './repay.ts';
import {
  borrowFromReserve,
  freelyAvailable,
  marketValueSf,
  queuedLiquidity,
  remainingBorrowCapacitySf,
  repayToReserve,
  updateLimitTimestamps,
} from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';
import { isSameRollover, type RolloverConfig } from './rollover-config.ts';
import { checkRolloverTime, rolloverMode } from './rollover-mode.ts';
import { addOutflow, remainingOutflow, subtractInflow } from './withdrawal-cap.ts';

/** State that a rollover reads and changes. */
export interface RolloverContext {
  readonly market: LendingMarket;
  readonly clock: Clock;
  readonly obligation: ObligationState;
  /** Reserve of the debt. */
  readonly source: ReserveState;
  /** Reserve that the debt moves to. */
  readonly target: ReserveState;
}

/** Starts the term of a debt anew. Leaves the obligation stale, and the reserve as it is. */
export function rollIntoSame(state: Omit<RolloverContext, 'target'>): void {
  const { obligation, source, clock } = state;
  const debt = findBorrow(obligation, source);
  checkRolloverPossible({ ...state, target: source }, debt);
  const freeSf = subSfToZero(
    addSf(wholeSf(source.available), debt.amountSf),
    wholeSf(queuedLiquidity(source)),
  );
  ensure(debt.amountSf <= freeSf, LENDING.insufficientLiquidity);
  ensure(source.borrowedSf <= wholeSf(source.config.borrowLimit), LENDING.borrowLimitExceeded);
  checkUtilization(source, 0n);
  const { borrowLimitOutsideElevationGroup: limit } = source.config;
  ensure(source.borrowedOutsideGroups <= limit, LENDING.elevationGroupBorrowLimitExceeded);
  debt.lastBorrowedAt = clock.unixTimestamp;
  debt.atExpiration = 0n;
  obligation.lastUpdate.stale = true;
}

export interface RolledOver {
  /** Base units that the target pays to the source. */
  readonly moved: bigint;
  /** Place of the debt in the target. */
  readonly index: number;
  /** Rollover terms of that debt from now on. */
  readonly terms: RolloverConfig;
}

/** Moves as much of a debt as the target lends, and leaves both reserves and the obligation stale. */
export function rollIntoOther(state: RolloverContext): RolledOver {
  const { market, obligation, source, target, clock } = state;
  const debt = findBorrow(obligation, source);
  checkRolloverPossible(state, debt);
  const moved = leastOf(borrowable(target, clock), ceilSf(debt.amountSf));
  const movedSf = wholeSf(moved);
  if (movedSf < debt.amountSf) {
    const isEnough = marketValueSf(target, movedSf) >= wholeSf(market.minPartialRolloverValue);
    ensure(isEnough, LENDING.partialRolloverValueTooSmall);
  }
  const settledSf = leastOf(movedSf, debt.amountSf);
  const addedSf = mulSf(
    marketValueSf(target, movedSf - settledSf),
    borrowFactorSf(target, obligation.inGroup),
  );
  ensure(obligation.remainingDebtValueSf >= addedSf, LENDING.borrowTooLarge);
  subtractInflow(source.debtCap, moved, clock.unixTimestamp);
  addOutflow(target.debtCap, moved, clock.unixTimestamp);
  repayToReserve(source, moved, settledSf);
  borrowFromReserve(target, movedSf);

  const terms = termsAfter(configOf(obligation, debt), target);
  settle(obligation, debt, settledSf);
  const opened = findOrOpenBorrow(obligation, target);
  opened.amountSf = addSf(opened.amountSf, movedSf);
  opened.lastBorrowedAt = clock.unixTimestamp;
  opened.atExpiration = 0n;
  countRollover(source, debt, target, opened, moved);
  checkOrdersSupported(obligation);
  for (const reserve of [source, target]) {
    updateLimitTimestamps(reserve, clock);
    reserve.lastUpdate.stale = true;
  }
  obligation.lastUpdate.stale = true;
  return { moved, index: obligation.borrows.indexOf(opened), terms };
}

function checkRolloverPossible(state: RolloverContext, debt: BorrowState): void {
  const { market, clock, obligation, source, target } = state;
  ensure(!obligation.inGroup, LENDING.rolloverNotSupportedInElevationGroup);
  ensure(!isStale(source.lastUpdate, clock, PRICE_STATUS.none), LENDING.reserveStale);
  ensure(!isStale(obligation.lastUpdate, clock, PRICE_STATUS.none), LENDING.obligationStale);
  checkBorrowPossible({ market, clock, obligation, reserve: target });
  const isSameFactor = target.config.borrowFactorPct === source.config.borrowFactorPct;
  ensure(isSameFactor, LENDING.obligationBorrowRolloverTargetReserveMismatch);
  const config = configOf(obligation, debt);
  checkRolloverTime(market, clock, rolloverMode(config, source, target), config, termEnd(source, debt));
  const existing = obligation.activeBorrows.find((each) => each.reserve === target.address);
  if (existing !== undefined && existing !== debt) checkMerge(obligation, source, debt, target, existing);
}

/** Two debts become one only under the same terms, and when the other one ends later. */
function checkMerge(
  obligation: ObligationState,
  source: ReserveState,
  debt: BorrowState,
  target: ReserveState,
  existing: BorrowState,
): void {
  const isSame = isSameRollover(configOf(obligation, debt), configOf(obligation, existing));
  ensure(isSame, LENDING.obligationBorrowRolloverConfigMismatch);
  const [end, endOfExisting] = [termEnd(source, debt), termEnd(target, existing)];
  // The program panics where neither debt has an end.
  if (end === null && endOfExisting === null) throw aborted();
  if (end === null || endOfExisting === null) return;
  ensure(endOfExisting > end, LENDING.obligationBorrowRolloverMustProlongDebtTerm);
}

/** Unix seconds; null without a term, or when the time of borrowing is unknown. */
function termEnd(
  { config: { debtTermSeconds } }: ReserveState,
  { lastBorrowedAt }: BorrowState,
): bigint | null {
  return debtTermSeconds === 0n || lastBorrowedAt === 0n ? null : lastBorrowedAt + debtTermSeconds;
}

/** Base units that the reserve lends outside elevation groups; fails with the limit that leaves nothing. */
function borrowable(reserve: ReserveState, { unixTimestamp }: Clock): bigint {
  const { borrowLimitOutsideElevationGroup, utilizationLimitBlockBorrowingAbovePct: pct } = reserve.config;
  const outside = borrowLimitOutsideElevationGroup - reserve.borrowedOutsideGroups;
  const supplySf = reserve.totalSupplySf;
  const belowUtilizationSf =
    pct === 0 ? supplySf : subSfToZero(subSfToZero(mulSf(supplySf, percentSf(pct)), reserve.borrowedSf), 1n);
  const limits = [
    [freelyAvailable(reserve), LENDING.insufficientLiquidity],
    [floorSf(remainingBorrowCapacitySf(reserve)), LENDING.borrowLimitExceeded],
    [outside > 0n ? outside : 0n, LENDING.elevationGroupBorrowLimitExceeded],
    [floorSf(belowUtilizationSf), LENDING.borrowingAboveUtilizationRateDisabled],
    [remainingOutflow(reserve.debtCap, unixTimestamp), LENDING.withdrawalCapReached],
  ] as const;
  for (const [amount, error] of limits) ensure(amount !== 0n, error);
  return limits.reduce((least, [amount]) => leastOf(least, amount), limits[0][0]);
}

/** Lessens the debt and removes it once it is zero. The obligation has a debt before and after, so its orders stay. */
function settle({ borrows }: ObligationState, debt: BorrowState, settledSf: bigint): void {
  debt.amountSf -= settledSf;
  if (debt.amountSf === 0n) borrows[borrows.indexOf(debt)] = null;
}

/** The counters of debt outside elevation groups, of both reserves and both debts. */
function countRollover(
  source: ReserveState,
  debt: BorrowState,
  target: ReserveState,
  opened: BorrowState,
  moved: bigint,
): void {
  const lessened = (total: bigint) => (total > moved ? total - moved : 0n);
  source.borrowedOutsideGroups = lessened(source.borrowedOutsideGroups);
  debt.outsideGroups = lessened(debt.outsideGroups);
  target.borrowedOutsideGroups += moved;
  opened.outsideGroups += moved;
}

/** Stored terms of a debt, as they were loaded. */
function configOf({ data }: ObligationState, { reserve }: BorrowState): RolloverConfig {
  const stored = data.borrows.find(({ borrowReserve }) => borrowReserve === reserve);
  if (stored === undefined) throw aborted();
  return stored.fixedTermBorrowRolloverConfig;
}

/** A debt without a term keeps its terms only for a later move to a fixed one. */
function termsAfter(config: RolloverConfig, { config: { debtTermSeconds } }: ReserveState): RolloverConfig {
  return debtTermSeconds !== 0n || config.migrationToFixedEnabled !== 0 ? config : NO_TERMS;
}

const NO_TERMS: RolloverConfig = {
  autoRolloverEnabled: 0,
  openTermAllowed: 0,
  migrationToFixedEnabled: 0,
  fixedTermRolloverWindowDurationDays: 0,
  maxBorrowRateBps: 0,
  minDebtTermSeconds: 0n,
};
