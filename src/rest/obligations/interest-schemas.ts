import { z } from '@hono/zod-openapi';
import { range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';
import { programId } from '../values/program-id.ts';

export const ObligationInterestQuery = z.object({ env, programId, ...range });

const ts = z.int().openapi({ description: 'Start of the UTC day in milliseconds since the Unix epoch.' });

const DayFees = z
  .strictObject({
    ts,
    solFees: decimalOut('Interest of the day in SOL, at the prices at its end.'),
    usdFees: decimalOut('Interest of the day in USD, at the price at its end.'),
    nativeFees: decimalOut('Interest of the day in whole tokens.'),
  })
  .openapi('DayFees');

const TotalFees = z
  .strictObject({
    ts: z.int().openapi({
      description: 'Start of the newest of the days in milliseconds since the Unix epoch.',
    }),
    solFees: decimalOut('Sum of the days in SOL, each at its own prices.'),
    usdFees: decimalOut('Sum of the days in USD, each at its own price.'),
  })
  .openapi('TotalFees');

const totals = (what: string) =>
  z.record(z.string(), TotalFees).openapi({ description: `${what}, by mint.` });

const historicalFeesObligation = z.record(z.string(), z.array(z.record(z.string(), DayFees))).openapi({
  description:
    'By mint, one object per UTC day with a position in the token, in ascending order. Its only key is the start of the day, ISO 8601. A day with an unknown rate or price is omitted.',
});

export const ObligationInterestEarned = z
  .strictObject({
    totalFeesEarnedObligation: totals('Interest earned on deposits'),
    historicalFeesObligation,
  })
  .openapi('ObligationInterestEarned');

export const ObligationInterestPaid = z
  .strictObject({
    totalFeesPaidObligation: totals('Interest that accrued on debts'),
    historicalFeesObligation,
  })
  .openapi('ObligationInterestPaid');
