import { bigintOf, integerOf, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import type { TransactionRef } from './cursors.ts';
import { EVENT_TABLES } from './event-rows.ts';

/** The order in which the transactions of a slot were executed. */
export interface BlockOrder {
  /** First to last. */
  readonly signatures: readonly string[];
  /** False when the block could not be read; then the order is that of an address's own transaction list. */
  readonly exact: boolean;
}

/** A transaction that is about to be stored. Its place is known if it came with its block. */
export interface ArrivingTransaction extends TransactionRef {
  readonly place?: number;
}

/** Position of a transaction in its block. */
export interface BlockPlace extends TransactionRef {
  readonly place: number;
}

/** Slots that contain several transactions with events. */
export interface SharedSlots {
  /** Slots whose order is not known yet. */
  readonly unordered: readonly bigint[];
  /** Places of arriving transactions that came with them, in slots that they share. */
  readonly places: readonly BlockPlace[];
}

export async function slotsToOrder(
  sql: Sql,
  arriving: readonly ArrivingTransaction[],
  known: ReadonlyMap<bigint, BlockOrder>,
): Promise<SharedSlots> {
  const shared = await sharedSlots(sql, arriving);
  const unordered = [...shared].filter(([slot, places]) => !isOrdered(places) && !known.has(slot));
  const places = arriving.flatMap(({ signature, slot, place }) =>
    place !== undefined && shared.has(slot) ? [{ signature, slot, place }] : [],
  );
  return { unordered: unordered.map(([slot]) => slot), places };
}

export function placesOf(orders: ReadonlyMap<bigint, BlockOrder>): BlockPlace[] {
  return [...orders].flatMap(([slot, { signatures, exact }]) =>
    signatures.map((signature, i) => ({ slot, signature, place: exact ? i : i - signatures.length })),
  );
}

/** Sets the position in the block for all of these transactions, including those stored earlier. */
export async function setBlockPositions(sql: Sql, places: readonly BlockPlace[]): Promise<void> {
  if (places.length === 0) return;
  for (const table of EVENT_TABLES) {
    await sql.run(
      `UPDATE ${table} e SET place = u.place
       FROM unnest($1::bigint[], $2::text[], $3::integer[]) AS u(slot, signature, place)
       WHERE e.slot = u.slot AND e.signature = u.signature AND e.place IS DISTINCT FROM u.place`,
      [
        places.map(({ slot }) => slot),
        places.map(({ signature }) => signature),
        places.map(({ place }) => place),
      ],
    );
  }
}

type Places = ReadonlyMap<string, number | null>;

const isOrdered = (places: Places) => [...places.values()].every((place) => place !== null);

async function sharedSlots(
  sql: Sql,
  arriving: readonly ArrivingTransaction[],
): Promise<ReadonlyMap<bigint, Places>> {
  const slots = new Map<bigint, Map<string, number | null>>();
  const note = (slot: bigint, signature: string, place: number | null) => {
    const places = slots.get(slot) ?? new Map<string, number | null>();
    slots.set(slot, places.set(signature, places.get(signature) ?? place));
  };
  for (const { slot, signature, place } of arriving) note(slot, signature, place ?? null);
  if (slots.size === 0) return new Map();
  const tables = EVENT_TABLES.map(
    (table) => `SELECT slot, signature, place FROM ${table} WHERE slot = ANY($1::bigint[])`,
  );
  const stored = await sql.rows(
    `SELECT DISTINCT slot::text AS slot, signature, place FROM (${tables.join(' UNION ALL ')}) e`,
    [[...slots.keys()]],
  );
  for (const row of stored) {
    const place = row.place === null ? null : integerOf(row, 'place');
    note(bigintOf(row, 'slot'), textOf(row, 'signature'), place);
  }
  return new Map([...slots].filter(([, places]) => places.size > 1));
}
