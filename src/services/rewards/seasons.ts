import type { Rational } from '@sluice/protocol/numeric/rational';
import { ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Allocation, BenchmarkRate, Season, StakingBoost } from '../../config/catalogue/seasons.ts';
import type { Platform } from '../platform/platform.ts';
import type { RangeInput } from '../request/time-range.ts';

export type { Allocation, BenchmarkRate, Season, StakingBoost } from '../../config/catalogue/seasons.ts';

/** Everything here is from the operator's seasons file: none of it is on the chain. */
type Imported = Pick<Platform, 'catalogue' | 'seasons'>;

/** Points source of the current season: that of the catalogue, or else of the last season of the file. Null without both. */
export function currentSource({ catalogue, seasons: { seasons } }: Imported): string | null {
  return catalogue.currentSource ?? seasons.at(-1)?.source ?? null;
}

/** An imported season, by default the current one. Null when it was not imported. */
export function seasonOf(imported: Imported, source: string | null | undefined): Season | null {
  const wanted = source ?? currentSource(imported);
  return imported.seasons.seasons.find((each) => each.source === wanted) ?? null;
}

/** Totals of the airdrop of a season. */
export interface AirdropTotals {
  readonly totalAllocation: Rational;
  /** Number of wallets with an allocation. */
  readonly wallets: number;
  readonly claimsFrom: Date;
}

/** Null for a season without a date for claims. */
export function airdropOf({ totalAllocation, allocations, claimsFrom }: Season): AirdropTotals | null {
  return claimsFrom && { totalAllocation, wallets: allocations.size, claimsFrom };
}

/** The reward of a wallet in a season. */
export interface SeasonReward {
  /** Null when no season, or one without rewards, was imported; so is `rewardToken` without a season. */
  readonly amount: Rational | null;
  readonly rewardToken: Address | null;
}

export function seasonRewardOf(season: Season | null, wallet: Address): SeasonReward {
  if (season === null) return { amount: null, rewardToken: null };
  const { rewards, rewardToken } = season;
  return { amount: rewards.size === 0 ? null : (rewards.get(wallet) ?? ZERO), rewardToken };
}

export const allocationsOf = (season: Season | null, wallet: Address): readonly Allocation[] =>
  season?.allocations.get(wallet) ?? [];

export const stakingBoostsOf = (season: Season | null, wallet: Address): readonly StakingBoost[] =>
  season?.boosts.get(wallet) ?? [];

export type RateInterval = 'HOUR' | 'DAY';

/** A rate with its place among all imported ones. */
export interface IndexedRate extends BenchmarkRate {
  readonly index: number;
}

/** Imported rates of a range, ascending. By day, the last one of each UTC day. */
export function benchmarkRates(
  { seasons }: Imported,
  { start, end }: RangeInput,
  interval: RateInterval,
): readonly IndexedRate[] {
  const inRange = seasons.benchmarkRates
    .map((rate, index) => ({ ...rate, index }))
    .filter(({ hour }) => (!start || hour >= start) && (!end || hour < end));
  return interval === 'HOUR'
    ? inRange
    : inRange.filter((rate, i) => {
        const next = inRange[i + 1];
        return next === undefined || dayOf(next) !== dayOf(rate);
      });
}

const dayOf = ({ hour }: BenchmarkRate) => hour.toISOString().slice(0, 10);
