import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Allocation, BenchmarkRate, Season, StakingBoost } from '../../config/catalogue/seasons.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { bucketOf, DAY } from '../../store/history/time-buckets.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { type RangeInput, resolveRange } from '../request/time-range.ts';

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

/** Most rates of one answer: two years of hours. */
export const MAX_RATES = 20_000;

/**
 * Imported rates of a range, ascending. By day, the last one of each UTC day.
 *
 * @throws BAD_REQUEST for more than `MAX_RATES`
 */
export async function benchmarkRates(
  { seasons }: Imported,
  { view, work }: Pick<Session, 'view' | 'work'>,
  asked: RangeInput,
  interval: RateInterval,
): Promise<readonly IndexedRate[]> {
  const { start, end } = resolveRange(view, asked);
  const inRange = seasons.benchmarkRates
    .map((rate, index) => ({ ...rate, index }))
    .filter(({ hour }) => hour >= start && hour < end);
  const rates =
    interval === 'HOUR' ? inRange : inRange.filter((rate, i) => isLastOfDay(rate, inRange[i + 1]));
  if (rates.length > MAX_RATES) {
    const reason = `The range has more than ${MAX_RATES} rates. Request a shorter range, or days.`;
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  const pause = work.step(rates.length);
  if (pause !== null) await pause;
  return rates;
}

const isLastOfDay = ({ hour }: BenchmarkRate, next: BenchmarkRate | undefined): boolean =>
  next === undefined || bucketOf(next.hour, DAY) > bucketOf(hour, DAY);
