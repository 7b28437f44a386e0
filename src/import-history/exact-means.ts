import { toDecimalString } from '../numeric/decimal.ts';
import { leadingKey, type SeriesTable } from '../store/history/columns.ts';
import { instantText, type Step } from '../store/history/steps.ts';
import type { Sql, SqlValue } from '../store/sql.ts';
import type { SourcePoint } from './subjects.ts';

/** An imported point has no slot: only those are given more than their sample, never what was recorded. */
export const IMPORTED = 'p.slot = 0';

/**
 * Gives imported points of a subject the means of their buckets as they were told. A sample has one price, the last,
 * which would stand for the mean as well; and a mean that was told with more digits than a sample keeps would come out
 * as another number. Resolves to how many points that changed.
 */
export async function setExactMeans(
  sql: Sql,
  table: SeriesTable,
  step: Step,
  subjectId: number,
  points: readonly SourcePoint[],
): Promise<number> {
  const names = Object.keys(points[0]?.means ?? {});
  if (names.length === 0) return 0;
  const told = (name: string): SqlValue =>
    points.map(({ means }) => {
      const mean = means[name] ?? null;
      return mean === null ? null : toDecimalString(mean);
    });
  return await sql.run(statement(table, names), [
    subjectId,
    step,
    points.map(({ bucket }) => instantText(bucket)),
    ...names.map(told),
  ]);
}

/** Beside a sum that may be unknown stands how many samples knew it: all, when a mean was told. */
function statement(table: SeriesTable, names: readonly string[]): string {
  const columns = new Set(table.columns.map(({ name }) => name));
  const sums = names.map((name) => [`${name}_sum`, `trim_scale(u.${name} * p.samples)`, name] as const);
  const counts = names.map((name) => [`${name}_count`, 'p.samples', name] as const);
  const set = [...sums, ...counts].filter(([column]) => columns.has(column));
  const fresh = set.map(
    ([column, value, name]) => `CASE WHEN u.${name} IS NULL THEN p.${column} ELSE ${value} END`,
  );
  return `UPDATE ${table.name} p SET ${set.map(([column], i) => `${column} = ${fresh[i]}`).join(', ')}
    FROM unnest($3::timestamptz[], ${names.map((_, i) => `$${i + 4}::numeric[]`).join(', ')}) AS u(bucket, ${names.join(', ')})
    WHERE p.${leadingKey(table)} = $1::integer AND p.step = $2::integer AND p.bucket = u.bucket AND ${IMPORTED}
      AND ROW(${set.map(([column]) => `p.${column}`).join(', ')}) IS DISTINCT FROM ROW(${fresh.join(', ')})`;
}
