import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';

export const MarketHistoryQuery = z.object({ env, ...range });

const MarketTotals = z
  .strictObject({
    borrowTVL: decimalOut('Total borrowed over all reserves in USD, last value of the bucket.'),
    depositTVL: decimalOut('Total supplied over all reserves in USD, last value of the bucket.'),
    obligations: z
      .int()
      .min(0)
      .openapi({ description: 'Number of obligations. 0 when they were not counted.' }),
  })
  .openapi('MarketTotals');

export const MarketHistoryPoint = z
  .strictObject({
    market: addressOut('Address of the lending market.'),
    timestamp: dateOut('Start of the bucket.'),
    metrics: MarketTotals,
  })
  .openapi('MarketHistoryPoint');

export const LeverageMetrics = z
  .strictObject({
    avgLeverage: decimalOut('Mean leverage of the positions: deposits / net value.'),
    totalBorrowed: decimalOut('Sum of their debts to `borrowReserve`, in whole tokens.'),
    totalDeposited: decimalOut('Sum of their deposits in `depositReserve`, in whole tokens.'),
    totalBorrowedUsd: decimalOut('The debts in USD. "0" when a price was unknown.'),
    totalDepositedUsd: decimalOut('The deposits in USD. "0" when a price was unknown.'),
    totalObligations: integerOut('Number of positions.'),
    tvl: decimalOut(
      'Net value in USD: exactly `totalDepositedUsd` - `totalBorrowedUsd`. "0" when a price was unknown.',
    ),
    updatedOn: dateOut('Time of the scan. USD values use its prices.'),
    depositReserve: addressOut('Reserve that they deposit in.'),
    borrowReserve: addressOut('Reserve that they borrow from.'),
    tag: z.enum(['Multiply', 'Leverage']).openapi({ description: 'Purpose of the positions.' }),
  })
  .openapi('LeverageMetrics');
