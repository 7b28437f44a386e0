import type { Address } from '@solana/kit';
import type { Rational } from '../../numeric/rational.ts';
import { readRewardPoints } from '../../store/history/read-rewards.ts';
import { DAY, HOUR } from '../../store/history/steps.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { type AskedRange, resolveRange } from './range.ts';

export type RewardInterval = 'HOUR' | 'DAY';

/** What a campaign is on: a reserve, or a pair of them. Null is the side that it does not have. */
export interface CampaignPair {
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
}

/** A bucket of a campaign. */
export interface LendingRewardPoint extends CampaignPair {
  /** Start of the bucket. */
  readonly bucket: Date;
  readonly market: Address;
  readonly rewardMint: Address;
  readonly source: string;
  /** Mean over the bucket; null when a price or the value that it is paid on was unknown all along. */
  readonly apy: Rational | null;
  /** Last values, as is `activePositionsUsd`. */
  readonly tokensPerSecond: Rational;
  readonly activePositionsUsd: Rational | null;
}

/**
 * Campaigns on exactly this pair, ascending, within a bucket by reward. None for a pair without a side.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function lendingRewardHistory(
  platform: Platform,
  { view }: Session,
  pair: CampaignPair,
  asked: AskedRange,
  interval: RewardInterval,
): Promise<readonly LendingRewardPoint[]> {
  const { start, end } = resolveRange(view, asked);
  const db = platform.history.database('The past of rewards');
  if (pair.depositReserve === null && pair.borrowReserve === null) return [];
  const step = interval === 'DAY' ? DAY : HOUR;
  const [points = []] = await readRewardPoints(db, [pair], { start, end, step });
  return points;
}
