import type { EventProblem, TransactionEvents } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { addressIds } from '../history/address-ids.ts';
import { fenced } from '../leases/fencing-token.ts';
import { integerOf, refuse, textOf } from '../rows.ts';
import type { Database, Sql, Tables } from '../sql.ts';
import { type BlockOrder, setBlockPositions, slotsToOrder } from './block-order.ts';
import { type IngestCursor, moveCursor, type TransactionRef } from './cursors.ts';
import {
  ALLOCATION_EVENTS,
  EVENT_TABLES,
  FARM_EVENTS,
  insertEvents,
  LENDING_EVENTS,
  QUEUE_EVENTS,
  VAULT_EVENTS,
} from './event-rows.ts';
import { type MissingTransaction, writeMissing } from './missing.ts';

/** A transaction with events or problems. */
export type EventfulTransaction = TransactionRef & TransactionEvents;

/** The unfinalized end of an address's list. It replaces the tail written before. */
export interface Tail {
  readonly transactions: readonly EventfulTransaction[];
  /** Slots up to this one are final. */
  readonly finalizedSlot: bigint;
}

/** A page of an address's transactions and the resulting cursor, written in one transaction. */
export interface PageWrite {
  readonly address: Address;
  /** Fencing token of the recorder; null when written on behalf of a request, which any process may serve. */
  readonly fence: bigint | null;
  readonly from: IngestCursor;
  readonly to: Omit<IngestCursor, 'version'>;
  readonly final: readonly EventfulTransaction[];
  readonly tail: Tail | null;
  /** Listed by the node but not returned. */
  readonly missing: readonly MissingTransaction[];
  /** Signatures that were missing before and were returned now. */
  readonly found: readonly string[];
  readonly orders: ReadonlyMap<bigint, BlockOrder>;
}

export type PageOutcome =
  | { readonly kind: 'written' }
  /** Another process moved the cursor first; read it again. */
  | { readonly kind: 'overtaken' }
  /** Nothing was written: the order of transactions within these slots must be read first. */
  | { readonly kind: 'orderNeeded'; readonly slots: readonly bigint[] };

/**
 * Serializes page writes. Pages of different addresses share transactions and slots: two at a time could deadlock, mix two
 * readings of one transaction, or miss that a slot needs an order.
 */
const LOCK = `INSERT INTO ingest_lock (id, pages) VALUES (1, 1)
  ON CONFLICT (id) DO UPDATE SET pages = ingest_lock.pages + 1`;
/** A tail that is not read again is deleted about a minute after its slots became final. */
const STALE_SLOTS = 150n;

/** @throws NOT_LEADER */
export async function writePage(db: Database, page: PageWrite): Promise<PageOutcome> {
  const arriving = [...page.final, ...(page.tail?.transactions ?? [])];
  const ids = await addressIds(db, addressesIn(page.address, arriving));
  const idOf = (address: Address) => ids.get(address) ?? refuse({ address }, 'address', 'a known subject');
  const work = async (sql: Tables): Promise<PageOutcome> => {
    await sql.run(LOCK);
    const eventful = arriving.filter((each) => eventsIn(each) > 0);
    const slots = await slotsToOrder(sql, eventful, page.orders);
    if (slots.length > 0) return { kind: 'orderNeeded', slots };
    const addressId = idOf(page.address);
    if (!(await moveCursor(sql, addressId, page.from, page.to))) return { kind: 'overtaken' };
    if (page.tail !== null) await deleteTails(sql, addressId, page.tail.finalizedSlot);
    await writeEvents(sql, page.final, idOf, null);
    if (page.tail !== null) await writeEvents(sql, page.tail.transactions, idOf, addressId);
    await fillInOwners(sql, arriving, idOf);
    await fillInOrigins(sql, arriving, idOf);
    await setBlockPositions(sql, page.orders);
    await writeProblems(sql, page.final);
    await writeMissing(sql, addressId, page);
    return { kind: 'written' };
  };
  return page.fence === null ? await db.transaction(work) : await fenced(db, page.fence, work);
}

async function deleteTails(sql: Sql, addressId: number, finalizedSlot: bigint): Promise<void> {
  for (const table of EVENT_TABLES) {
    await sql.run(
      `DELETE FROM ${table} WHERE tail_of = $1::integer OR (tail_of IS NOT NULL AND slot <= $2::bigint)`,
      [addressId, finalizedSlot - STALE_SLOTS],
    );
  }
}

/**
 * Writes each transaction as a whole. A stored final transaction is replaced only by a reading with more
 * events, from a process that knows a vault the first one did not.
 */
async function writeEvents(
  sql: Sql,
  transactions: readonly EventfulTransaction[],
  idOf: (address: Address) => number,
  tailOf: number | null,
): Promise<void> {
  const eventful = transactions.filter((each) => eventsIn(each) > 0);
  if (eventful.length === 0) return;
  const stored = await storedEvents(sql, eventful);
  const wanted = eventful.filter((each) => eventsIn(each) > (stored.get(each.signature) ?? 0));
  const replaced = wanted.map(({ signature }) => signature);
  for (const table of EVENT_TABLES) {
    await sql.run(`DELETE FROM ${table} WHERE signature = ANY($1::text[])`, [replaced]);
  }
  const vaultEvents = wanted.flatMap((each) => each.vaultEvents);
  const lendingEvents = wanted.flatMap((each) => each.lendingEvents);
  await insertEvents(sql, VAULT_EVENTS, vaultEvents, idOf, tailOf);
  const farmEvents = wanted.flatMap((each) => each.farmEvents);
  await insertEvents(sql, LENDING_EVENTS, lendingEvents, idOf, tailOf);
  await insertEvents(sql, FARM_EVENTS, farmEvents, idOf, tailOf);
  const allocationEvents = wanted.flatMap((each) => each.allocationEvents);
  await insertEvents(sql, ALLOCATION_EVENTS, allocationEvents, idOf, tailOf);
  const queueEvents = wanted.flatMap((each) => each.queueEvents);
  await insertEvents(sql, QUEUE_EVENTS, queueEvents, idOf, tailOf);
}

/** Conditions on the events of a table that earlier versions stored with less: without them they do not count. */
const WHOLE: Readonly<Record<string, string>> = {
  [VAULT_EVENTS.name]: 'instruction IS NOT NULL',
  [LENDING_EVENTS.name]: `instruction IS NOT NULL AND (order_left IS NOT NULL OR instruction NOT LIKE 'fillBorrowOrder%')`,
};

/** The number of stored events of each final transaction. One that was stored with less does not count, so that it is replaced. */
async function storedEvents(sql: Sql, refs: readonly TransactionRef[]): Promise<ReadonlyMap<string, number>> {
  const tables = EVENT_TABLES.map(
    (table) =>
      `SELECT signature FROM ${table} WHERE signature = ANY($1::text[]) AND tail_of IS NULL AND ${WHOLE[table] ?? 'true'}`,
  );
  const rows = await sql.rows(
    `SELECT signature, count(*)::integer AS count FROM (${tables.join(' UNION ALL ')}) e GROUP BY signature`,
    [refs.map(({ signature }) => signature)],
  );
  return new Map(rows.map((row) => [textOf(row, 'signature'), integerOf(row, 'count')]));
}

/** An event that names the owner of an obligation fills it in on earlier events that did not. */
async function fillInOwners(
  sql: Sql,
  transactions: readonly EventfulTransaction[],
  idOf: (address: Address) => number,
): Promise<void> {
  const owners = new Map<number, number>();
  for (const { lendingEvents } of transactions) {
    for (const { obligation, owner } of lendingEvents) {
      if (owner !== null) owners.set(idOf(obligation), idOf(owner));
    }
  }
  if (owners.size === 0) return;
  await sql.run(
    `UPDATE lending_event e SET owner_id = u.owner
     FROM unnest($1::integer[], $2::integer[]) AS u(obligation, owner)
     WHERE e.obligation_id = u.obligation AND e.owner_id IS NULL`,
    [[...owners.keys()], [...owners.values()]],
  );
}

/** Only the entry of a ticket tells which vault or obligation it came from; the later events of the ticket get it too. */
async function fillInOrigins(
  sql: Sql,
  transactions: readonly EventfulTransaction[],
  idOf: (address: Address) => number,
): Promise<void> {
  const tickets = new Set(transactions.flatMap(({ queueEvents }) => queueEvents.map(({ ticket }) => ticket)));
  if (tickets.size === 0) return;
  await sql.run(
    `UPDATE queue_event e SET obligation_id = q.obligation_id, vault_id = q.vault_id
     FROM queue_event q
     WHERE q.ticket_id = e.ticket_id AND q.kind = 'enqueue' AND e.kind <> 'enqueue'
       AND e.ticket_id = ANY($1::integer[])
       AND (e.obligation_id IS DISTINCT FROM q.obligation_id OR e.vault_id IS DISTINCT FROM q.vault_id)`,
    [[...tickets].map(idOf)],
  );
}

async function writeProblems(
  { models }: Tables,
  transactions: readonly EventfulTransaction[],
): Promise<void> {
  const data = transactions.flatMap(({ signature, slot, problems }) =>
    problems.map((problem, problemIndex) => {
      return { signature, slot, problemIndex, kind: problem.kind, detail: detailOf(problem) };
    }),
  );
  if (data.length > 0) await models.ingestProblem.createMany({ data, skipDuplicates: true });
}

function* addressesIn(address: Address, transactions: readonly TransactionEvents[]): Iterable<Address> {
  yield address;
  for (const { vaultEvents, lendingEvents, farmEvents, allocationEvents, queueEvents } of transactions) {
    for (const event of vaultEvents) yield* present(VAULT_EVENTS.addressesIn(event));
    for (const event of lendingEvents) yield* present(LENDING_EVENTS.addressesIn(event));
    for (const event of farmEvents) yield* present(FARM_EVENTS.addressesIn(event));
    for (const event of allocationEvents) yield* present(ALLOCATION_EVENTS.addressesIn(event));
    for (const event of queueEvents) yield* present(QUEUE_EVENTS.addressesIn(event));
  }
}

const present = (addresses: readonly (Address | null)[]) => addresses.filter((each) => each !== null);

const eventsIn = (events: TransactionEvents) =>
  events.vaultEvents.length +
  events.lendingEvents.length +
  events.farmEvents.length +
  events.allocationEvents.length +
  events.queueEvents.length;

function detailOf({ kind: _, ...detail }: EventProblem): string {
  return JSON.stringify(detail);
}
