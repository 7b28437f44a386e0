import type { z } from '@hono/zod-openapi';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
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
import type { BorrowOrder, UserBorrowOrder } from './schemas.ts';

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
/** The same in the list of a user's obligations: an object without an order too, and zeros of two digits. */
export function userBorrowOrderAnswer(placed: PlacedBorrowOrder | null): AnswerOf<typeof UserBorrowOrder> {
  const order = placed?.order;
  return {
    debtLiquidityMint: order?.debtLiquidityMint ?? NO_ADDRESS,
    remainingDebtAmount: twoDigits(order?.remainingDebtAmount),
    filledDebtDestination: order?.filledDebtDestination ?? NO_ADDRESS,
    minDebtTermSeconds: twoDigits(order?.minDebtTermSeconds),
    fillableUntilTimestamp: twoDigits(order?.fillableUntilTimestamp),
    placedAtTimestamp: twoDigits(order?.placedAtTimestamp),
    lastUpdatedAtTimestamp: twoDigits(order?.lastUpdatedAtTimestamp),
    requestedDebtAmount: twoDigits(order?.requestedDebtAmount),
    maxBorrowRateBps: order?.maxBorrowRateBps ?? 0,
    enableAutoRolloverOnFilledBorrows: order !== undefined && order.enableAutoRolloverOnFilledBorrows !== 0,
  };
}

const twoDigits = (amount = 0n) => (amount === 0n ? '00' : String(amount));

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
