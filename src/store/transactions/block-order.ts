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

/** Slots that contain several transactions with events and whose order is not known yet. */
export async function slotsToOrder(
  sql: Sql,
  arriving: readonly TransactionRef[],
  known: ReadonlyMap<bigint, BlockOrder>,
): Promise<bigint[]> {
  const shared = await sharedSlots(sql, arriving);
  return [...shared].filter(([slot, { ordered }]) => !ordered && !known.has(slot)).map(([slot]) => slot);
}

/** Sets the position in the block for all transactions of these slots, including those stored earlier. */
export async function setBlockPositions(sql: Sql, orders: ReadonlyMap<bigint, BlockOrder>): Promise<void> {
  const placed = [...orders].flatMap(([slot, { signatures, exact }]) =>
    signatures.map((signature, i) => ({ slot, signature, place: exact ? i : i - signatures.length })),
  );
  if (placed.length === 0) return;
  for (const table of EVENT_TABLES) {
    await sql.run(
      `UPDATE ${table} e SET place = u.place
       FROM unnest($1::bigint[], $2::text[], $3::integer[]) AS u(slot, signature, place)
       WHERE e.slot = u.slot AND e.signature = u.signature AND e.place IS DISTINCT FROM u.place`,
      [
        placed.map(({ slot }) => slot),
        placed.map(({ signature }) => signature),
        placed.map(({ place }) => place),
      ],
    );
  }
}

async function sharedSlots(
  sql: Sql,
  arriving: readonly TransactionRef[],
): Promise<ReadonlyMap<bigint, { readonly ordered: boolean }>> {
  const places = new Map<bigint, Map<string, number | null>>();
  const note = (slot: bigint, signature: string, place: number | null) => {
    const inSlot = places.get(slot) ?? new Map<string, number | null>();
    places.set(slot, inSlot.set(signature, place));
  };
  for (const { slot, signature } of arriving) note(slot, signature, null);
  const tables = EVENT_TABLES.map(
    (table) => `SELECT slot, signature, place FROM ${table} WHERE slot = ANY($1::bigint[])`,
  );
  const stored = await sql.rows(
    `SELECT DISTINCT slot::text AS slot, signature, place FROM (${tables.join(' UNION ALL ')}) e`,
    [[...places.keys()]],
  );
  for (const row of stored) {
    const place = row.place === null ? null : integerOf(row, 'place');
    note(bigintOf(row, 'slot'), textOf(row, 'signature'), place);
  }
  return new Map(
    [...places]
      .filter(([, inSlot]) => inSlot.size > 1)
      .map(([slot, inSlot]) => [slot, { ordered: [...inSlot.values()].every((place) => place !== null) }]),
  );
}
