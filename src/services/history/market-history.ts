import type { Address } from '@solana/kit';
import type { MarketPoint } from '../../store/history/market-series.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { resolveRange } from '../request/time-range.ts';
import { type History, historyFrom, type SeriesRequest, sliceAsk } from './series.ts';
import { slicesOf } from './slices.ts';

/** The last values of a market in one bucket. */
export type MarketHistoryPoint = MarketPoint;

/**
 * Points contain only the requested fields; reading another one throws.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function marketHistory(
  platform: Platform,
  session: Session,
  market: Address,
  { range: asked, resolution }: SeriesRequest,
  fields: readonly (keyof MarketPoint)[],
): Promise<History<MarketHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, 'Market history');
  const slice = await slices.market(sliceAsk(market, range, resolution), fields);
  return historyFrom(slice, range, resolution, (point) => point);
}
