import type { PlacedBorrowOrder } from '../../../services/obligations/obligations.ts';
import { builder } from '../../builder.ts';

export const BorrowOrderRef = builder.objectRef<PlacedBorrowOrder>('BorrowOrder').implement({
  description:
    'An order of an obligation to borrow a token on given terms, as stored in the account. Anyone may fill it from a reserve that meets them. Amounts are in base units, times in Unix seconds.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Place of the order in the obligation, 0 to 2.' }),
    debtMint: t.field({
      type: 'Address',
      description: 'Mint of the token to borrow.',
      resolve: ({ order }) => order.debtLiquidityMint,
    }),
    requestedAmount: t.field({
      type: 'U64',
      description: 'Amount that was requested, in base units.',
      resolve: ({ order }) => order.requestedDebtAmount,
    }),
    remainingAmount: t.field({
      type: 'U64',
      description: 'Amount that is still to be borrowed, in base units.',
      resolve: ({ order }) => order.remainingDebtAmount,
    }),
    destination: t.field({
      type: 'Address',
      description: 'Token account that receives the borrowed tokens.',
      resolve: ({ order }) => order.filledDebtDestination,
    }),
    maxBorrowRateBps: t.field({
      type: 'U64',
      description: 'Maximum borrow rate, in basis points per year.',
      resolve: ({ order }) => BigInt(order.maxBorrowRateBps),
    }),
    minTermSeconds: t.field({
      type: 'U64',
      description: 'Minimum term of the debt, in seconds. "0" for any term.',
      resolve: ({ order }) => order.minDebtTermSeconds,
    }),
    fillableUntil: t.field({
      type: 'U64',
      description: 'Time until which the order can be filled, in Unix seconds.',
      resolve: ({ order }) => order.fillableUntilTimestamp,
    }),
    placedAt: t.field({
      type: 'U64',
      description: 'Time when the order was placed, in Unix seconds.',
      resolve: ({ order }) => order.placedAtTimestamp,
    }),
    updatedAt: t.field({
      type: 'U64',
      description: 'Time when the order was last changed, in Unix seconds.',
      resolve: ({ order }) => order.lastUpdatedAtTimestamp,
    }),
    active: t.boolean({
      description: 'Whether the order is marked as open.',
      resolve: ({ order }) => order.active !== 0,
    }),
    autoRollover: t.boolean({
      description: 'Whether the filled debt rolls over at the end of its term.',
      resolve: ({ order }) => order.enableAutoRolloverOnFilledBorrows !== 0,
    }),
  }),
});
