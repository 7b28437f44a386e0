import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { PricePoint } from '../../store/history/price-series.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { type RangeInput, resolveRange, viewTime } from '../request/time-range.ts';
import { type History, historyFrom, type Interval, type SeriesRequest, STEP_OF, sliceAsk } from './series.ts';
import { slicesOf } from './slices.ts';

const WHAT = 'Price history';
const DAY_MS = 86_400_000;

/** The last price of a token in one bucket. */
export type RecordedPrice = Pick<PricePoint, 'bucket' | 'sampledAt' | 'priceUsd'>;

/**
 * Recorded prices of a token. Without points for a token whose price was never recorded.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function priceHistory(
  platform: Platform,
  session: Session,
  mint: Address,
  { range: asked, resolution }: SeriesRequest,
): Promise<History<RecordedPrice>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, WHAT);
  const slice = await slices.price(sliceAsk(mint, range, resolution), ['bucket', 'sampledAt', 'priceUsd']);
  return historyFrom(slice, range, resolution, (point) => point);
}

/** A price with the time at which it was recorded. */
export type KnownPrice = { readonly [F in 'sampledAt' | 'priceUsd']: NonNullable<RecordedPrice[F]> };

/** A range with both ends: without a start, the day before its end. */
export function priceRange(
  view: View,
  { start, end }: RangeInput,
): { readonly start: Date; readonly end: Date } {
  const until = end ?? viewTime(view);
  return { start: start ?? new Date(until.getTime() - DAY_MS), end: until };
}

/**
 * The prices that were recorded from `start` to `end`, both inclusive: the last one of each bucket.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function pricesRecorded(
  platform: Platform,
  session: Session,
  mint: Address,
  { start, end }: { readonly start: Date; readonly end: Date },
  interval: Interval,
): Promise<readonly KnownPrice[]> {
  // The last price of a bucket may be recorded in the range although the bucket began before it.
  const width = STEP_OF[interval] * 1_000;
  const range = {
    start: new Date(Math.floor(start.getTime() / width) * width),
    end: new Date(end.getTime() + 1),
  };
  const { points } = await priceHistory(platform, session, mint, {
    range,
    resolution: { interval, maxPoints: null },
  });
  return points.flatMap(({ sampledAt, priceUsd }) =>
    priceUsd === null || sampledAt < start || sampledAt > end ? [] : [{ sampledAt, priceUsd }],
  );
}
