import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { readRewardPoints } from '../../store/history/read-rewards.ts';
import { DAY, HOUR } from '../../store/history/time-buckets.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { type RangeInput, resolveRange } from '../request/time-range.ts';

export type RewardInterval = 'HOUR' | 'DAY';

/** The target of a campaign: one reserve or a pair. Null for the side that it does not have. */
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
  /** Mean over the bucket; null when the price or the earning value was unknown throughout. */
  readonly apy: Rational | null;
  /** Last value; so is `activePositionsUsd`. */
  readonly tokensPerSecond: Rational;
  readonly activePositionsUsd: Rational | null;
}

/**
 * Campaigns on exactly this pair, ascending by bucket, then by reward. Empty when both sides are null.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function lendingRewardHistory(
  platform: Platform,
  session: Session,
  pair: CampaignPair,
  asked: RangeInput,
  interval: RewardInterval,
): Promise<readonly LendingRewardPoint[]> {
  const { start, end } = resolveRange(session.view, asked);
  const db = platform.historyFor(session, 'Reward history', 'recorded');
  if (pair.depositReserve === null && pair.borrowReserve === null) return [];
  const step = interval === 'DAY' ? DAY : HOUR;
  const [points = []] = await readRewardPoints(db, [pair], { start, end, step });
  return points;
}
