import type { z } from '@hono/zod-openapi';
import {
  describedBorrowOrder,
  fillableNow,
  isExpired,
  type PlacedBorrowOrder,
  reservesOfOrder,
} from '../../services/obligations/borrow-orders.ts';
import type { Session } from '../../services/request/session.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { borrowOrderOutlook } from './borrow-order-schemas.ts';
import type { BorrowOrder } from './schemas.ts';

/** A borrow order without its flags, with the field names of the program. */
export function borrowOrderTerms({ order }: Pick<PlacedBorrowOrder, 'order'>) {
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
  };
}

export const borrowOrderAnswer = (
  placed: Pick<PlacedBorrowOrder, 'order'>,
): AnswerOf<typeof BorrowOrder> => ({
  ...borrowOrderTerms(placed),
  active: placed.order.active,
  enableAutoRolloverOnFilledBorrows: placed.order.enableAutoRolloverOnFilledBorrows,
});

/** The order in words, and the reserves that can fill it. */
export function borrowOrderOutlookAnswer(
  session: Pick<Session, 'view'>,
  placed: PlacedBorrowOrder,
): AnswerOf<z.ZodObject<typeof borrowOrderOutlook>> {
  const { view } = session;
  return {
    description: describedBorrowOrder(view, placed),
    isExpired: isExpired(view, placed),
    reserves: reservesOfOrder(view, placed).map((each) => {
      const fillable = fillableNow(session, each);
      return {
        reserve: each.reserve.address,
        maxBorrowRateBps: each.maxBorrowRateBps,
        misfit: each.misfit,
        fillableAmount: fillable && decimal(fillable.amount),
      };
    }),
  };
}
