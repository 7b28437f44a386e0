import type { PlacedBorrowOrder } from '../../services/obligations/obligations.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import type { BorrowOrder } from './schemas.ts';

/** A borrow order, with the field names of the program. */
export function borrowOrderAnswer({ order }: PlacedBorrowOrder): AnswerOf<typeof BorrowOrder> {
  return {
    debtLiquidityMint: order.debtLiquidityMint,
    remainingDebtAmount: String(order.remainingDebtAmount),
    filledDebtDestination: order.filledDebtDestination,
    minDebtTermSeconds: String(order.minDebtTermSeconds),
    fillableUntilTimestamp: String(order.fillableUntilTimestamp),
    placedAtTimestamp: String(order.placedAtTimestamp),
    lastUpdatedAtTimestamp: String(order.lastUpdatedAtTimestamp),
    requestedDebtAmount: String(order.requestedDebtAmount),
    maxBorrowRateBps: order.maxBorrowRateBps,
    active: order.active,
    enableAutoRolloverOnFilledBorrows: order.enableAutoRolloverOnFilledBorrows,
  };
}
