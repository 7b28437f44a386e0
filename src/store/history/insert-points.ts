import type { Sql } from '../sql.ts';
import { allColumns, type Column, type ColumnType, isList, primaryKey, type SeriesTable } from './columns.ts';
import type { PointLists } from './point-lists.ts';

const SQL_TYPES: { readonly [T in ColumnType]: string } = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  text: 'text',
  instant: 'timestamptz',
  // `unnest` would flatten a list of lists, so a row holds the index of its list in a separate parameter.
  integers: 'integer',
  decimals: 'integer',
};

/** Treatment of a point that already exists. */
export type OnConflict = 'keep-first' | 'keep-richer';

export async function insertPoints(sql: Sql, points: PointLists, onConflict: OnConflict): Promise<void> {
  const statement = insertStatement(points.table, allColumns(points.table), onConflict);
  for (const lists of points.statements()) await sql.run(statement, lists);
}

function insertStatement(table: SeriesTable, columns: readonly Column[], onConflict: OnConflict): string {
  const names = columns.map(({ name }) => name);
  const key = primaryKey(table).join(', ');
  const listJoins = columns
    .filter(isList)
    .map((column, index) => joinLists(column, columns.length + index + 1));
  const lists = columns.map(({ type }, index) => `$${index + 1}::${SQL_TYPES[type]}[]`);
  // One statement may not update a row twice; of several points for one bucket, the latest wins.
  const distinct =
    onConflict === 'keep-richer'
      ? { select: `SELECT DISTINCT ON (${key})`, order: `ORDER BY ${key}, sampled_at DESC` }
      : { select: 'SELECT', order: '' };
  const conflictClause = {
    'keep-first': `ON CONFLICT (${key}) DO NOTHING`,
    'keep-richer': `ON CONFLICT (${key}) ${keepRicher(table)}`,
  };
  return `INSERT INTO ${table.name} (${names.join(', ')})
    ${distinct.select} ${columns.map((column) => (isList(column) ? `${column.name}_lists.list` : column.name)).join(', ')}
    FROM unnest(${lists.join(', ')}) AS u(${names.join(', ')}) ${listJoins.join(' ')} ${distinct.order}
    ${conflictClause[onConflict]}`;
}

/**
 * Parses each distinct list once, however many rows share it (`OFFSET 0` stops the planner from parsing it
 * per row).
 */
function joinLists({ name, type }: Column, parameter: number): string {
  const elements = type === 'integers' ? 'integer' : 'numeric';
  return `LEFT JOIN (
      SELECT place, list::${elements}[] AS list
      FROM unnest($${parameter}::text[]) WITH ORDINALITY AS t(list, place) OFFSET 0
    ) AS ${name}_lists ON ${name}_lists.place = u.${name}`;
}

/**
 * Replaces a point by one with more samples, or by a different one with as many; never by one with fewer. So
 * a coarse point outlives the finer points it was made from, and recomputing it from all of them changes
 * nothing.
 */
export function keepRicher(table: SeriesTable): string {
  const names = allColumns(table)
    .filter(({ role }) => role !== 'key')
    .map(({ name }) => name);
  const old = names.map((name) => `${table.name}.${name}`).join(', ');
  const fresh = names.map((name) => `excluded.${name}`).join(', ');
  return `DO UPDATE SET (${names.join(', ')}) = ROW(${fresh})
    WHERE ${table.name}.samples < excluded.samples
       OR (${table.name}.samples = excluded.samples AND ROW(${old}) IS DISTINCT FROM ROW(${fresh}))`;
}
