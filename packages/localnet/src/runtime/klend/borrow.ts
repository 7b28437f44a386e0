import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { borrowFactorSf } from './borrow-factor.ts';
import { type BorrowAsk, type BorrowSize, sizeBorrow } from './borrow-size.ts';
import { isTermOver } from './debt-term.ts';
import { elevationGroupOf, isGroupMember } from './elevation-group.ts';
import { addSf, ceilSf, divSf, mulSf, percentSf, wholeSf } from './fraction.ts';
import { countBorrow } from './group-limits.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import {
  checkGroupOnlyCollateral,
  checkMinimumValue,
  checkRefreshedWithDeposits,
} from './obligation-checks.ts';
import { checkOrdersSupported } from './obligation-orders.ts';
import type { BorrowState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { creditReferrer } from './referrer-fees.ts';
import { borrowFromReserve, marketValueSf, remainingBorrowCapacitySf } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';
import { addOutflow } from './withdrawal-cap.ts';

/** State that a borrow reads and changes. */
export interface BorrowContext {
  readonly market: LendingMarket;
  readonly clock: Clock;
  readonly obligation: ObligationState;
  readonly reserve: ReserveState;
  /** Where the referrer of the obligation earns fees; null without one. */
  readonly referrer: InstructionAccount | null;
  /** In a group: the reserves of the deposits, in their order. */
  readonly depositReserves: readonly InstructionAccount[];
}

/** Adds a debt to obligation and reserve, and leaves both stale. */
export function borrow(context: BorrowContext, ask: BorrowAsk): BorrowSize {
  const { market, clock, obligation, reserve, referrer } = context;
  const amount = ask === 'all' ? null : 'exact' in ask ? ask.exact : ask.atMost;
  ensure(amount !== 0n, LENDING.invalidAmount);
  checkBorrowPossible(context);
  const maxValueSf = obligation.remainingDebtValueSf;
  ensure(maxValueSf !== 0n, LENDING.borrowTooLarge);
  ensure(remainingBorrowCapacitySf(reserve) !== 0n, LENDING.borrowLimitExceeded);
  const factorSf = borrowFactorSf(reserve, obligation.inGroup);
  const referralFeeBps = referrer === null ? 0 : market.referralFeeBps;
  const size = sizeBorrow(reserve, { ask, maxValueSf, factorSf, referralFeeBps });
  const { debtSf, received, referrerFee } = size;
  const counted = ceilSf(debtSf);
  addOutflow(reserve.debtCap, counted, clock.unixTimestamp);
  ensure(received !== 0n, LENDING.borrowTooSmall);
  checkUtilization(reserve, debtSf);

  borrowFromReserve(reserve, debtSf);
  reserve.lastUpdate.stale = true;
  const debt = findOrOpenBorrow(obligation, reserve);
  const isOver = isTermOver(reserve, debt, clock.unixTimestamp);
  ensure(!isOver, LENDING.debtReachedReserveDebtTerm);
  debt.amountSf = addSf(debt.amountSf, debtSf);
  debt.lastBorrowedAt = clock.unixTimestamp;
  if (referrer !== null && market.referralFeeBps > 0) {
    creditReferrer(referrer, reserve, wholeSf(referrerFee));
    reserve.available += referrerFee;
  }
  checkOrdersSupported(obligation);
  obligation.hasDebt = true;
  obligation.lastUpdate.stale = true;
  const group = elevationGroupOf(market, obligation.elevationGroup);
  countBorrow(obligation, { borrow: debt, reserve }, group, counted, context.depositReserves);
  checkAfterBorrow(context, debt, debtSf, factorSf);
  return size;
}

/** Refuses every new debt of the obligation in a reserve, whatever its size. */
export function checkBorrowPossible({
  market,
  clock,
  obligation,
  reserve,
}: Pick<BorrowContext, 'market' | 'clock' | 'obligation' | 'reserve'>): void {
  ensure(market.borrowDisabled === 0, LENDING.borrowingDisabled);
  ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.all), LENDING.reserveStale);
  const { debtMaturityTimestamp } = reserve.config;
  const isMature = debtMaturityTimestamp !== 0n && clock.unixTimestamp >= debtMaturityTimestamp;
  ensure(!isMature, LENDING.reserveDebtMaturityReached);
  const isMarked = obligation.isMarkedForDeleveraging;
  ensure(!isMarked, LENDING.obligationCurrentlyMarkedForDeleveraging);
  const hasObsolete = obligation.obsoleteBorrows > 0 || obligation.obsoleteDeposits > 0;
  ensure(!hasObsolete, LENDING.obligationInObsoleteReserve);
  checkRefreshedWithDeposits(obligation, clock);
  const isMember = !obligation.inGroup || isGroupMember(reserve, { id: obligation.elevationGroup });
  ensure(isMember, LENDING.inconsistentElevationGroup);
  const group = elevationGroupOf(market, obligation.elevationGroup);
  ensure(group?.allowNewLoans !== 0, LENDING.elevationGroupNewLoansDisabled);
  checkGroupOnlyCollateral(obligation);
}

/** @param debtSf that is added */
export function checkUtilization(reserve: ReserveState, debtSf: bigint): void {
  const utilizationSf = divSf(addSf(reserve.borrowedSf, debtSf), reserve.totalSupplySf);
  const limitPct = reserve.config.utilizationLimitBlockBorrowingAbovePct;
  const isBelow = limitPct === 0 || utilizationSf < percentSf(limitPct);
  ensure(isBelow, LENDING.borrowingAboveUtilizationRateDisabled);
}

/** The debt in a reserve, opened in the first free place when there is none. */
export function findOrOpenBorrow({ borrows }: ObligationState, reserve: ReserveState): BorrowState {
  const known = borrows.find((each) => each?.reserve === reserve.address);
  if (known !== undefined && known !== null) return known;
  const free = borrows.indexOf(null);
  if (free < 0) throw customError(LENDING.obligationReserveLimit);
  const opened: BorrowState = {
    reserve: reserve.address,
    cumulativeBorrowRate: reserve.cumulativeBorrowRate,
    lastBorrowedAt: 0n,
    amountSf: 0n,
    valueSf: 0n,
    factoredValueSf: 0n,
    outsideGroups: 0n,
    atExpiration: 0n,
  };
  borrows[free] = opened;
  return opened;
}

/** Compares the position after the borrow with its limits; the obligation still holds the values of its refresh. */
function checkAfterBorrow(
  { market, obligation, reserve }: BorrowContext,
  debt: BorrowState,
  addedSf: bigint,
  factorSf: bigint,
): void {
  const valueSf = marketValueSf(reserve, addedSf);
  checkMinimumValue(market, addSf(debt.valueSf, valueSf));
  const factoredSf = addSf(obligation.factoredDebtValueSf, mulSf(valueSf, factorSf));
  const ltvSf = divSf(factoredSf, obligation.depositedValueSf);
  ensure(ltvSf <= obligation.unhealthyLoanToValueSf, LENDING.worseLtvThanUnhealthyLtv);
  const totalSf = addSf(obligation.debtValueSf, valueSf);
  ensure(totalSf < obligation.depositedValueSf, LENDING.liabilitiesBiggerThanAssets);
}
