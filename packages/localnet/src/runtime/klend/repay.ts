import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { borrowFactorSf } from './borrow-factor.ts';
import { collectPenalty, earlyRepayPenalty } from './early-repay.ts';
import { ceilSf, divSf, leastOf, mulSf, subSf, wholeSf } from './fraction.ts';
import { countRepayment } from './group-limits.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { checkMinimumValue } from './obligation-checks.ts';
import { checkOrdersSupported } from './obligation-orders.ts';
import type { BorrowState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { marketValueSf, repayToReserve } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';
import { subtractInflow } from './withdrawal-cap.ts';

/** State that a repayment reads and changes. */
export interface RepayContext {
  readonly market: LendingMarket;
  readonly clock: Clock;
  readonly obligation: ObligationState;
  readonly reserve: ReserveState;
  /** In a group: the reserves of the deposits, in their order. */
  readonly depositReserves: readonly InstructionAccount[];
}

/**
 * Settles up to `amount` base units of debt, all of it for the maximum u64, and leaves obligation and reserve stale. Returns
 * the base units to pay: the settled debt, rounded up, and the penalty of an early repayment.
 */
export function repay(context: RepayContext, amount: bigint): bigint {
  const { clock, obligation, reserve } = context;
  ensure(amount !== 0n, LENDING.invalidAmount);
  const debt = findBorrow(obligation, reserve);
  ensure(debt.amountSf !== 0n, LENDING.obligationLiquidityEmpty);
  ensure(!isStale(reserve.lastUpdate, clock, PRICE_STATUS.none), LENDING.reserveStale);
  ensure(!isStale(obligation.lastUpdate, clock, PRICE_STATUS.none), LENDING.obligationStale);

  const settledSf = amount === U64_MAX ? debt.amountSf : leastOf(wholeSf(amount), debt.amountSf);
  const paid = ceilSf(settledSf);
  ensure(paid !== 0n, LENDING.repayTooSmall);
  const penalty = earlyRepayPenalty(reserve, debt, settledSf, clock.unixTimestamp);
  subtractInflow(reserve.debtCap, paid, clock.unixTimestamp);
  countRepayment(obligation, debt, reserve, paid, context.depositReserves);
  repayToReserve(reserve, paid, settledSf);
  collectPenalty(reserve, penalty);
  reserve.lastUpdate.stale = true;

  const isClosed = settleDebt(obligation, debt, settledSf);
  checkOrdersSupported(obligation);
  checkAfterRepay(context, isClosed ? 0n : debt.valueSf, settledSf);
  return paid + penalty;
}

/** Lessens a debt and removes it once it is zero, with the orders after the last one. Returns whether it was removed. */
export function settleDebt(obligation: ObligationState, debt: BorrowState, settledSf: bigint): boolean {
  const isClosed = settledSf === debt.amountSf;
  debt.amountSf -= settledSf;
  if (isClosed) obligation.borrows[obligation.borrows.indexOf(debt)] = null;
  obligation.hasDebt = obligation.activeBorrows.length > 0;
  if (!obligation.hasDebt) obligation.hasOrders = false;
  obligation.lastUpdate.stale = true;
  return isClosed;
}

/** The debt in this reserve. */
export function findBorrow(obligation: ObligationState, { address }: ReserveState): BorrowState {
  const { activeBorrows } = obligation;
  ensure(activeBorrows.length > 0, LENDING.obligationBorrowsEmpty);
  const found = activeBorrows.find((each) => each.reserve === address);
  if (found === undefined) throw customError(LENDING.invalidObligationLiquidity);
  return found;
}

/** `debtValueSf` is the value of the debt at the refresh, 0 once it is closed. */
function checkAfterRepay(
  { market, obligation, reserve }: RepayContext,
  debtValueSf: bigint,
  settledSf: bigint,
): void {
  const valueSf = marketValueSf(reserve, settledSf);
  const factoredSf = mulSf(valueSf, borrowFactorSf(reserve, obligation.inGroup));
  const leftSf = subSf(obligation.factoredDebtValueSf, factoredSf);
  if (debtValueSf !== 0n) checkMinimumValue(market, subSf(debtValueSf, valueSf));
  if (obligation.depositedValueSf === 0n) return;
  const ltvSf = divSf(leftSf, obligation.depositedValueSf);
  ensure(ltvSf <= obligation.loanToValueSf, LENDING.worseLtvBlocked);
}
