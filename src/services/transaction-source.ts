import type { Address } from '@solana/kit';
import { readCursors, type StoredCursor } from '../store/transactions/cursors.ts';
import { obligationsOfWallet } from '../store/transactions/read-lending-events.ts';
import type { HistorySource } from './history/source.ts';
import type { Platform } from './platform.ts';
import type { Session } from './records.ts';

/** How far the transactions of an address are known. */
export interface IngestStatus {
  /** Whether everything since the address's first transaction was read, up to about now. */
  readonly complete: boolean;
}

/**
 * What is wanted: the events of a vault, of an obligation, or of a wallet in vaults or in lending. Some events do not name
 * the wallet that they are about (shares that arrive, liquidations); the lists of what belongs to it are read as well.
 */
export type TransactionsOf = 'vault' | 'obligation' | 'walletVaults' | 'walletLending';

/** Brings transactions from the chain into the store. */
export interface TransactionSource {
  /**
   * Reads what is new of an address, and all of it when it is asked about for the first time, as far as the caller's
   * time allows. What is left is told by the status, not by an error.
   *
   * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
   */
  ensure(address: Address, kind: TransactionsOf, signal: AbortSignal): Promise<IngestStatus>;
}

/** What others have read, and nothing new. */
export function storedTransactions(history: HistorySource): TransactionSource {
  return {
    async ensure(address, kind) {
      const db = history.database('What happened in the past');
      const others = kind === 'walletLending' ? await obligationsOfWallet(db, address) : [];
      const addresses = [address, ...others];
      const cursors = await readCursors(db, addresses);
      return { complete: addresses.every((each) => isWhole(cursors.get(each))) };
    },
  };
}

function isWhole(cursor: StoredCursor | undefined): boolean {
  if (cursor === undefined) return false;
  const { reachedStart, availableFrom, head, missing } = cursor;
  return reachedStart && availableFrom === null && head === null && missing === 0;
}

const ofSession = new WeakMap<Session, Map<string, Promise<IngestStatus>>>();

/**
 * The transactions of an address are in the store when it resolves. Once per address and request, however many of its
 * facts are asked for.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function ingested(
  platform: Platform,
  session: Session,
  address: Address,
  kind: TransactionsOf,
): Promise<IngestStatus> {
  const known = ofSession.get(session) ?? new Map<string, Promise<IngestStatus>>();
  ofSession.set(session, known);
  const key = `${kind} ${address}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const reading = platform.transactions.ensure(address, kind, session.signal);
  known.set(key, reading);
  return reading;
}
