import type { Address } from '@solana/kit';
import { type ActivityKey, activityKeyAt, readActivity } from '../../../store/transactions/read-activity.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import { readActivityCursor, writeActivityCursor } from './activity-cursor.ts';
import { activityEntries } from './activity-entries.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { type ActivityFilter, activityQuery } from './activity-filter.ts';
import { activityFingerprint, ensureAll } from './activity-page.ts';

/** A part of a wallet's activity that is read at once. */
export interface ActivityBatch {
  readonly items: readonly { readonly cursor: string; readonly item: ActivityEntry }[];
  /** Whether there are no more entries, or no more were asked for. */
  readonly isLast: boolean;
  /** Whether everything since the wallet's first transaction was read from the chain. */
  readonly complete: boolean;
  /** The session that it was read in. */
  readonly session: Session;
}

export interface ActivityExport {
  readonly wallet: Address;
  readonly filter: ActivityFilter;
  /** Only entries after this one. */
  readonly cursor?: string | undefined;
  /** Number of entries; undefined for all. */
  readonly limit?: number | undefined;
}

/** Runs a part of an export in a session of its own. */
export type InPart = <T>(run: (session: Session) => Promise<T>) => Promise<T>;

/** Batch size of the valuations, which read every token at every time. */
const BATCH_SIZE = 200;
/** Attempts to read all transactions from the chain before the first batch. */
const MAX_WAITS = 3;
const WHAT = 'Activity';

/**
 * A wallet's activity in batches, newest first, each read when the one before it was taken. Memory does not depend on the
 * length of the history.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function* activityBatches(
  platform: Platform,
  first: Session,
  inPart: InPart,
  { wallet, filter, cursor, limit }: ActivityExport,
): AsyncGenerator<ActivityBatch, void> {
  const fingerprint = activityFingerprint(wallet, filter);
  let after = readActivityCursor(cursor, fingerprint);
  let left = limit ?? Number.POSITIVE_INFINITY;
  // A transaction that is found later may belong into a batch that was taken already.
  const ensured = (session: Session) => ensureAll(platform, session, activityQuery(session, wallet, filter));
  let complete = await ensured(first);
  const isReady = complete;
  for (let waits = 1; !complete && waits < MAX_WAITS; waits += 1) complete = await inPart(ensured);
  const read = async (session: Session): Promise<ActivityBatch> => {
    const db = platform.historyFor(session, WHAT);
    const query = activityQuery(session, wallet, filter);
    const size = Math.min(left, BATCH_SIZE);
    const found = await readActivity(db, query, { order: 'newestFirst', limit: size + 1, after });
    const events = found.slice(0, size);
    const pause = session.work.step(events.length);
    if (pause !== null) await pause;
    const entries = await activityEntries(platform, session, events);
    left -= events.length;
    after = events.at(-1)?.key ?? after;
    return {
      items: entries.map((item) => ({ cursor: writeActivityCursor(item.key, fingerprint), item })),
      isLast: found.length <= size || left === 0,
      complete,
      session,
    };
  };
  for (let number = 0; ; number += 1) {
    const batch = number === 0 && isReady ? await read(first) : await inPart(read);
    yield batch;
    if (batch.isLast) return;
  }
}

/**
 * The cursor of the last entry of an export with a limit, if there are more entries after it; null if there are none.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function cursorAfter(
  platform: Platform,
  session: Session,
  { wallet, filter, cursor, limit }: ActivityExport & { readonly limit: number },
): Promise<string | null> {
  const db = platform.historyFor(session, WHAT);
  const fingerprint = activityFingerprint(wallet, filter);
  const after: ActivityKey | null = readActivityCursor(cursor, fingerprint);
  const query = activityQuery(session, wallet, filter);
  await ensureAll(platform, session, query);
  session.work.record('rows', limit);
  const last = await activityKeyAt(db, query, { order: 'newestFirst', limit, after });
  return last === null || last.isLast ? null : writeActivityCursor(last.key, fingerprint);
}
