import type { Address } from '@solana/kit';
import { z } from 'zod';
import { exact, instant } from '../deployment/fields.ts';
import type { SourcePoint } from './subjects.ts';

const MAX_OBLIGATIONS = 2_147_483_647;

export const marketHistory = (market: Address) =>
  z.array(
    z
      .object({
        market: z.literal(market),
        timestamp: instant,
        metrics: z.object({
          depositTVL: exact,
          borrowTVL: exact,
          obligations: z.int().min(0).max(MAX_OBLIGATIONS),
        }),
      })
      .transform(
        ({ timestamp, metrics: { depositTVL, borrowTVL, obligations } }): SourcePoint => ({
          bucket: timestamp,
          sample: {
            markets: [
              {
                market,
                depositUsd: depositTVL,
                borrowUsd: borrowTVL,
                // Debt needs obligations: 0 means that they were not counted.
                obligations: obligations === 0 && !borrowTVL.isZero ? null : obligations,
              },
            ],
          },
          reserveYields: [],
        }),
      ),
  );
