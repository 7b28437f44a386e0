import type { BorrowOrder } from '../../services/obligations.ts';
import { builder } from '../builder.ts';

export const BorrowOrderRef = builder.objectRef<BorrowOrder>('BorrowOrder').implement({
  description:
    'An order of an obligation to borrow a token on given terms, as stored in the account. Anyone may fill it from a reserve that meets them. Amounts are in base units, times in Unix seconds.',
  fields: (t) => ({
    debtMint: t.expose('debtLiquidityMint', {
      type: 'Address',
      nullable: false,
      description: 'Mint of the token to borrow.',
    }),
    requestedAmount: t.expose('requestedDebtAmount', {
      type: 'U64',
      nullable: false,
      description: 'Amount that was requested, in base units.',
    }),
    remainingAmount: t.expose('remainingDebtAmount', {
      type: 'U64',
      nullable: false,
      description: 'Amount that is still to be borrowed, in base units.',
    }),
    destination: t.expose('filledDebtDestination', {
      type: 'Address',
      nullable: false,
      description: 'Token account that receives the borrowed tokens.',
    }),
    maxBorrowRateBps: t.field({
      type: 'U64',
      nullable: false,
      description: 'Maximum borrow rate, in basis points per year.',
      resolve: ({ maxBorrowRateBps }) => BigInt(maxBorrowRateBps),
    }),
    minTermSeconds: t.expose('minDebtTermSeconds', {
      type: 'U64',
      nullable: false,
      description: 'Minimum term of the debt, in seconds. "0" for any term.',
    }),
    fillableUntil: t.expose('fillableUntilTimestamp', {
      type: 'U64',
      nullable: false,
      description: 'Time until which the order can be filled, in Unix seconds.',
    }),
    placedAt: t.expose('placedAtTimestamp', {
      type: 'U64',
      nullable: false,
      description: 'Time when the order was placed, in Unix seconds.',
    }),
    updatedAt: t.expose('lastUpdatedAtTimestamp', {
      type: 'U64',
      nullable: false,
      description: 'Time when the order was last changed, in Unix seconds.',
    }),
    active: t.boolean({
      nullable: false,
      description: 'Whether the order is marked as open.',
      resolve: ({ active }) => active !== 0,
    }),
    autoRollover: t.boolean({
      nullable: false,
      description: 'Whether the filled debt rolls over at the end of its term.',
      resolve: ({ enableAutoRolloverOnFilledBorrows }) => enableAutoRolloverOnFilledBorrows !== 0,
    }),
  }),
});
