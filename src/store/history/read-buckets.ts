import type { Address } from '@solana/kit';
import { integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { leadingKey } from './columns.ts';
import { columnsOf, readRows, withNames } from './read-rows.ts';
import type { PointTime, Selected, Series } from './series.ts';
import { instantText, type Step } from './time-buckets.ts';

/** Buckets of one series. */
export interface BucketRequest {
  readonly address: Address;
  readonly step: Step;
  /** Starts of the buckets, in milliseconds since the epoch. */
  readonly buckets: Iterable<number>;
}

/** The points of exactly these buckets, ascending; a bucket without a record is omitted. One statement. */
export async function readBuckets<P extends PointTime, F extends keyof P>(
  sql: Sql,
  series: Series<P>,
  requests: readonly BucketRequest[],
  fields: readonly F[],
): Promise<Selected<P, F>[][]> {
  const lists = requests.map((): Selected<P, F>[] => []);
  const wanted = requests.flatMap(({ address, step, buckets }, index) =>
    [...buckets].map((bucket) => ({ index, address, step, bucket: instantText(new Date(bucket)) })),
  );
  if (wanted.length === 0) return lists;
  const { table } = series;
  const columns = columnsOf(series, fields);
  const points = `SELECT a.input_index, ${columns.map(({ name }) => `p.${name}`).join(', ')}
    FROM unnest($1::integer[], $2::text[], $3::integer[], $4::timestamptz[]) AS a(input_index, address, step, bucket)
    JOIN subject s ON s.address = a.address
    JOIN ${table.name} p ON p.${leadingKey(table)} = s.id AND p.step = a.step AND p.bucket = a.bucket`;
  const rows = await sql.rows(withNames(table, columns, points), [
    wanted.map(({ index }) => index),
    wanted.map(({ address }) => address),
    wanted.map(({ step }) => step),
    wanted.map(({ bucket }) => bucket),
  ]);
  await readRows(sql, series, fields, rows, (row) => lists[integerOf(row, 'input_index')]);
  return lists;
}
