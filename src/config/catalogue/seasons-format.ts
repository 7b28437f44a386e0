import { z } from 'zod';
import { address, decimal, moment } from './format.ts';

/** The format of the seasons file. `docs/seasons.md` documents each field. */

/** Most entries of a list of wallets. */
const MOST_ENTRIES = 1_000_000;
/** More than eleven years of hours. */
const MOST_RATES = 100_000;

const HOUR_MS = 3_600_000;

const label = z.string().min(1).max(100);

const listOf = <S extends z.ZodType>(item: S) => z.array(item).max(MOST_ENTRIES).default([]);

const season = z.strictObject({
  source: label,
  rewardToken: address,
  /** Null while no date is set. A season without one has no airdrop metrics. */
  claimsFrom: moment.nullable().default(null),
  forfeitedRewards: decimal.nullable().default(null),
  allocations: listOf(z.strictObject({ wallet: address, name: label, quantity: decimal })),
  boosts: listOf(
    z.strictObject({ wallet: address, name: label, boost: decimal, farm: address.nullable().default(null) }),
  ),
  rewards: listOf(z.strictObject({ wallet: address, amount: decimal })),
  vaultRewards: listOf(z.strictObject({ wallet: address, vault: address, tokensEarned: decimal })),
});

const benchmarkRate = z.strictObject({
  hour: moment.refine((time) => time.getTime() % HOUR_MS === 0, 'must be the start of an hour'),
  averageRate: z.number(),
  trackedSupplyUsd: z.number().min(0),
  elements: z.int().min(0),
  includedProtocols: z.int().min(0),
});

export const seasonsFile = z.strictObject({
  version: z.literal(1),
  seasons: z.array(season).max(100).default([]),
  benchmarkRates: z.array(benchmarkRate).max(MOST_RATES).default([]),
});

/** The content of a file before defaults are applied. */
export type SeasonsInput = z.input<typeof seasonsFile>;
export type SeasonEntry = z.output<typeof season>;
export type BenchmarkRate = z.output<typeof benchmarkRate>;
