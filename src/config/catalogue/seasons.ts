import { type Rational, sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { invalid, issueText, readOperatorFile, repeated } from './operator-file.ts';
import { type BenchmarkRate, type SeasonEntry, type SeasonsInput, seasonsFile } from './seasons-format.ts';

export type { BenchmarkRate } from './seasons-format.ts';

/** A part of an airdrop that is allocated to a wallet. */
export type Allocation = Pick<SeasonEntry['allocations'][number], 'name' | 'quantity'>;

/** A factor by which a stake of a wallet multiplies its rewards. */
export type StakingBoost = Pick<SeasonEntry['boosts'][number], 'name' | 'boost' | 'farm'>;

/** What an operator has imported about one season of rewards. Amounts are whole reward tokens. */
export interface Season
  extends Pick<SeasonEntry, 'source' | 'rewardToken' | 'claimsFrom' | 'forfeitedRewards'> {
  readonly allocations: ReadonlyMap<Address, readonly Allocation[]>;
  readonly totalAllocation: Rational;
  readonly boosts: ReadonlyMap<Address, readonly StakingBoost[]>;
  /** Empty when no rewards were imported: a wallet without an entry has an unknown reward then, otherwise none. */
  readonly rewards: ReadonlyMap<Address, Rational>;
  /** By wallet and vault. */
  readonly earnedInVaults: ReadonlyMap<Address, ReadonlyMap<Address, Rational>>;
}

/** Facts that are on no chain and that only an operator can know. Complete and validated. */
export interface Seasons {
  /** Oldest first, as in the file. */
  readonly seasons: readonly Season[];
  /** Ascending. */
  readonly benchmarkRates: readonly BenchmarkRate[];
}

/** A season of a quarter of a million wallets has about 30 MB. */
const MAX_FILE_BYTES = 128_000_000;

const KIND = 'file of seasons';

/** Reads a seasons file. One with any error is rejected as a whole. @throws CATALOGUE_INVALID */
export async function readSeasons(path: string, maxBytes = MAX_FILE_BYTES): Promise<Seasons> {
  const content = await readOperatorFile(path, { kind: KIND, maxBytes });
  return parseSeasons(content as SeasonsInput, path);
}

/** Validates seasons: their shape, and that nothing is listed twice. @throws CATALOGUE_INVALID */
export function parseSeasons(content: SeasonsInput, origin: string): Seasons {
  const parsed = seasonsFile.safeParse(content);
  if (!parsed.success) throw invalid(origin, parsed.error.issues.map(issueText), KIND);
  const { seasons, benchmarkRates } = parsed.data;
  const problems = [
    ...repeated(
      'seasons',
      'source',
      seasons.map(({ source }) => source),
    ),
    ...seasons.flatMap(({ rewards, vaultRewards }, i) => [
      ...repeated(
        `seasons[${i}].rewards`,
        'wallet',
        rewards.map(({ wallet }) => wallet),
      ),
      ...repeated(
        `seasons[${i}].vaultRewards`,
        'vault',
        vaultRewards.map(({ wallet, vault }) => `${wallet} ${vault}`),
      ),
    ]),
    ...benchmarkRates.flatMap(({ hour }, i) => {
      const before = benchmarkRates[i - 1]?.hour;
      return before !== undefined && hour <= before
        ? [`benchmarkRates[${i}].hour: must be after benchmarkRates[${i - 1}].hour`]
        : [];
    }),
  ];
  if (problems.length > 0) throw invalid(origin, problems, KIND);
  return { seasons: seasons.map(seasonOf), benchmarkRates };
}

function seasonOf({ allocations, boosts, rewards, vaultRewards, ...facts }: SeasonEntry): Season {
  const earned = byWallet(vaultRewards);
  return {
    ...facts,
    allocations: byWallet(allocations),
    totalAllocation: sum(allocations.map(({ quantity }) => quantity)),
    boosts: byWallet(boosts),
    rewards: new Map(rewards.map(({ wallet, amount }) => [wallet, amount])),
    earnedInVaults: new Map(
      [...earned].map(([wallet, entries]) => [
        wallet,
        new Map(entries.map(({ vault, tokensEarned }) => [vault, tokensEarned])),
      ]),
    ),
  };
}

function byWallet<T extends { readonly wallet: Address }>(entries: readonly T[]): Map<Address, T[]> {
  const lists = new Map<Address, T[]>();
  for (const entry of entries) {
    const known = lists.get(entry.wallet);
    if (known === undefined) lists.set(entry.wallet, [entry]);
    else known.push(entry);
  }
  return lists;
}
