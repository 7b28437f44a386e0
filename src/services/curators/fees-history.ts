import { type EarnedFees, type FeeBucket, feeBuckets } from '../../domain/curator-fees.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import { type History, historyFrom, type Interval, STEP_OF, sameBuckets } from '../history/series.ts';
import { slicesOf } from '../history/slices.ts';
import type { Platform } from '../platform/platform.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { type RangeInput, resolveRange } from '../request/time-range.ts';
import type { Curator } from './curators.ts';

export type CuratorFeePoint = FeeBucket<VaultRecord>;
export type VaultFeesEarned = EarnedFees<VaultRecord>;

export interface FeesRequest {
  readonly range: RangeInput;
  readonly interval: Interval;
  /** The newest points; null for all. */
  readonly maxPoints: number | null;
}

const FIELDS = ['performanceFees', 'managementFees', 'tokenPriceUsd'] as const satisfies (keyof VaultPoint)[];

/**
 * Fees that the vaults of a curator charged, bucket by bucket.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function curatorFeesHistory(
  platform: Platform,
  session: Session,
  { vaults }: Curator,
  { range: asked, interval, maxPoints }: FeesRequest,
): Promise<History<CuratorFeePoint>> {
  const range = resolveRange(session.view, asked);
  const step = STEP_OF[interval];
  // The record before the first bucket is the state at its start.
  const start = new Date(Math.max(0, range.start.getTime() - step * 1_000));
  const slices = slicesOf(platform, session, 'Fees of a curator');
  const read = await Promise.all(
    vaults.map(({ address }) => {
      const ask = sameBuckets(address, { ...range, start }, interval);
      return slices.vault({ ...ask, newest: maxPoints === null ? null : maxPoints + 1 }, FIELDS);
    }),
  );
  const records = vaults.map((vault, i) => ({
    vault,
    createdAt: vault.value.creationTimestamp === 0n ? null : Number(vault.value.creationTimestamp) * 1_000,
    points: (read[i]?.points ?? []).map(({ bucket, performanceFees, managementFees, tokenPriceUsd }) => ({
      at: bucket.getTime(),
      performance: performanceFees,
      management: managementFees,
      tokenPriceUsd,
    })),
  }));
  const all = await session.work.run(feeBuckets(records, range.start.getTime()));
  const points = maxPoints === null ? all : all.slice(-maxPoints);
  const recorded = read.flatMap(({ since }) => since ?? []);
  const since = recorded.length === 0 ? null : new Date(Math.min(...recorded.map((each) => each.getTime())));
  const truncated = points.length < all.length || read.some((slice) => slice.truncated);
  return historyFrom(
    { step, since, points, total: all.length, truncated },
    range,
    { interval, maxPoints },
    (point) => point,
  );
}
