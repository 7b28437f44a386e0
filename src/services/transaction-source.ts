import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
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

/** The part of an address's transactions that is there without a hole. */
export interface KnownPart {
  /** It goes back to the first transaction. */
  readonly reachedStart: boolean;
  /** It goes back to this slot; null when it goes back to the first transaction, or nowhere. */
  readonly backToSlot: bigint | null;
}

/** Whether what is there answers the question, so that the rest may be read behind it. */
export type Enough = (known: KnownPart) => Promise<boolean>;

/** Brings transactions from the chain into the store. */
export interface TransactionSource {
  /**
   * Reads what is new of an address, and all of it when it is asked about for the first time, as far as the caller's
   * time allows, or until there is enough. What is left is told by the status, not by an error.
   *
   * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
   */
  ensure(
    address: Address,
    kind: TransactionsOf,
    signal: AbortSignal,
    enough?: Enough | undefined,
  ): Promise<IngestStatus>;
}

/**
 * What a page of a list needs, newest first: that all of it lies within what was read without a hole. Otherwise what is
 * read later could belong before it.
 */
export async function isPageKnown(
  { reachedStart, backToSlot }: KnownPart,
  wanted: number,
  read: () => Promise<readonly { readonly slot: bigint }[]>,
): Promise<boolean> {
  if (reachedStart) return true;
  if (backToSlot === null) return false;
  const found = await read();
  return found.length >= wanted && found.every(({ slot }) => slot > backToSlot);
}

/** What others have read, and nothing new. */
export function storedTransactions(history: HistorySource): TransactionSource {
  const database = () => history.database('What happened in the past');
  // Those that are asked for in one tick are one statement.
  const whole = new DataLoader<Address, boolean>(
    async (addresses) => {
      const cursors = await readCursors(database(), addresses);
      return addresses.map((address) => isWhole(cursors.get(address)));
    },
    { cache: false },
  );
  return {
    async ensure(address, kind) {
      const db = database();
      const others = kind === 'walletLending' ? await obligationsOfWallet(db, address) : [];
      const known = await Promise.all([address, ...others].map((each) => whole.load(each)));
      return { complete: known.every(Boolean) };
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

const partlyRead = new WeakMap<Session, Set<Address>>();

/**
 * The same when less than all is needed: as soon as there is enough of them.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function ingestedUntil(
  platform: Platform,
  session: Session,
  address: Address,
  kind: TransactionsOf,
  enough: Enough,
): Promise<IngestStatus> {
  const status = await platform.transactions.ensure(address, kind, session.signal, enough);
  if (!status.complete) partlyRead.set(session, (partlyRead.get(session) ?? new Set()).add(address));
  return status;
}

/**
 * The rest of a wallet's transactions in vaults, when this request has been content with a part of them.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function restIngested(platform: Platform, session: Session, wallet: Address): Promise<void> {
  if (partlyRead.get(session)?.has(wallet)) await ingested(platform, session, wallet, 'walletVaults');
}
