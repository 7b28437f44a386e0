import { type Address, isAddress } from '@solana/kit';
import type { Database } from '../../../store/sql.ts';
import type { EventPage } from '../../../store/transactions/event-order.ts';
import {
  countVaultEvents,
  readVaultEvents,
  type StoredVaultEvent,
  type VaultEventScope,
} from '../../../store/transactions/read-vault-events.ts';
import { fingerprintOf, type Page, type PageRequest } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Enough,
  ensureIngested,
  ensureIngestedUntil,
  isPageKnown,
} from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import { eventWindow, writeEventCursor } from '../transaction-cursor.ts';
import {
  eventKinds,
  transactionsOf,
  VAULT_TRANSACTION_KINDS,
  type VaultTransaction,
  type VaultTransactionKind,
} from './vault-transactions.ts';

const WHAT = 'Vault transactions';

/** Filter of a list of transactions. */
export interface TransactionFilter {
  readonly kinds?: readonly VaultTransactionKind[] | null | undefined;
  readonly range?: RangeInput | null | undefined;
  readonly vault?: Address | null | undefined;
}

/** One wallet in all vaults, or one vault with all wallets. */
export type TransactionScope = { readonly wallet: Address } | { readonly vault: Address };

/** A page of transactions, newest first. */
export interface TransactionPage extends Page<VaultTransaction | Error> {
  /** Whether everything since the first transaction was read from the chain. */
  readonly complete: boolean;
}

/**
 * A page in chain order. Nothing is repeated or missed when transactions arrive between two pages.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function vaultTransactionPage(
  platform: Platform,
  session: Session,
  scope: TransactionScope,
  filter: TransactionFilter,
  request: PageRequest,
): Promise<TransactionPage> {
  const db = platform.historyFor(session, WHAT);
  const fingerprint = fingerprintOf(['vault transactions', scope, filter]);
  const window = eventWindow(request, fingerprint);
  const query = queryOf(session, scope, filter);
  const read = async () =>
    query === null ? [] : await readVaultEvents(db, query.scope, query.filter, window.page);
  const { complete } = window.backwards
    ? await ensureScopeIngested(platform, session, scope)
    : await ensureScopeIngested(platform, session, scope, (known) =>
        isPageKnown(known, window.page.limit, read),
      );
  const [found, totalCount] = await Promise.all([read(), query === null ? 0 : countOf(db, query)]);
  const { items, ...more } = window.cut(found);
  const transactions = await transactionsOf(platform, session, items);
  return {
    items: items.map((event, i) => ({
      cursor: writeEventCursor(event, fingerprint),
      item: transactions[i] ?? new RangeError('an event without its transaction'),
    })),
    ...more,
    totalCount,
    complete,
  };
}

/**
 * Every deposit and withdrawal of a wallet, newest first. Omits transactions of vaults that could not be read.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function depositsAndWithdrawals(
  platform: Platform,
  session: Session,
  wallet: Address,
): Promise<VaultTransaction[]> {
  const db = platform.historyFor(session, WHAT);
  await ensureScopeIngested(platform, session, { wallet });
  const events = await readVaultEvents(
    db,
    { wallet },
    { kinds: ['deposit', 'withdraw'] },
    { order: 'newestFirst', limit: null },
  );
  const transactions = await transactionsOf(platform, session, events);
  return transactions.flatMap((each) => (each instanceof Error ? [] : each));
}

/** Unique id of a transaction. */
export const transactionId = ({ wallet, slot, signature, index }: StoredVaultEvent): string =>
  `${wallet}:${slot}:${signature}:${index}`;

/**
 * The transaction with this id; null when it does not exist.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function transactionOfId(
  platform: Platform,
  session: Session,
  id: string,
): Promise<VaultTransaction | Error | null> {
  const match = /^(\w+):(\d{1,19}):(\w+):(\d{1,6})$/.exec(id);
  const [, wallet = '', slot = '', signature, index] = match ?? [];
  if (!isAddress(wallet)) return null;
  const db = platform.historyFor(session, WHAT);
  // All events of the wallet in that slot: after the last position of the previous slot, before the first of the next.
  const after = { slot: BigInt(slot) - 1n, place: 2_147_483_647, signature: '~', index: 0 };
  const before = { slot: BigInt(slot) + 1n, place: -2_147_483_648, signature: '', index: 0 };
  const page: EventPage = { order: 'oldestFirst', limit: null, after, before };
  const events = await readVaultEvents(db, { wallet }, { kinds: eventKinds(VAULT_TRANSACTION_KINDS) }, page);
  const found = events.filter((each) => each.signature === signature && String(each.index) === index);
  const [transaction = null] = await transactionsOf(platform, session, found);
  return transaction;
}

/** Ingests all transactions of the scope, or until `enough`. */
function ensureScopeIngested(platform: Platform, session: Session, scope: TransactionScope, enough?: Enough) {
  const [address, kind] =
    'wallet' in scope ? ([scope.wallet, 'walletVaults'] as const) : ([scope.vault, 'vault'] as const);
  return enough === undefined
    ? ensureIngested(platform, session, address, kind)
    : ensureIngestedUntil(platform, session, address, kind, enough);
}

interface EventQuery {
  readonly scope: VaultEventScope;
  readonly filter: Parameters<typeof readVaultEvents>[2];
}

/** Null when the result must be empty. */
function queryOf(
  { view }: Session,
  scope: TransactionScope,
  { kinds, range, vault }: TransactionFilter,
): EventQuery | null {
  const filter = {
    kinds: eventKinds(kinds ?? VAULT_TRANSACTION_KINDS),
    ...(range ? timesOf(resolveRange(view, range)) : {}),
  };
  if ('wallet' in scope) return { scope: { wallet: scope.wallet, vault }, filter };
  return vault && vault !== scope.vault ? null : { scope: { vault: scope.vault }, filter };
}

const timesOf = ({ start, end }: { readonly start: Date; readonly end: Date }) => ({ start, end });

/** Null for a vault: it has too many transactions to count for every page. */
async function countOf(db: Database, { scope, filter }: EventQuery): Promise<number | null> {
  return scope.wallet ? await countVaultEvents(db, scope, filter) : null;
}
