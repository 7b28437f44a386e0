import type { Address } from '@solana/kit';
import { addressOf, bigintOf, instantOf, integerOf, type Row, textOf } from '../rows.ts';
import type { Sql, Tables } from '../sql.ts';
import { optionalBigintOf } from './event-order.ts';

/** A transaction in an address's list. */
export interface TransactionRef {
  readonly signature: string;
  readonly slot: bigint;
}

/** A contiguous range of an address's transaction list that was read completely. */
export interface TransactionRange {
  readonly newest: TransactionRef;
  readonly oldest: TransactionRef;
}

/** Position up to which the transactions of an address were read. */
export interface IngestCursor {
  /** Incremented by every move; a move from an outdated version is rejected. */
  readonly version: number;
  /** The contiguous range of final transactions; null before the first one is read. */
  readonly known: TransactionRange | null;
  /** A newer range, separated from `known` by a gap that is still to be read. */
  readonly head: TransactionRange | null;
  /** The end of the list was reached: the node returns nothing older than `known`. */
  readonly reachedStart: boolean;
  /** Set when the node has pruned blocks before this slot: earlier transactions are unknown and stay so. */
  readonly availableFrom: bigint | null;
  /**
   * All final transactions up to this slot are listed. Null until the newest end was read completely for the
   * first time.
   */
  readonly syncedSlot: bigint | null;
  /** The newest slot in which a transaction of this address was seen. */
  readonly seenSlot: bigint | null;
  /** Transactions processed so far, including failed ones. */
  readonly transactions: number;
  readonly failed: number;
  /** Instructions that looked like an event but could not be decoded. */
  readonly problems: number;
}

/** A stored cursor with the counters of related tables. */
export interface StoredCursor extends IngestCursor {
  readonly address: Address;
  /** Transactions that a node listed but did not return. */
  readonly missing: number;
  readonly checkedAt: Date;
}

export const NEW_CURSOR: IngestCursor = {
  version: 0,
  known: null,
  head: null,
  reachedStart: false,
  availableFrom: null,
  syncedSlot: null,
  seenSlot: null,
  transactions: 0,
  failed: 0,
  problems: 0,
};

/** The cursors of addresses; an address that was never read is not in the map. One statement. */
export async function readCursors(
  sql: Sql,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, StoredCursor>> {
  if (addresses.length === 0) return new Map();
  const rows = await sql.rows(
    `SELECT s.address, c.version, c.newest_signature, c.newest_slot::text AS newest_slot, c.oldest_signature,
       c.oldest_slot::text AS oldest_slot, c.head_newest_signature, c.head_newest_slot::text AS head_newest_slot,
       c.head_oldest_signature, c.head_oldest_slot::text AS head_oldest_slot, c.reached_start,
       c.available_from_slot::text AS available_from_slot, c.synced_slot::text AS synced_slot,
       c.seen_slot::text AS seen_slot, c.transactions, c.failed, c.problems,
       date_part('epoch', c.checked_at) * 1000 AS checked_at,
       (SELECT count(*)::integer FROM ingest_missing m WHERE m.address_id = c.address_id) AS missing
     FROM ingest_cursor c JOIN subject s ON s.id = c.address_id WHERE s.address = ANY($1::text[])`,
    [addresses],
  );
  return new Map(rows.map((row) => [addressOf(row, 'address'), cursorOf(row)]));
}

function cursorOf(row: Row): StoredCursor {
  return {
    address: addressOf(row, 'address'),
    version: integerOf(row, 'version'),
    known: partOf(row, ''),
    head: partOf(row, 'head_'),
    reachedStart: row.reached_start === true,
    availableFrom: optionalBigintOf(row, 'available_from_slot'),
    syncedSlot: optionalBigintOf(row, 'synced_slot'),
    seenSlot: optionalBigintOf(row, 'seen_slot'),
    transactions: integerOf(row, 'transactions'),
    failed: integerOf(row, 'failed'),
    problems: integerOf(row, 'problems'),
    missing: integerOf(row, 'missing'),
    checkedAt: instantOf(row, 'checked_at'),
  };
}

function partOf(row: Row, prefix: string): TransactionRange | null {
  const mark = (end: string): TransactionRef | null =>
    row[`${prefix}${end}_signature`] === null
      ? null
      : { signature: textOf(row, `${prefix}${end}_signature`), slot: bigintOf(row, `${prefix}${end}_slot`) };
  const [newest, oldest] = [mark('newest'), mark('oldest')];
  return newest === null || oldest === null ? null : { newest, oldest };
}

/** Replaces the cursor `from`. Resolves to false if another process replaced it first. */
export async function moveCursor(
  { models }: Tables,
  addressId: number,
  { version }: IngestCursor,
  to: Omit<IngestCursor, 'version'>,
): Promise<boolean> {
  const data = { ...columnsOf(to), version: version + 1, checkedAt: new Date() };
  const { count } =
    version === 0
      ? await models.ingestCursor.createMany({ data: [{ ...data, addressId }], skipDuplicates: true })
      : await models.ingestCursor.updateMany({ where: { addressId, version }, data });
  return count === 1;
}

function columnsOf({ known, head, ...to }: Omit<IngestCursor, 'version'>) {
  return {
    newestSignature: known?.newest.signature ?? null,
    newestSlot: known?.newest.slot ?? null,
    oldestSignature: known?.oldest.signature ?? null,
    oldestSlot: known?.oldest.slot ?? null,
    headNewestSignature: head?.newest.signature ?? null,
    headNewestSlot: head?.newest.slot ?? null,
    headOldestSignature: head?.oldest.signature ?? null,
    headOldestSlot: head?.oldest.slot ?? null,
    reachedStart: to.reachedStart,
    availableFromSlot: to.availableFrom,
    syncedSlot: to.syncedSlot,
    seenSlot: to.seenSlot,
    transactions: to.transactions,
    failed: to.failed,
    problems: to.problems,
  };
}
