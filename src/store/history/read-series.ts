import type { Address } from '@solana/kit';
import { integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { type Column, leadingKey, type SeriesTable } from './columns.ts';
import { columnsOf, everyField, readRows, withNames } from './read-rows.ts';
import type { PointTime, Selected, Series } from './series.ts';
import { instantText, type SeriesRange } from './time-buckets.ts';

/** Points by address, ascending; an address without points has an empty list. */
export type Points<P> = ReadonlyMap<Address, readonly P[]>;

/** Reads every field unless `fields` is given. One statement, however many addresses. */
export async function readPoints<P extends PointTime, F extends keyof P = keyof P>(
  sql: Sql,
  series: Series<P>,
  addresses: readonly Address[],
  { start, end, step }: SeriesRange,
  fields: readonly F[] = everyField(series) as readonly F[],
): Promise<Points<Selected<P, F>>> {
  const unique = [...new Set(addresses)];
  const lists = unique.map((): Selected<P, F>[] => []);
  const params = [unique, step, instantText(start), instantText(end)];
  if (unique.length > 0 && start < end) {
    const rows = await sql.rows(seriesStatement(series.table, columnsOf(series, fields)), params);
    await readRows(sql, series, fields, rows, (row) => lists[integerOf(row, 'input_index') - 1]);
  }
  return new Map(unique.map((each, index) => [each, lists[index] ?? []]));
}

/**
 * The points of many series, each found by primary key. `OFFSET 0` stops the planner from joining the whole
 * table, so the cost is proportional to the points returned.
 */
function seriesStatement(table: SeriesTable, columns: readonly Column[]): string {
  return withNames(
    table,
    columns,
    `SELECT a.input_index::integer AS input_index, t.*
     FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
     JOIN subject s ON s.address = a.address
     CROSS JOIN LATERAL (
       SELECT ${columns.map(({ name }) => `p.${name}`).join(', ')} FROM ${table.name} p
       WHERE p.${leadingKey(table)} = s.id AND p.step = $2::integer
         AND p.bucket >= $3::timestamptz AND p.bucket < $4::timestamptz
       ORDER BY p.bucket OFFSET 0
     ) t`,
  );
}
