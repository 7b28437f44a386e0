import { z } from '@hono/zod-openapi';
import { BORROW_ORDER_MISFITS } from '../../services/obligations/borrow-orders.ts';
import { address, addressOut } from '../values/address.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';
import { nextToken, paginationToken } from '../values/pagination.ts';
import { programId } from '../values/program-id.ts';
import { onceInteger } from '../values/query-values.ts';
import { BorrowOrder } from './schemas.ts';

const MAX_LIMIT = 100;

export const BorrowOrdersParams = z.object({ pubkey: address('Address of the lending market.') });

export const BorrowOrdersQuery = z.object({
  mint: address('Mint of the token to borrow. Defaults to all tokens.').optional(),
  limit: onceInteger(1, MAX_LIMIT, MAX_LIMIT, 'Orders per page.'),
  paginationToken: paginationToken(),
});

const BorrowOrderReserve = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    maxBorrowRateBps: z.int().min(0).openapi({
      description:
        'Highest rate of its curve, in basis points per year: what the program compares with the maximum of the order.',
    }),
    misfit: z.enum(BORROW_ORDER_MISFITS).nullable().openapi({
      description:
        'Why the order does not accept its terms; null when it does. RATE_TOO_HIGH: the highest rate is above the maximum. HAS_TERM: its debts end, and the order names no minimum term. TERM_TOO_SHORT: they end before that.',
    }),
    fillableAmount: decimalOut(
      'What a fill from it would pay to the owner of the order now, in whole tokens. 0 when the program refuses it. Null when a value is unknown.',
    ).nullable(),
  })
  .openapi('BorrowOrderReserve');

/** What an order says, and who can fill it. */
export const borrowOrderOutlook = {
  description: z.string().openapi({
    description: 'The order in one sentence: amount, rate, term and deadline.',
  }),
  isExpired: z.boolean().openapi({
    description: 'Whether its time is over. The next refresh of the obligation removes it.',
  }),
  reserves: z.array(BorrowOrderReserve).openapi({
    description: 'Reserves of the market that lend the token, by address.',
  }),
};

const MarketBorrowOrder = z
  .strictObject({
    obligation: addressOut('Address of the obligation that owes what is borrowed.'),
    owner: addressOut('Wallet that owns the obligation.'),
    index: z.int().min(0).max(2).openapi({ description: 'Place of the order in the obligation.' }),
    ...BorrowOrder.shape,
    ...borrowOrderOutlook,
  })
  .openapi('MarketBorrowOrder');

export const MarketBorrowOrders = z
  .strictObject({
    market: addressOut('Address of the lending market.'),
    orders: z
      .array(MarketBorrowOrder)
      .openapi({ description: 'Orders that can still be filled, by address of the obligation and index.' }),
    paginationToken: nextToken(),
  })
  .openapi('MarketBorrowOrders');

export const OpenBorrowOrdersQuery = z.object({ env, programId });

const OrderDeposit = z
  .strictObject({
    depositReserve: addressOut('Address of the reserve.'),
    depositedAmount: integerOut('Collateral tokens of the reserve, in base units, as stored in the account.'),
  })
  .openapi('OrderDeposit');

const OpenBorrowOrder = z
  .strictObject({
    obligationPubkey: addressOut('Address of the obligation that owes what is borrowed.'),
    owner: addressOut('Wallet that owns the obligation.'),
    deposits: z.array(OrderDeposit).openapi({ description: 'Deposits, in the order of the account.' }),
    ...BorrowOrder.omit({ active: true, enableAutoRolloverOnFilledBorrows: true }).shape,
  })
  .openapi('OpenBorrowOrder');

export const OpenBorrowOrders = z
  .strictObject({
    obligations: z.array(OpenBorrowOrder).openapi({
      description:
        'One entry per order, by address of the obligation. An obligation with several orders has as many entries.',
    }),
  })
  .openapi('OpenBorrowOrders');
