import type { Sql } from '../sql.ts';
import {
  allColumns,
  type Cell,
  type Column,
  type ColumnType,
  primaryKey,
  type SeriesTable,
} from './columns.ts';

/** Enough that the cost of a statement is its rows, and few enough that one fits well into memory. */
const ROWS_PER_STATEMENT = 5_000;

const SQL_TYPES: { readonly [T in ColumnType]: string } = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  text: 'text',
  instant: 'timestamptz',
  // `unnest` would take a list of lists apart down to its elements: each list travels as text.
  integers: 'text',
  decimals: 'text',
};

/** What happens to a point that is already there. */
export type OnConflict = 'keep-first' | 'keep-richer';

/** Inserts points; a row is its cells in the order of `allColumns`. Resolves to how many were written. */
export async function insertPoints(
  sql: Sql,
  table: SeriesTable,
  points: readonly (readonly Cell[])[],
  onConflict: OnConflict,
): Promise<number> {
  const columns = allColumns(table);
  const statement = insertStatement(table, columns, onConflict);
  let written = 0;
  for (let from = 0; from < points.length; from += ROWS_PER_STATEMENT) {
    const page = points.slice(from, from + ROWS_PER_STATEMENT);
    const lists = columns.map((_, index) => page.map((cells) => cells[index] ?? null));
    written += await sql.run(statement, lists);
  }
  return written;
}

function insertStatement(table: SeriesTable, columns: readonly Column[], onConflict: OnConflict): string {
  const names = columns.map(({ name }) => name);
  const key = primaryKey(table).join(', ');
  const lists = columns.map(({ type }, index) => `$${index + 1}::${SQL_TYPES[type]}[]`);
  // One statement may not replace a row twice; of several points for one bucket the latest is meant.
  const distinct =
    onConflict === 'keep-first'
      ? { select: 'SELECT', order: '' }
      : { select: `SELECT DISTINCT ON (${key})`, order: `ORDER BY ${key}, sampled_at DESC` };
  return `INSERT INTO ${table.name} (${names.join(', ')})
    ${distinct.select} ${columns.map(({ name, type }) => `${name}${LIST_CASTS[type] ?? ''}`).join(', ')}
    FROM unnest(${lists.join(', ')}) AS u(${names.join(', ')}) ${distinct.order}
    ON CONFLICT (${key}) ${onConflict === 'keep-first' ? 'DO NOTHING' : keepRicher(table)}`;
}

const LIST_CASTS: { readonly [T in ColumnType]?: string } = {
  integers: '::integer[]',
  decimals: '::numeric[]',
};

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
