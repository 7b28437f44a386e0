import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { valueScaled } from './refreshed-obligation.ts';
import { collateralToLiquidity, liquidityToCollateral, remainingWithdrawalCap } from './reserve.ts';

/** Tickets whose turn is not over, cancelled ones included. */
export function ticketsWaiting({ withdrawQueue }: Pick<Reserve, 'withdrawQueue'>): bigint {
  const { nextIssuedTicketSequenceNumber, nextWithdrawableTicketSequenceNumber } = withdrawQueue;
  return atLeastZero(nextIssuedTicketSequenceNumber - nextWithdrawableTicketSequenceNumber);
}

/** Number of the ticket whose turn it is; null while none waits. */
export function headTicket(reserve: Pick<Reserve, 'withdrawQueue'>): bigint | null {
  return ticketsWaiting(reserve) === 0n ? null : reserve.withdrawQueue.nextWithdrawableTicketSequenceNumber;
}

/** Tickets whose turn comes before that of a number, cancelled ones included. Null once its turn is over. */
export function ticketsBefore(
  { withdrawQueue }: Pick<Reserve, 'withdrawQueue'>,
  number: bigint,
): bigint | null {
  const ahead = number - withdrawQueue.nextWithdrawableTicketSequenceNumber;
  return ahead < 0n ? null : ahead;
}

/** Collateral tokens that an amount of the available liquidity could redeem. Base units. */
function redeemableCollateral(accrued: AccruedReserve, available: bigint): bigint {
  const exact = liquidityToCollateral(accrued, integer(available));
  const up = exact.ceil();
  return collateralToLiquidity(accrued, up).floor() <= available ? up : exact.floor();
}

/** A reserve after its refresh, with the terms of its market and the price that values of tickets follow from. */
export interface QueueState {
  readonly accrued: AccruedReserve;
  readonly market: Pick<LendingMarket, 'minWithdrawQueuedLiquidityValue'>;
  /** USD per whole token in units of 2^-60: the price in the reserve, which no action of the queue renews. */
  readonly priceSf: bigint;
}

/** Whole base units that collateral tokens are worth. */
export const collateralWorth = (accrued: AccruedReserve, collateral: bigint): bigint =>
  collateralToLiquidity(accrued, collateral).floor();

/** Whether collateral tokens are worth enough for a ticket. */
export const isWorthTicket = (state: QueueState, collateral: bigint): boolean =>
  isWorthMinimum(state, collateralWorth(state.accrued, collateral));

/** The minimum is in whole USD; equal is enough. */
function isWorthMinimum({ accrued, market, priceSf }: QueueState, liquidity: bigint): boolean {
  const valueSf = valueScaled(accrued.account, liquidity * FRACTION_ONE, priceSf);
  return valueSf >= market.minWithdrawQueuedLiquidityValue * FRACTION_ONE;
}

/** Why the program refuses to pay the ticket at the head of the queue. */
export type PaymentRefusal = 'NO_LIQUIDITY' | 'REST_TOO_SMALL' | 'OUTFLOW_CAP' | 'PAYMENT_TOO_SMALL';

/** The payment of a ticket. Base units. */
export interface TicketPayment {
  /** Collateral tokens to burn. */
  readonly burned: bigint;
  readonly liquidity: bigint;
  /** Collateral tokens that stay in the ticket. */
  readonly left: bigint;
  /** The first reason for which the program refuses it; null when it pays. */
  readonly refusal: PaymentRefusal | null;
}

/**
 * Redeems as much of a ticket as the available liquidity can pay, even if the program would refuse that.
 *
 * @param ahead collateral tokens in the tickets before it, which are paid first
 */
export function ticketPayment(state: QueueState, collateral: bigint, ahead = 0n): TicketPayment {
  const { accrued } = state;
  const before = collateralWorth(accrued, ahead);
  const redeemable = redeemableCollateral(accrued, atLeastZero(accrued.available - before));
  const burned = lesser(collateral, redeemable);
  const payment = { burned, liquidity: collateralWorth(accrued, burned), left: collateral - burned };
  return { ...payment, refusal: paymentRefusal(state, payment, before) };
}

function paymentRefusal(
  state: QueueState,
  { burned, liquidity, left }: Omit<TicketPayment, 'refusal'>,
  before: bigint,
): PaymentRefusal | null {
  const { account, at } = state.accrued;
  if (burned === 0n) return 'NO_LIQUIDITY';
  if (left !== 0n && !isWorthTicket(state, left)) return 'REST_TOO_SMALL';
  const cap = remainingWithdrawalCap(account.config.depositWithdrawalCap, at.timestamp);
  if (cap !== null && cap.compare(integer(before + liquidity)) < 0) return 'OUTFLOW_CAP';
  return left !== 0n && !isWorthMinimum(state, liquidity) ? 'PAYMENT_TOO_SMALL' : null;
}
