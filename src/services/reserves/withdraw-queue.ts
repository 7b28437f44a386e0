import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import { missingForQueue, payableQueue } from '../../domain/queue-liquidity.ts';
import { queuedLiquidity } from '../../domain/reserve.ts';
import {
  cancellationBlock,
  issuanceBlock,
  paymentBlock,
  type QueueBlock,
} from '../../domain/withdraw-queue.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { available, reserveAmount, wholeCollateral } from './reserves.ts';

/** MARKET_UNKNOWN: the market cannot be read. */
export type WithdrawQueueBlock = QueueBlock | 'MARKET_UNKNOWN';

/** The withdraw queue of a reserve. */
export interface WithdrawQueue {
  /** Whole collateral tokens of all tickets. */
  readonly collateral: Rational;
  readonly amount: TokenAmount;
  /** Tickets whose turn is not over, cancelled ones included. */
  readonly tickets: bigint;
  /** The most of `amount` that can be paid now. Nothing while payments are blocked. */
  readonly payable: TokenAmount;
  /** Liquidity that must still come in before all of it can be paid. */
  readonly missing: TokenAmount;
  /** Liquidity beyond the queue. */
  readonly free: TokenAmount;
  /** Least value of a ticket in whole USD; null when the market cannot be read. */
  readonly minTicketUsd: Rational | null;
  /** Null: allowed. So are the others. */
  readonly issuanceBlock: WithdrawQueueBlock | null;
  readonly paymentBlock: WithdrawQueueBlock | null;
  readonly cancellationBlock: WithdrawQueueBlock | null;
}

export function withdrawQueue(view: View, reserve: ReserveRecord): WithdrawQueue {
  const { queuedCollateralAmount, nextIssuedTicketSequenceNumber, nextWithdrawableTicketSequenceNumber } =
    reserve.value.withdrawQueue;
  const accrued = Valuation.of(view).accrued(reserve);
  const market = view.get('market', reserve.value.lendingMarket)?.value;
  const amountOf = (baseUnits: Rational) => reserveAmount(view, reserve, baseUnits);
  const blocked = paymentBlockOf(view, reserve);
  return {
    collateral: wholeCollateral(view, reserve, queuedCollateralAmount),
    amount: amountOf(queuedLiquidity(accrued)),
    tickets: atLeastZero(nextIssuedTicketSequenceNumber - nextWithdrawableTicketSequenceNumber),
    payable: amountOf(blocked === null ? payableQueue(accrued) : ZERO),
    missing: amountOf(missingForQueue(accrued)),
    free: available(view, reserve),
    minTicketUsd: market === undefined ? null : integer(market.minWithdrawQueuedLiquidityValue),
    issuanceBlock: market === undefined ? 'MARKET_UNKNOWN' : issuanceBlock(market, reserve.value),
    paymentBlock: blocked,
    cancellationBlock: market === undefined ? 'MARKET_UNKNOWN' : cancellationBlock(market, reserve.value),
  };
}

/** Why no ticket of the reserve is paid now; null when they are. */
export function paymentBlockOf(view: View, { value }: ReserveRecord): WithdrawQueueBlock | null {
  const market = view.get('market', value.lendingMarket)?.value;
  return market === undefined ? 'MARKET_UNKNOWN' : paymentBlock(market, value);
}
