import type { View } from '../../chain/view/view.ts';
import type { RecordedLiquidity } from '../../domain/vault-outflow.ts';
import { readSlices } from '../../store/history/read-slices.ts';
import { RESERVE_SERIES } from '../../store/history/reserve-series.ts';
import { bucketOf, HOUR } from '../../store/history/time-buckets.ts';
import type { Database } from '../../store/sql.ts';
import { byAddress, factPerView } from '../platform/fact-per-view.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { PERIOD_MS, viewTime } from '../request/time-range.ts';
import { sameBuckets } from './series.ts';

/** A record that ends earlier says nothing about the present. */
const OLDEST_END_HOURS = 3;
/** A week before the last hour needs the hour before it too. */
const WINDOW_HOURS = PERIOD_MS.D7 / (HOUR * 1_000) + OLDEST_END_HOURS + 1;

const loaderOf = factPerView<ReserveRecord, readonly RecordedLiquidity[]>({
  what: 'The liquidity of a reserve',
  keyOf: byAddress,
  read: readLiquidity,
});

async function readLiquidity(
  db: Database,
  view: View,
  reserves: readonly ReserveRecord[],
): Promise<(readonly RecordedLiquidity[])[]> {
  const now = viewTime(view);
  // The hour that has just begun is not over.
  const end = bucketOf(now, HOUR);
  const start = new Date(end.getTime() - WINDOW_HOURS * HOUR * 1_000);
  const asks = reserves.map(({ address }) => sameBuckets(address, { start, end, open: false }, 'HOUR'));
  const slices = await readSlices(db, RESERVE_SERIES, asks, ['totalLiquidity']);
  return slices.map(({ points }) => {
    const last = points.at(-1);
    if (last === undefined || now.getTime() - last.bucket.getTime() > OLDEST_END_HOURS * HOUR * 1_000)
      return [];
    return points.map(({ bucket, totalLiquidity }) => ({
      start: BigInt(bucket.getTime() / 1_000),
      free: totalLiquidity,
    }));
  });
}

/**
 * Free liquidity of a reserve, the mean of each whole hour of about a week. Empty when nothing recent is recorded.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
 */
export async function recordedLiquidity(
  platform: Platform,
  session: Session,
  reserve: ReserveRecord,
): Promise<readonly RecordedLiquidity[]> {
  session.work.draw('rows', WINDOW_HOURS);
  return await loaderOf(platform, session).load(reserve);
}
