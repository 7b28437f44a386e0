import type { EventProblem, TransactionEvents } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { integerOf, textOf } from '../rows.ts';
import type { Sql, Tables } from '../sql.ts';
import type { TransactionRef } from './cursors.ts';
import {
  ALLOCATION_EVENTS,
  EVENT_TABLES,
  FARM_EVENTS,
  insertEvents,
  LENDING_EVENTS,
  QUEUE_EVENTS,
  VAULT_EVENTS,
} from './event-rows.ts';

/** A transaction with events or problems. */
export type EventfulTransaction = TransactionRef &
  TransactionEvents & {
    /** Position in the block; absent when it is not known from the transaction itself. */
    readonly place?: number;
  };

/**
 * Serializes writes of transactions. Pages of different addresses, and blocks, share transactions and slots: two at a time could
 * deadlock, mix two readings of one transaction, or miss that a slot needs an order.
 */
const LOCK = `INSERT INTO ingest_lock (id, pages) VALUES (1, 1)
  ON CONFLICT (id) DO UPDATE SET pages = ingest_lock.pages + 1`;

/** Call it first in a transaction that writes events. */
export async function lockTransactions(sql: Sql): Promise<void> {
  await sql.run(LOCK);
}

/**
 * Writes each transaction as a whole. A stored final transaction is replaced only by a reading with more
 * events, from a process that knows a vault the first one did not.
 */
export async function writeEvents(
  sql: Sql,
  transactions: readonly EventfulTransaction[],
  idOf: (address: Address) => number,
  tailOf: number | null,
): Promise<void> {
  const eventful = transactions.filter(hasEvents);
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
export async function fillInOwners(
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
export async function fillInOrigins(
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

export async function writeProblems(
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

/** All addresses that the events name. */
export function* addressesIn(transactions: readonly TransactionEvents[]): Iterable<Address> {
  for (const { vaultEvents, lendingEvents, farmEvents, allocationEvents, queueEvents } of transactions) {
    for (const event of vaultEvents) yield* present(VAULT_EVENTS.addressesIn(event));
    for (const event of lendingEvents) yield* present(LENDING_EVENTS.addressesIn(event));
    for (const event of farmEvents) yield* present(FARM_EVENTS.addressesIn(event));
    for (const event of allocationEvents) yield* present(ALLOCATION_EVENTS.addressesIn(event));
    for (const event of queueEvents) yield* present(QUEUE_EVENTS.addressesIn(event));
  }
}

const present = (addresses: readonly (Address | null)[]) => addresses.filter((each) => each !== null);

export const hasEvents = (events: TransactionEvents) => eventsIn(events) > 0;

const eventsIn = (events: TransactionEvents) =>
  events.vaultEvents.length +
  events.lendingEvents.length +
  events.farmEvents.length +
  events.allocationEvents.length +
  events.queueEvents.length;

function detailOf({ kind: _, ...detail }: EventProblem): string {
  return JSON.stringify(detail);
}
