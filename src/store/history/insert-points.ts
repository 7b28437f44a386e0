import type { Sql } from '../sql.ts';
import { allColumns, type Column, type ColumnType, isList, primaryKey, type SeriesTable } from './columns.ts';
import type { PointLists } from './point-lists.ts';

const SQL_TYPES: { readonly [T in ColumnType]: string } = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  text: 'text',
  instant: 'timestamptz',
  // `unnest` would take a list of lists apart down to its elements: a row names the place of its list among all lists.
  integers: 'integer',
  decimals: 'integer',
};

/** What happens to a point that is already there. */
export type OnConflict = 'keep-first' | 'keep-richer';

/** Inserts points. */
export async function insertPoints(sql: Sql, points: PointLists, onConflict: OnConflict): Promise<void> {
  const statement = insertStatement(points.table, allColumns(points.table), onConflict);
  for (const lists of points.statements()) await sql.run(statement, lists);
}

function insertStatement(table: SeriesTable, columns: readonly Column[], onConflict: OnConflict): string {
  const names = columns.map(({ name }) => name);
  const key = primaryKey(table).join(', ');
  const told = columns.filter(isList).map((column, index) => toldLists(column, columns.length + index + 1));
  const lists = columns.map(({ type }, index) => `$${index + 1}::${SQL_TYPES[type]}[]`);
  // One statement may not replace a row twice; of several points for one bucket the latest is meant.
  const distinct =
    onConflict === 'keep-richer'
      ? { select: `SELECT DISTINCT ON (${key})`, order: `ORDER BY ${key}, sampled_at DESC` }
      : { select: 'SELECT', order: '' };
  const otherwise = {
    'keep-first': `ON CONFLICT (${key}) DO NOTHING`,
    'keep-richer': `ON CONFLICT (${key}) ${keepRicher(table)}`,
  };
  return `INSERT INTO ${table.name} (${names.join(', ')})
    ${distinct.select} ${columns.map((column) => (isList(column) ? `${column.name}_told.list` : column.name)).join(', ')}
    FROM unnest(${lists.join(', ')}) AS u(${names.join(', ')}) ${told.join(' ')} ${distinct.order}
    ${otherwise[onConflict]}`;
}

/** Each list is read once, however many rows have it (`OFFSET 0` keeps the planner from reading it for each of them). */
function toldLists({ name, type }: Column, parameter: number): string {
  const elements = type === 'integers' ? 'integer' : 'numeric';
  return `LEFT JOIN (
      SELECT place, list::${elements}[] AS list
      FROM unnest($${parameter}::text[]) WITH ORDINALITY AS t(list, place) OFFSET 0
    ) AS ${name}_told ON ${name}_told.place = u.${name}`;
}

/**
 * A point gives way to one that is made of more samples, or of as many and is not equal; never to a poorer one. So a
 * coarse point outlives the finer ones that it was made of, and making it again from all of them changes nothing.
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
