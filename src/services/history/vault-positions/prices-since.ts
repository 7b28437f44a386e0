import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { recordedSince } from '../../../store/history/series-extent.ts';
import type { Database } from '../../../store/sql.ts';
import type { Platform } from '../../platform/platform.ts';
import { perSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';

const loaderOf = perSession(
  (_, db: Database) =>
    new DataLoader<Address, Date | null>(async (mints) => {
      const since = await recordedSince(db, 'price', mints);
      return mints.map((each) => since.get(each) ?? null);
    }),
);

/**
 * Start of a token's recorded prices; null when none was recorded. Batched per tick into one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function pricesSince(platform: Platform, session: Session, mint: Address): Promise<Date | null> {
  return loaderOf(session, platform.historyFor(session, 'Price history', 'recorded')).load(mint);
}
