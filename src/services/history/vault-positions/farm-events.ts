import type { Database } from '../../../store/sql.ts';
import type { EventPage } from '../../../store/transactions/event-order.ts';
import type { AnyFarmEvent, FarmEventScope } from '../../../store/transactions/read-farm-events.ts';
import { fingerprintOf, type Page, type PageRequest } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Enough,
  ensureIngested,
  ensureIngestedUntil,
  isPageKnown,
} from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { eventWindow, readEventCursor, writeEventCursor } from '../transaction-cursor.ts';
import { type FarmTransaction, farmTransactionsOf } from './farm-values.ts';

/** A list of events that farms have. */
export interface FarmEventList<E extends AnyFarmEvent> {
  /** Its name in errors, and part of its cursors. */
  readonly what: string;
  readonly scope: FarmEventScope;
  read(db: Database, page: EventPage): Promise<E[]>;
}

/** A page of a list. */
export interface FarmEventPage<E extends AnyFarmEvent> extends Page<FarmTransaction<E>> {
  /** Whether everything since the first transaction was read from the chain. */
  readonly complete: boolean;
}

/**
 * A page, newest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID, NUMBER_OUT_OF_RANGE
 */
export async function farmEventPage<E extends AnyFarmEvent>(
  platform: Platform,
  session: Session,
  list: FarmEventList<E>,
  request: PageRequest,
): Promise<FarmEventPage<E>> {
  const db = platform.historyFor(session, list.what);
  const print = fingerprint(list, 'desc');
  const window = eventWindow(request, print);
  const read = () => list.read(db, window.page);
  const { complete } = await ensureScope(
    platform,
    session,
    list.scope,
    window.backwards ? undefined : (known) => isPageKnown(known, window.page.limit, read),
  );
  const { items, ...more } = window.cut(await read());
  const transactions = await farmTransactionsOf(platform, session, items);
  return {
    items: transactions.map((item) => ({ cursor: writeEventCursor(item.event, print), item })),
    ...more,
    totalCount: null,
    complete,
  };
}

/** A page in either order. */
export interface FarmListRequest {
  readonly sort: 'asc' | 'desc';
  readonly limit: number;
  /** The cursor of the last item of the page before. */
  readonly after?: string | undefined;
}

/** Items of a page in either order, and the cursor of the next one; null on the last. */
export interface FarmListPage<E extends AnyFarmEvent> {
  readonly items: readonly FarmTransaction<E>[];
  readonly next: string | null;
}

/**
 * The same in either order, for pages that are read forwards only. Oldest first needs all transactions to be read.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID
 */
export async function farmEventList<E extends AnyFarmEvent>(
  platform: Platform,
  session: Session,
  list: FarmEventList<E>,
  { sort, limit, after }: FarmListRequest,
): Promise<FarmListPage<E>> {
  const db = platform.historyFor(session, list.what);
  const print = fingerprint(list, sort);
  const page = {
    order: sort === 'asc' ? 'oldestFirst' : 'newestFirst',
    limit: limit + 1,
    after: readEventCursor(after, print),
  } as const;
  const read = () => list.read(db, page);
  const enough = (known: Parameters<Enough>[0]) => isPageKnown(known, page.limit, read);
  await ensureScope(platform, session, list.scope, sort === 'desc' ? enough : undefined);
  const found = await read();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: await farmTransactionsOf(platform, session, shown),
    next: found.length > limit && last !== undefined ? writeEventCursor(last, print) : null,
  };
}

const fingerprint = ({ what, scope }: FarmEventList<AnyFarmEvent>, sort: 'asc' | 'desc') =>
  fingerprintOf([what, scope, sort]);

/** Ingests all transactions of the scope, or until `enough`. */
function ensureScope(platform: Platform, session: Session, scope: FarmEventScope, enough?: Enough) {
  const [address, kind] =
    scope.farm === undefined ? ([scope.wallet, 'walletFarms'] as const) : ([scope.farm, 'farm'] as const);
  return enough === undefined
    ? ensureIngested(platform, session, address, kind)
    : ensureIngestedUntil(platform, session, address, kind, enough);
}
