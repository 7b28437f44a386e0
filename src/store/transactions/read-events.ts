import type { Address } from '@solana/kit';
import { mapRows } from '../map-rows.ts';
import { addressOf, integerOf, type Row } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { type Conditions, type EventPage, limitOf, orderBy, PLACE_COLUMNS } from './event-order.ts';

/** An event table as it is read. */
export interface EventReader<E> {
  readonly table: string;
  /** Its columns besides the place of an event; `e` is the table. */
  readonly columns: string;
  /** Joins that turn ids into addresses. */
  readonly joins: string;
  eventOf(row: Row): E;
}

/** Events in chain order. One statement. Events not ingested yet are not included: see `ingestStatus`. */
export async function readEvents<E>(
  sql: Sql,
  { table, columns, joins, eventOf }: EventReader<E>,
  conditions: Conditions,
  page: EventPage,
): Promise<E[]> {
  conditions.addPage(page);
  const limit = limitOf(page, conditions);
  const rows = await sql.rows(
    `SELECT ${PLACE_COLUMNS}, ${columns}
     FROM (SELECT * FROM ${table} e ${conditions.where} ${orderBy(page)} ${limit}) e
     ${joins}
     ${orderBy(page)}`,
    conditions.params,
  );
  return await mapRows(sql, rows, eventOf);
}

/** The number of matching events, across all pages. */
export async function countEvents(
  sql: Sql,
  { table }: Pick<EventReader<unknown>, 'table'>,
  conditions: Conditions,
): Promise<number> {
  const [row = {}] = await sql.rows(
    `SELECT count(*)::integer AS count FROM ${table} ${conditions.where}`,
    conditions.params,
  );
  return integerOf(row, 'count');
}

export function optionalAddressOf(row: Row, column: string): Address | null {
  return row[column] === null ? null : addressOf(row, column);
}
