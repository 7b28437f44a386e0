import { z } from '@hono/zod-openapi';
import type { BacktestLimit } from '../../services/history/backtest/limits.ts';
import type { UnknownGrowth } from '../../services/history/backtest/outcome.ts';
import { address, addressOut } from '../values/address.ts';
import { bodyRange, dateOut } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { u64 } from '../values/u64.ts';

const WEIGHTS = 'pass a list of objects with `reserve` and `weight`';

export const VaultBacktestBody = z
  .object(
    {
      weights: z
        .array(
          z
            .object({
              reserve: address('Address of a reserve that lends the token of the vault.'),
              weight: u64('Target weight, relative to the other reserves. With 0 it gets nothing.'),
            })
            .openapi('VaultWeight'),
          {
            error: ({ input }) =>
              input === undefined ? `is required: ${WEIGHTS}` : `must be a list: ${WEIGHTS}`,
          },
        )
        .openapi({
          description:
            'Weights of reserves, at most as many as a vault can have. A reserve that is not named gets nothing.',
        }),
      unallocatedWeight: u64('Weight of what stays idle. Defaults to that of the vault.').optional(),
      start: bodyRange.start.openapi({
        description: 'Start of the range, inclusive. Defaults to 30 days before its end.',
      }),
      end: bodyRange.end,
    },
    { error: 'must be a JSON object' },
  )
  .openapi('VaultBacktestBody');

const UNKNOWN = [
  'RESERVE_NOT_RECORDED',
  'TOO_FEW_RECORDS',
  'NOT_RECORDED_THEN',
  'NOTHING_COMPARED',
  'NO_SHARES',
] as const satisfies readonly UnknownGrowth[];
const LIMITS = [
  'OWN_SIZE',
  'CAPS',
  'REBALANCING',
  'REWARDS',
  'FEES',
] as const satisfies readonly BacktestLimit[];

const unknown = z.enum(UNKNOWN).optional().openapi({
  description:
    'Why the growth is unknown. Absent when it is known. RESERVE_NOT_RECORDED: a reserve with a weight has no record in the range. TOO_FEW_RECORDS: the reserves with a weight share fewer than two records. NOT_RECORDED_THEN: there is no record at one end of the compared period. NOTHING_COMPARED: the given weights have no result. NO_SHARES: the vault had no shares at one end.',
});

const Growth = z
  .strictObject({
    growth: decimalOut('Growth of one token over the compared period, as a fraction.'),
    apy: decimalOut('The same per year, compounded. Absent when nothing is left of the token.').optional(),
  })
  .openapi('BacktestGrowth');

const Gap = z
  .strictObject({
    from: dateOut('Start of the first missing bucket.'),
    to: dateOut('End of the last missing bucket.'),
    bridged: z.boolean().openapi({
      description:
        'True within the compared period: the growth over the gap is that between the rates recorded on both sides. False outside, where it counts for nothing.',
    }),
  })
  .openapi('RecordGap');

const ReserveOutcome = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    weight: integerOut('Its weight.'),
    share: decimalOut('Fraction of the vault.'),
    own: Growth.optional().openapi({
      description:
        'Growth of one token in this reserve alone, by its exchange rate. Absent when there is no record at one end of the compared period.',
    }),
    contribution: decimalOut(
      'Its part in the growth of the vault before fees. The parts add up to that growth. Absent when that is unknown.',
    ).optional(),
    recordedSince: dateOut(
      'Start of the first bucket ever recorded. Absent when nothing is recorded.',
    ).optional(),
    gaps: z.array(Gap).openapi({ description: 'Parts of the range without a record.' }),
  })
  .openapi('VaultBacktestReserve');

export const WeightsOutcome = z
  .strictObject({
    beforeFees: Growth.optional().openapi({ description: 'Before fees of the vault. Absent when unknown.' }),
    afterFees: Growth.optional().openapi({
      description: 'After the performance and management fee at their current rates. Absent when unknown.',
    }),
    unallocatedWeight: integerOut('Weight of what stays idle.'),
    unallocatedShare: decimalOut('Fraction of the vault that stays idle.'),
    reserves: z.array(ReserveOutcome).openapi({ description: 'The named reserves, in their order.' }),
    unknown,
    unknownReserve: addressOut('The first reserve that lacks a record, where that is why.').optional(),
  })
  .openapi('VaultBacktestOutcome');

export const VaultBacktestAnswer = z
  .strictObject({
    from: dateOut('Start of the compared period. Absent when nothing can be compared.').optional(),
    to: dateOut('End of the compared period. Absent when nothing can be compared.').optional(),
    frequency: z.enum(['hour', 'day']).openapi({ description: 'Width of the buckets that were read.' }),
    given: WeightsOutcome,
    current: WeightsOutcome,
    recorded: z
      .strictObject({
        growth: Growth.optional().openapi({
          description: 'Growth of tokens per share, after the fees that were charged. Absent when unknown.',
        }),
        tokensPerShareFrom: decimalOut(
          'Value of one share in whole tokens at the start. Absent when it is not recorded.',
        ).optional(),
        tokensPerShareTo: decimalOut('The same at the end.').optional(),
        unknown,
      })
      .openapi('VaultBacktestRecorded'),
    limits: z
      .array(
        z
          .strictObject({
            code: z.enum(LIMITS).openapi({ description: 'Name of the limit.' }),
            message: z.string().openapi({ description: 'What is left out or supposed instead.' }),
          })
          .openapi('VaultBacktestLimit'),
      )
      .openapi({ description: 'What the result cannot know.' }),
  })
  .openapi('VaultBacktest');
