import type { Address } from '@solana/kit';
import type { MarketPoint } from '../../store/history/market-series.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { type AskedRange, resolveRange } from './range.ts';
import { type History, historyFrom, sliceAsk, type Wish } from './series.ts';
import { slicesOf } from './slices.ts';

/** A bucket of a market: its last values. */
export type MarketHistoryPoint = MarketPoint;

/**
 * Points have the fields that are named, and refuse the others.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function marketHistory(
  platform: Platform,
  session: Session,
  market: Address,
  asked: AskedRange,
  wish: Wish,
  fields: readonly (keyof MarketPoint)[],
): Promise<History<MarketHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, 'The past of a market');
  const slice = await slices.market(sliceAsk(market, range, wish), fields);
  return historyFrom(slice, range, wish, (point) => point);
}
