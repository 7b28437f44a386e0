import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { SluiceError } from '../../errors/sluice-error.ts';
import { readCursors, type StoredCursor } from '../../store/transactions/cursors.ts';
import { obligationsOfWallet } from '../../store/transactions/read-lending-events.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';
import type { HistorySource } from './history-source.ts';

/** Ingestion status of an address. */
export interface IngestStatus {
  /** Whether all transactions from the first one until about now were read. */
  readonly complete: boolean;
  /** Whether nothing was read yet, so that an empty result would say nothing. */
  readonly unread: boolean;
  /** Code of the error that prevented the last attempt to read; null without one. */
  readonly failure: string | null;
}

export interface EnsureRequest {
  /** Aborted when nobody waits for the answer. */
  readonly signal: AbortSignal;
  /** The payer of the request; callers share the reading of transactions fairly. */
  readonly caller: string;
  readonly enough?: Enough | undefined;
}

/**
 * Scope of an ingestion: the events of a vault, of an obligation, of a farm or of a market, of all vaults, or of a wallet in
 * vaults, lending, farms or withdraw queues. Some events do not name the wallet (received shares, liquidations), so the
 * accounts that belong to it are ingested too. The address of all vaults is that of their program.
 */
export type IngestKind =
  | 'vault'
  | 'allVaults'
  | 'obligation'
  | 'farm'
  | 'market'
  | 'walletVaults'
  | 'walletLending'
  | 'walletFarms'
  | 'walletQueue';

/** The gapless part of an address's ingested transactions. */
export interface KnownPart {
  /** Whether it reaches back to the first transaction. */
  readonly reachedStart: boolean;
  /** The slot it reaches back to; null when it reaches the first transaction, or is empty. */
  readonly backToSlot: bigint | null;
}

/** Whether the known part answers the request, so the rest can be ingested in the background. */
export type Enough = (known: KnownPart) => Promise<boolean>;

/** Ingests transactions from the chain into the store. */
export interface TransactionSource {
  /**
   * Ingests the new transactions of an address (all of them the first time) until the signal aborts or there is
   * `enough`. An incomplete result is reported by the status, not by an error.
   *
   * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, TRANSACTIONS_BUSY
   */
  ensure(address: Address, kind: IngestKind, request: EnsureRequest): Promise<IngestStatus>;
}

/** Whether a page (newest first) lies within the gapless part; otherwise later ingestion could insert items into it. */
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

/** A source that only reports what other processes have ingested. */
export function storedTransactions(history: HistorySource): TransactionSource {
  const database = () => history.database('Transaction history');
  // Batches one tick into one statement.
  const completeness = new DataLoader<Address, boolean>(
    async (addresses) => {
      const cursors = await readCursors(database(), addresses);
      return addresses.map((address) => isComplete(cursors.get(address)));
    },
    { cache: false },
  );
  return {
    async ensure(address, kind) {
      const db = database();
      const obligations = kind === 'walletLending' ? await obligationsOfWallet(db, address) : [];
      const known = await Promise.all([address, ...obligations].map((each) => completeness.load(each)));
      return { complete: known.every(Boolean), unread: false, failure: null };
    },
  };
}

function isComplete(cursor: StoredCursor | undefined): boolean {
  if (cursor === undefined) return false;
  const { reachedStart, availableFrom, head, missing } = cursor;
  return reachedStart && availableFrom === null && head === null && missing === 0;
}

const statusesOf = perSession(() => new Map<string, Promise<IngestStatus>>());

const incompleteSessions = new WeakSet<Session>();

/** Whether the answer of a request is based on transactions of which some are not read yet. */
export const hasUnreadTransactions = (session: Session): boolean => incompleteSessions.has(session);

/** The platform, as far as this file uses it. */
interface Ingests {
  ingest(session: Session, address: Address, kind: IngestKind, enough?: Enough): Promise<IngestStatus>;
}

/** An address of which nothing was read is an error: an empty list or a zero would look like an answer. */
async function ensureRead(
  platform: Ingests,
  session: Session,
  address: Address,
  kind: IngestKind,
  enough?: Enough,
): Promise<IngestStatus> {
  const status = await platform.ingest(session, address, kind, enough);
  if (status.unread) throw new SluiceError('TRANSACTIONS_UNREAD', { address, reason: status.failure });
  if (!status.complete) incompleteSessions.add(session);
  return status;
}

/**
 * Ingests the transactions of an address, once per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, TRANSACTIONS_BUSY, TRANSACTIONS_UNREAD
 */
export function ensureIngested(
  platform: Ingests,
  session: Session,
  address: Address,
  kind: IngestKind,
): Promise<IngestStatus> {
  const known = statusesOf(session);
  const key = `${kind} ${address}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const reading = ensureRead(platform, session, address, kind);
  known.set(key, reading);
  return reading;
}

const partlyIngested = perSession(() => new Set<Address>());

/**
 * Ingests the transactions of an address until there is enough of them.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, TRANSACTIONS_BUSY, TRANSACTIONS_UNREAD
 */
export async function ensureIngestedUntil(
  platform: Ingests,
  session: Session,
  address: Address,
  kind: IngestKind,
  enough: Enough,
): Promise<IngestStatus> {
  const status = await ensureRead(platform, session, address, kind, enough);
  if (!status.complete) partlyIngested(session).add(address);
  return status;
}

/**
 * Ingests the rest of a wallet's vault transactions if this request ingested only a part of them.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, TRANSACTIONS_BUSY, TRANSACTIONS_UNREAD
 */
export async function ensureRestIngested(
  platform: Ingests,
  session: Session,
  wallet: Address,
): Promise<void> {
  if (partlyIngested(session).has(wallet)) await ensureIngested(platform, session, wallet, 'walletVaults');
}
