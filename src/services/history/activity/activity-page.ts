import type { Address } from '@solana/kit';
import type { ActivityQuery } from '../../../store/transactions/activity-sources.ts';
import { type ActivityPage as PageToRead, readActivity } from '../../../store/transactions/read-activity.ts';
import { fingerprintOf, isBackwards, type Page, type PageRequest, pageSize } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Enough,
  ensureIngested,
  ensureIngestedUntil,
  isPageKnown,
} from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { readActivityCursor, writeActivityCursor } from './activity-cursor.ts';
import { activityEntries } from './activity-entries.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { type ActivityFilter, activityQuery } from './activity-filter.ts';

/** A page of a wallet's activity, newest first. */
export interface WalletActivity extends Page<ActivityEntry> {
  /** Whether everything since the wallet's first transaction was read from the chain. */
  readonly complete: boolean;
}

const WHAT = 'Activity';

/** Identifies a wallet and filter in cursors. Absent and null conditions are the same. */
export const activityFingerprint = (
  wallet: Address,
  { kinds, products, vaults, markets, tokens, range }: ActivityFilter,
): string =>
  fingerprintOf([
    WHAT,
    wallet,
    ...[kinds, products, vaults, markets, tokens, range?.start, range?.end].map((each) => each ?? null),
  ]);

/**
 * A page of everything that a wallet did in vaults, lending, farms and withdraw queues. Nothing is repeated or missed when transactions
 * arrive between two pages.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID, NUMBER_OUT_OF_RANGE
 */
export async function activityPage(
  platform: Platform,
  session: Session,
  wallet: Address,
  filter: ActivityFilter,
  request: PageRequest,
): Promise<WalletActivity> {
  const db = platform.historyFor(session, WHAT);
  const fingerprint = activityFingerprint(wallet, filter);
  const after = readActivityCursor(request.after, fingerprint);
  const before = readActivityCursor(request.before, fingerprint);
  const size = pageSize(request);
  const backwards = isBackwards(request);
  const query = activityQuery(session, wallet, filter);
  const page: PageToRead = backwards
    ? { order: 'oldestFirst', limit: size + 1, after: before, before: after }
    : { order: 'newestFirst', limit: size + 1, after, before };
  const read = () => readActivity(db, query, page);
  const keys = async () => (await read()).map(({ key }) => key);
  const complete = await ensureAll(
    platform,
    session,
    query,
    backwards ? undefined : (known) => isPageKnown(known, page.limit, keys),
  );
  const found = await read();
  const cut = found.slice(0, size);
  const entries = await activityEntries(platform, session, backwards ? cut.reverse() : cut);
  const more = found.length > size;
  return {
    items: entries.map((item) => ({ cursor: writeActivityCursor(item.key, fingerprint), item })),
    hasNextPage: backwards ? before !== null : more || before !== null,
    hasPreviousPage: backwards ? more || after !== null : after !== null,
    totalCount: null,
    complete,
  };
}

/** Ingests the transactions of every product that the query reads, or until `enough`; whether all are known. */
export async function ensureAll(
  platform: Platform,
  session: Session,
  { wallet, vault, lending, farm, queue }: ActivityQuery,
  enough?: Enough,
): Promise<boolean> {
  const kinds = [
    ...(vault === null ? [] : (['walletVaults'] as const)),
    ...(lending === null ? [] : (['walletLending'] as const)),
    ...(farm === null ? [] : (['walletFarms'] as const)),
    ...(queue === null ? [] : (['walletQueue'] as const)),
  ];
  const statuses = await Promise.all(
    kinds.map((kind) =>
      enough === undefined
        ? ensureIngested(platform, session, wallet, kind)
        : ensureIngestedUntil(platform, session, wallet, kind, enough),
    ),
  );
  return statuses.every(({ complete }) => complete);
}
