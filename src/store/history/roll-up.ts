import type { Sql } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';
import { allColumns, type Column, leadingKey, primaryKey, type SeriesTable, seriesKey } from './columns.ts';
import { keepRicher } from './insert-points.ts';
import { DAY, HOUR, instantText, MINUTE, type Step, type TimeSpan, wholeBuckets } from './time-buckets.ts';

/** Which step is rolled up into which, finest first. */
const LEVELS: readonly { readonly from: Step; readonly to: Step }[] = [
  { from: MINUTE, to: HOUR },
  { from: HOUR, to: DAY },
];

/**
 * Rolls minutes up into hours, then hours into days, for the coarser buckets that the span touches and for
 * series whose leading key is in `ids`. Idempotent. Resolves to the number of points inserted or changed.
 */
export async function rollUpTable(
  sql: Sql,
  table: SeriesTable,
  ids: readonly number[],
  span: TimeSpan,
  step: Step,
): Promise<number> {
  let changed = 0;
  for (const { from, to } of LEVELS.filter((level) => level.from >= step)) {
    const { start, end } = wholeBuckets(span, to);
    const params = [from, to, ids, instantText(start), instantText(end)];
    changed += await sql.run(rollUpStatement(table), params);
  }
  return changed;
}

/** `rollUpTable` for every table. */
export async function rollUp(
  sql: Sql,
  ids: readonly number[],
  span: TimeSpan,
  step: Step = MINUTE,
): Promise<number> {
  let changed = 0;
  for (const table of ALL_TABLES) changed += await rollUpTable(sql, table, ids, span, step);
  return changed;
}

/**
 * Adds sums up over the bucket and takes everything else from its last row, which is looked up by its full
 * key. Both use only the primary key (`OFFSET 0` stops the planner from joining the whole table). The last
 * bucket holds the last sample, because a sample lies inside its bucket.
 */
function rollUpStatement(table: SeriesTable): string {
  const columns = allColumns(table);
  const key = seriesKey(table);
  const summed = columns.filter(isSummed);
  const sums = summed.map(
    ({ name, type }) => `sum(${name})${type === 'integer' ? '::integer' : ''} AS ${name}`,
  );
  const picked = columns.map((column) => (isSummed(column) ? `g.${column.name}` : lastOf(column, key)));
  const sameSeries = key.map((name) => `t.${name} = g.${name}`).join(' AND ');
  return `INSERT INTO ${table.name} (${columns.map(({ name }) => name).join(', ')})
    SELECT ${picked.join(', ')}
    FROM (
      SELECT ${key.join(', ')}, date_bin($2::integer * interval '1 second', bucket, 'epoch'::timestamptz) AS coarse,
        max(bucket) AS last_bucket, ${sums.join(', ')}
      FROM ${table.name}
      WHERE ${leadingKey(table)} = ANY($3::integer[]) AND step = $1::integer
        AND bucket >= $4::timestamptz AND bucket < $5::timestamptz
      GROUP BY ${key.join(', ')}, coarse
    ) g
    CROSS JOIN LATERAL (
      SELECT * FROM ${table.name} t WHERE ${sameSeries} AND t.step = $1::integer AND t.bucket = g.last_bucket OFFSET 0
    ) l
    ON CONFLICT (${primaryKey(table).join(', ')}) ${keepRicher(table)}`;
}

const isSummed = ({ role }: Column): boolean => role === 'sum' || role === 'count';

function lastOf({ name }: Column, key: readonly string[]): string {
  if (name === 'step') return '$2::integer';
  if (name === 'bucket') return 'g.coarse';
  return key.includes(name) ? `g.${name}` : `l.${name}`;
}
