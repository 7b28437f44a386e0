import {
  type BorrowOrderMisfit,
  type BorrowOrderReserve,
  borrowOrderId,
  describedBorrowOrder,
  fillableNow,
  isExpired,
  openBorrowOrders,
  type PlacedBorrowOrder,
  remainingAmount,
  reservesOfOrder,
} from '../../../services/obligations/borrow-orders.ts';
import { paginateLive } from '../../../services/paging/paging.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { MarketRef, ObligationRef } from '../../node-refs.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const MisfitRef = builder.enumType('BorrowOrderMisfit', {
  description: 'Why a borrow order does not accept the terms of a reserve.',
  values: {
    RATE_TOO_HIGH: {
      description:
        'The highest rate of its curve is above the maximum of the order, whatever it charges now.',
    },
    HAS_TERM: {
      description: 'Its debts have a term or a maturity, and the order names no minimum term.',
    },
    TERM_TOO_SHORT: { description: 'Its debts end before the minimum term of the order.' },
  } as const satisfies Record<BorrowOrderMisfit, object>,
});

const BorrowOrderReserveRef = builder.objectRef<BorrowOrderReserve>('BorrowOrderReserve').implement({
  description: 'A reserve that lends the token of a borrow order, compared with the terms of the order.',
  fields: (t) => ({
    ...reserveFields(t, ({ reserve }) => reserve.address),
    maxBorrowRateBps: t.field({
      type: 'U64',
      description:
        'Highest rate of its curve, in basis points per year: what the program compares with the maximum of the order.',
      resolve: ({ maxBorrowRateBps }) => BigInt(maxBorrowRateBps),
    }),
    misfit: t.expose('misfit', {
      type: MisfitRef,
      nullable: true,
      description: 'Why the order does not accept its terms. Null when it does.',
    }),
    fillable: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'What a fill from it would pay to the owner of the order now. 0 when the program refuses it. Null when a value is unknown.',
      resolve: (reserve, _args, { session }) => fillableNow(session, reserve),
    }),
  }),
});

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
      description:
        'Maximum borrow rate, in basis points per year. Compared with the highest rate of a reserve, not with its present one.',
      resolve: ({ order }) => BigInt(order.maxBorrowRateBps),
    }),
    minTermSeconds: t.field({
      type: 'U64',
      description: 'Minimum term of the debt, in seconds. "0" accepts only debts without a term.',
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
    obligation: t.field({
      type: ObligationRef,
      description: 'The obligation that owes what is borrowed.',
      resolve: ({ record }) => record,
    }),
    description: t.string({
      description: 'One sentence with amount, rate, term and deadline.',
      resolve: (order, _args, { session }) => describedBorrowOrder(session.view, order),
    }),
    remaining: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Amount that is still to be borrowed. Null when the token is not known.',
      resolve: (order, _args, { session }) => remainingAmount(session.view, order),
    }),
    isExpired: t.boolean({
      description:
        'Whether its time is over. Nobody can fill it then; the next refresh of the obligation removes it.',
      resolve: (order, _args, { session }) => isExpired(session.view, order),
    }),
    reserves: t.field({
      type: [BorrowOrderReserveRef],
      description: 'Reserves of the market that lend the token, by address: who can fill the order now.',
      resolve: (order, _args, { session }) => reservesOfOrder(session.view, order),
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

const BorrowOrderConnection = connectionOf('BorrowOrder', BorrowOrderRef);

builder.objectFields(MarketRef, (t) => ({
  borrowOrders: t.field({
    type: BorrowOrderConnection,
    nullable: true,
    description:
      'Borrow orders of obligations in the market that can still be filled, read from the chain and ordered by obligation and index. Expired ones are left out. Null, with an error, when they cannot be read.',
    args: {
      mint: t.arg({ type: 'Address', description: 'Orders for this token only. Defaults to all tokens.' }),
      ...pageArgs(t.arg),
    },
    resolve: ({ address }, { mint, ...page }, { session, warnings }, info) =>
      paginateLive(
        {
          key: ['market.borrowOrders', address, mint ?? null],
          read: async () => {
            const { orders, unreadable } = await openBorrowOrders(session, address, mint ?? null);
            warnings.leftOut(info, unreadable);
            return orders;
          },
          idOf: borrowOrderId,
        },
        page,
      ),
  }),
}));
