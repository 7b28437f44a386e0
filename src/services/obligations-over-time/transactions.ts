import type { Address } from '@solana/kit';
import {
  countLendingEvents,
  type LendingEventScope,
  readLendingEvents,
  type StoredLendingEvent,
} from '../../store/transactions/read-lending-events.ts';
import { fingerprintOf, type Page, type PageRequest, pageSize } from '../paging.ts';
import type { Platform } from '../platform.ts';
import { readEventCursor, writeEventCursor } from '../positions-over-time/transaction-cursor.ts';
import type { Session } from '../records.ts';
import { ensureIngested, ensureIngestedUntil, type IngestKind, isPageKnown } from '../transaction-source.ts';

export type LendingTransaction = StoredLendingEvent;

/** A page of lending transactions. `complete`: whether all of them are known. */
export interface TransactionPage extends Page<LendingTransaction> {
  readonly complete: boolean;
}

const WHAT = 'Lending transactions';

/**
 * Transactions of an obligation, newest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID, NUMBER_OUT_OF_RANGE
 */
export async function obligationTransactions(
  platform: Platform,
  session: Session,
  obligation: Address,
  request: PageRequest,
): Promise<TransactionPage> {
  return await readPage(platform, session, [obligation, 'obligation'], { obligation }, request);
}

/**
 * Transactions of all open and closed obligations of a wallet, in one market or in all, newest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID, NUMBER_OUT_OF_RANGE
 */
export async function walletLendingTransactions(
  platform: Platform,
  session: Session,
  owner: Address,
  market: Address | null,
  request: PageRequest,
): Promise<TransactionPage> {
  return await readPage(platform, session, [owner, 'walletLending'], { owner, market }, request);
}

/** A cursor identifies an event, so no event is repeated while new ones arrive. */
async function readPage(
  platform: Platform,
  session: Session,
  of: readonly [Address, IngestKind],
  scope: LendingEventScope,
  request: PageRequest,
): Promise<TransactionPage> {
  const db = platform.history.database(WHAT);
  const fingerprint = fingerprintOf(['lending transactions', scope]);
  const after = readEventCursor(request.after, fingerprint);
  const before = readEventCursor(request.before, fingerprint);
  const size = pageSize(request);
  const backwards = (request.first ?? null) === null && (request.last ?? null) !== null;
  const page = backwards
    ? ({ order: 'oldestFirst', after: before, before: after, limit: size + 1 } as const)
    : ({ order: 'newestFirst', after, before, limit: size + 1 } as const);
  const read = () => readLendingEvents(db, scope, {}, page);
  const { complete } = backwards
    ? await ensureIngested(platform, session, ...of)
    : await ensureIngestedUntil(platform, session, ...of, (known) => isPageKnown(known, size + 1, read));
  const [found, totalCount] = await Promise.all([read(), countLendingEvents(db, scope, {})]);
  const more = found.length > size;
  const shown = backwards ? found.slice(0, size).reverse() : found.slice(0, size);
  return {
    items: shown.map((item) => ({ cursor: writeEventCursor(item, fingerprint), item })),
    hasNextPage: backwards ? before !== null : more || before !== null,
    hasPreviousPage: backwards ? more || after !== null : after !== null,
    totalCount,
    complete,
  };
}

/** Finds one transaction; undefined when it does not exist. */
export async function findLendingTransaction(
  platform: Platform,
  {
    obligation,
    signature,
    index,
    time,
  }: Pick<LendingTransaction, 'obligation' | 'signature' | 'index' | 'time'>,
): Promise<LendingTransaction | undefined> {
  const db = platform.history.database(WHAT);
  const span = { start: new Date(time * 1_000), end: new Date((time + 1) * 1_000) };
  const events = await readLendingEvents(db, { obligation }, span, { order: 'oldestFirst', limit: null });
  return events.find((event) => event.signature === signature && event.index === index);
}
