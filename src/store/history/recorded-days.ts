import type { Address } from '@solana/kit';
import { mapRows } from '../map-rows.ts';
import { integerOf, integersOf, type Row } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { SERIES_OF_KIND, type SeriesKind } from './all-series.ts';
import { leadingKey } from './columns.ts';
import { DAY } from './time-buckets.ts';

/** A recorded day, in milliseconds since the epoch. */
export interface RecordedDay {
  /** Start of the day. */
  readonly bucket: number;
  /** Time of its last sample. */
  readonly sampledAt: number;
}

/** The recorded days of each series, ascending, without their values. One statement and one row per series. */
export async function recordedDays(
  sql: Sql,
  kind: SeriesKind,
  addresses: readonly Address[],
): Promise<(readonly RecordedDay[])[]> {
  const rows = addresses.length === 0 ? [] : await sql.rows(daysStatement(kind), [addresses]);
  const lists = new Map(
    await mapRows(sql, rows, (row) => [integerOf(row, 'input_index'), daysIn(row)] as const),
  );
  return addresses.map((_, i) => lists.get(i + 1) ?? []);
}

function daysIn(row: Row): RecordedDay[] {
  const sampledAt = integersOf(row, 'sampled');
  return integersOf(row, 'buckets').map((bucket, i) => ({ bucket, sampledAt: sampledAt[i] ?? bucket }));
}

function daysStatement(kind: SeriesKind): string {
  const { table } = SERIES_OF_KIND[kind];
  const listed = (column: string) =>
    `array_agg(round(date_part('epoch', p.${column}) * 1000)::bigint ORDER BY p.bucket)::text`;
  return `SELECT a.input_index::integer AS input_index, ${listed('bucket')} AS buckets, ${listed('sampled_at')} AS sampled
    FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
    JOIN subject s ON s.address = a.address
    JOIN ${table.name} p ON p.${leadingKey(table)} = s.id AND p.step = ${DAY}
    GROUP BY a.input_index`;
}
