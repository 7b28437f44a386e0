import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import { balanceOf } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Clock } from '../program.ts';
import { collateralToLiquidity, exchangeRateOf } from './exchange-rate.ts';
import { leastOf, unsigned64, wholeSf } from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import {
  marketValueSf,
  redeemableCollateral,
  redeemCollateral,
  withdrawQueued,
} from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

/** Arithmetic of a reserve's withdraw queue: its counters, the least value of a ticket, and payments. */

/** Puts collateral tokens at the end of the queue. Returns the number of their ticket. */
export function enqueue(market: LendingMarket, reserve: ReserveState, collateral: bigint): bigint {
  ensure(collateral !== 0n, LENDING.invalidAmount);
  checkTicketValue(market, reserve, collateral);
  const { queue } = reserve;
  queue.collateral = unsigned64(queue.collateral + collateral);
  const number = queue.nextIssued;
  queue.nextIssued = unsigned64(number + 1n);
  return number;
}

/** Takes collateral tokens of a ticket out of the queue. */
export function dequeue({ queue }: ReserveState, collateral: bigint, isTurnOver: boolean): void {
  queue.collateral = unsigned64(queue.collateral - collateral);
  if (isTurnOver) queue.nextPaid = unsigned64(queue.nextPaid + 1n);
}

export interface TicketPayment {
  /** Collateral tokens to burn. */
  readonly burned: bigint;
  /** Base units to pay for them. */
  readonly liquidity: bigint;
  /** Collateral tokens that stay in the ticket. */
  readonly left: bigint;
}

/** Redeems as much of the ticket at the head of the queue as the reserve can pay for, and leaves the reserve stale. */
export function payTicket(
  market: LendingMarket,
  reserve: ReserveState,
  collateral: bigint,
  clock: Clock,
): TicketPayment {
  const redeemable = redeemableCollateral(reserve);
  ensure(redeemable !== 0n, LENDING.insufficientLiquidity);
  const burned = leastOf(collateral, redeemable);
  const left = collateral - burned;
  if (left !== 0n) checkTicketValue(market, reserve, left);
  const liquidity = redeemCollateral(reserve, clock, burned, withdrawQueued);
  if (left !== 0n) {
    const isWorthwhile = isWorthMinimum(market, reserve, liquidity);
    ensure(isWorthwhile, LENDING.withdrawQueuedLiquidityValueTooSmall);
  }
  dequeue(reserve, burned, left === 0n);
  return { burned, liquidity, left };
}

/** Takes up to `requested` collateral tokens out of a ticket of `collateral`. Returns how many. */
export function cancel(
  market: LendingMarket,
  reserve: ReserveState,
  collateral: bigint,
  requested: bigint,
): bigint {
  ensure(requested !== 0n, LENDING.invalidAmount);
  const returned = leastOf(requested, collateral);
  const left = collateral - returned;
  if (left !== 0n) checkTicketValue(market, reserve, left);
  dequeue(reserve, returned, false);
  return returned;
}

function checkTicketValue(market: LendingMarket, reserve: ReserveState, collateral: bigint): void {
  const liquidity = collateralToLiquidity(exchangeRateOf(reserve), collateral);
  ensure(isWorthMinimum(market, reserve, liquidity), LENDING.withdrawTicketValueTooSmall);
}

/** The market's minimum is in whole USD. */
function isWorthMinimum(market: LendingMarket, reserve: ReserveState, liquidity: bigint): boolean {
  return marketValueSf(reserve, wholeSf(liquidity)) >= wholeSf(market.minWithdrawQueuedLiquidityValue);
}

/**
 * Remembers the balance of an owner's vault of queued collateral tokens. The returned check compares it with the queue's
 * after a transfer; `moved` is the amount that entered, negative for one that left.
 */
export function watchQueue(vault: InstructionAccount, { queue }: ReserveState): (moved: bigint) => void {
  const [balance, queued] = [balanceOf(vault), queue.collateral];
  return (moved) => {
    const [newBalance, newQueued] = [balanceOf(vault), queue.collateral];
    ensure(newBalance - newQueued === balance - queued, LENDING.reserveTokenBalanceMismatch);
    ensure(newBalance === balance + moved, LENDING.reserveVaultBalanceMismatch);
    ensure(newQueued === queued + moved, LENDING.reserveAccountingMismatch);
  };
}

/**
 * Remembers the balances of an owner's vault and of the account that gets collateral tokens back. The returned check
 * compares them after the transfer.
 */
export function watchReturn(
  vault: InstructionAccount,
  destination: InstructionAccount,
): (returned: bigint) => void {
  const [held, received] = [balanceOf(vault), balanceOf(destination)];
  return (returned) => {
    ensure(balanceOf(vault) === held - returned, LENDING.reserveVaultBalanceMismatch);
    ensure(balanceOf(destination) === received + returned, LENDING.userTokenBalanceMismatch);
  };
}
