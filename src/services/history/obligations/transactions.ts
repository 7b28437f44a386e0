import type { Address } from '@solana/kit';
import {
  countLendingEvents,
  type LendingEventScope,
  readLendingEvents,
  type StoredLendingEvent,
} from '../../../store/transactions/read-lending-events.ts';
import { fingerprintOf, type Page, type PageRequest } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  ensureIngested,
  ensureIngestedUntil,
  type IngestKind,
  isPageKnown,
} from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { eventWindow, writeEventCursor } from '../transaction-cursor.ts';
import { walletLendingEvents } from './wallet-events.ts';

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
  const db = platform.historyFor(session, WHAT);
  const fingerprint = fingerprintOf(['lending transactions', scope]);
  const window = eventWindow(request, fingerprint);
  const read = () => readLendingEvents(db, scope, {}, window.page);
  const { complete } = window.backwards
    ? await ensureIngested(platform, session, ...of)
    : await ensureIngestedUntil(platform, session, ...of, (known) =>
        isPageKnown(known, window.page.limit, read),
      );
  const [found, totalCount] = await Promise.all([read(), countLendingEvents(db, scope, {})]);
  const { items, ...more } = window.cut(found);
  return {
    items: items.map((item) => ({ cursor: writeEventCursor(item, fingerprint), item })),
    ...more,
    totalCount,
    complete,
  };
}

/** All transactions of a wallet's obligations, by market and obligation, both ordered by address. */
export type TransactionsByMarket = ReadonlyMap<Address, ReadonlyMap<Address, readonly LendingTransaction[]>>;

/**
 * All transactions of a wallet's open and closed obligations, oldest first in each.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function walletTransactionsByMarket(
  platform: Platform,
  session: Session,
  wallet: Address,
): Promise<TransactionsByMarket> {
  const { events } = await walletLendingEvents(platform, session, wallet);
  const markets = grouped(events, ({ market }) => market);
  return new Map([...markets].map(([market, own]) => [market, grouped(own, ({ obligation }) => obligation)]));
}

function grouped(
  events: readonly LendingTransaction[],
  keyOf: (event: LendingTransaction) => Address,
): Map<Address, LendingTransaction[]> {
  const groups = new Map<Address, LendingTransaction[]>(
    [...new Set(events.map(keyOf))].sort().map((key) => [key, []]),
  );
  for (const event of events) groups.get(keyOf(event))?.push(event);
  return groups;
}

/** Finds one transaction; undefined when it does not exist. */
export async function findLendingTransaction(
  platform: Platform,
  session: Session,
  {
    obligation,
    signature,
    index,
    time,
  }: Pick<LendingTransaction, 'obligation' | 'signature' | 'index' | 'time'>,
): Promise<LendingTransaction | undefined> {
  const db = platform.historyFor(session, WHAT);
  const span = { start: new Date(time * 1_000), end: new Date((time + 1) * 1_000) };
  const events = await readLendingEvents(db, { obligation }, span, { order: 'oldestFirst', limit: null });
  return events.find((event) => event.signature === signature && event.index === index);
}
