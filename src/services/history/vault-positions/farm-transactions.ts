import { type FarmEventScope, readFarmEvents } from '../../../store/transactions/read-farm-events.ts';
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

export type { FarmTransaction } from './farm-values.ts';

/** A page of farm transactions. */
export interface FarmTransactionPage extends Page<FarmTransaction> {
  /** Whether everything since the first transaction was read from the chain. */
  readonly complete: boolean;
}

const WHAT = 'Farm transactions';

const fingerprint = (scope: FarmEventScope, sort: 'asc' | 'desc') => fingerprintOf([WHAT, scope, sort]);

/**
 * A page of the transactions of a wallet in all farms, or of a farm with all wallets, newest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID, NUMBER_OUT_OF_RANGE
 */
export async function farmTransactionPage(
  platform: Platform,
  session: Session,
  scope: FarmEventScope,
  request: PageRequest,
): Promise<FarmTransactionPage> {
  const db = platform.historyFor(session, WHAT);
  const print = fingerprint(scope, 'desc');
  const window = eventWindow(request, print);
  const read = () => readFarmEvents(db, scope, window.page);
  const { complete } = await ensureScope(
    platform,
    session,
    scope,
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

/**
 * The same in either order, for pages that are read forwards only. Oldest first needs all transactions to be read.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID
 */
export async function farmTransactionList(
  platform: Platform,
  session: Session,
  scope: FarmEventScope,
  { sort, limit, after }: FarmListRequest,
): Promise<{ readonly items: readonly FarmTransaction[]; readonly next: string | null }> {
  const db = platform.historyFor(session, WHAT);
  const print = fingerprint(scope, sort);
  const page = {
    order: sort === 'asc' ? 'oldestFirst' : 'newestFirst',
    limit: limit + 1,
    after: readEventCursor(after, print),
  } as const;
  const read = () => readFarmEvents(db, scope, page);
  const enough = (known: Parameters<Enough>[0]) => isPageKnown(known, page.limit, read);
  await ensureScope(platform, session, scope, sort === 'desc' ? enough : undefined);
  const found = await read();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: await farmTransactionsOf(platform, session, shown),
    next: found.length > limit && last !== undefined ? writeEventCursor(last, print) : null,
  };
}

/** Ingests all transactions of the scope, or until `enough`. */
function ensureScope(platform: Platform, session: Session, scope: FarmEventScope, enough?: Enough) {
  const [address, kind] =
    scope.farm === undefined ? ([scope.wallet, 'walletFarms'] as const) : ([scope.farm, 'farm'] as const);
  return enough === undefined
    ? ensureIngested(platform, session, address, kind)
    : ensureIngestedUntil(platform, session, address, kind, enough);
}
