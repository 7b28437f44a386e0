import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { positivePart } from './arithmetic.ts';
import { collateralToLiquidity, queuedLiquidity, remainingWithdrawalCap } from './reserve.ts';

/** How far the available liquidity goes in a withdraw queue. Amounts of liquidity are base units. */

/** The most that the available liquidity and the outflow cap of the reserve let the queue be paid now. */
export function payableQueue(reserve: AccruedReserve): Rational {
  const [cap, liquidity] = [outflowCap(reserve), queuedLiquidity(reserve).min(integer(reserve.available))];
  return cap === null ? liquidity : liquidity.min(cap);
}

/** What must still come in before the whole queue can be paid. */
export function missingForQueue(reserve: AccruedReserve): Rational {
  return positivePart(queuedLiquidity(reserve).sub(integer(reserve.available)));
}

/** A ticket in the queue, in base units of collateral tokens. */
export interface QueuedTicket {
  /** Queued by the tickets before it. */
  readonly ahead: bigint;
  readonly own: bigint;
}

/** What must still come in before a ticket and those before it can be paid. */
export function missingForTicket(reserve: AccruedReserve, { ahead, own }: QueuedTicket): Rational {
  return positivePart(collateralToLiquidity(reserve, ahead + own).sub(integer(reserve.available)));
}

/** Null when the reserve has none. */
const outflowCap = ({ account, at }: AccruedReserve): Rational | null =>
  remainingWithdrawalCap(account.config.depositWithdrawalCap, at.timestamp);
