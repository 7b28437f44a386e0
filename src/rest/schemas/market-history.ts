import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';
import { dateOut, range } from './date.ts';
import { decimalOut, integerOut } from './decimal.ts';
import { env } from './env.ts';

export const MarketHistoryQuery = z.object({ env, ...range });

export const MarketHistoryPoint = z
  .strictObject({
    market: addressOut('The lending market.'),
    timestamp: dateOut('Start of the bucket.'),
    metrics: z.strictObject({
      borrowTVL: decimalOut('USD borrowed over all reserves, last value; "0" when a price was unknown.'),
      depositTVL: decimalOut('USD supplied over all reserves, last value; "0" when a price was unknown.'),
      obligations: z
        .int()
        .min(0)
        .openapi({ description: 'How many obligations there were; 0 when they had not been counted.' }),
    }),
  })
  .openapi('MarketHistoryPoint');

export const LeverageMetrics = z
  .strictObject({
    avgLeverage: decimalOut('Mean of deposits / net value over the positions.'),
    totalBorrowed: decimalOut('All their debts to `borrowReserve`, whole tokens.'),
    totalDeposited: decimalOut('All their deposits in `depositReserve`, whole tokens.'),
    totalBorrowedUsd: decimalOut('The debts in USD; "0" when a price was unknown.'),
    totalDepositedUsd: decimalOut('The deposits in USD; "0" when a price was unknown.'),
    totalObligations: integerOut('How many positions.'),
    tvl: decimalOut('`totalDepositedUsd` - `totalBorrowedUsd`, exactly; "0" when a price was unknown.'),
    updatedOn: dateOut('When the market was scanned; at the prices of then.'),
    depositReserve: addressOut('Reserve that they supply to.'),
    borrowReserve: addressOut('Reserve that they borrow from.'),
    tag: z.enum(['Multiply', 'Leverage']).openapi({ description: 'What the positions are for.' }),
  })
  .openapi('LeverageMetrics');
