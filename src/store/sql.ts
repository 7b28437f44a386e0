import type { WorkBudget } from '../node/work-budget.ts';
import type { Models, RunOperation } from './models.ts';

/** A statement parameter; an array is one parameter, for `unnest`. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | readonly (string | number | bigint | boolean | Date | null)[];

/** Runs statements. Select decimals as text (`::text`), so that no driver converts them to floats. */
export interface Sql {
  /** The account that the statements are drawn from; absent for those of the gateway itself. */
  readonly work?: Pick<WorkBudget, 'map' | 'giveWay'>;
  rows(text: string, params?: readonly SqlValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Resolves to the number of affected rows. */
  run(text: string, params?: readonly SqlValue[]): Promise<number>;
}

/** Connection counts of a pool. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  /** Statements waiting for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** Statements and models, of a database or of one transaction on it. */
export interface Tables extends Sql {
  readonly models: Models;
}

export interface Transactional<S extends Sql> {
  /** Commits when `work` resolves and rolls back when it throws. */
  transaction<T>(work: (sql: S) => Promise<T>): Promise<T>;
}

/** An open database without models: PostgreSQL, or the embedded one, which runs the same SQL. */
export interface SqlDatabase extends Sql, Transactional<Sql> {
  pool(): PoolState;
  close(): Promise<void>;
}

/** An open database. */
export interface Database extends Tables, Transactional<Tables> {
  /** The models, with all of their operations run through `run`. */
  modelsThrough(run: RunOperation): Models;
  pool(): PoolState;
  close(): Promise<void>;
}

/**
 * Sends every parameter as text and lets the server parse it into the type it needs, so nothing is rounded on
 * the way.
 */
export function toText(value: SqlValue): string | null {
  if (value === null) return null;
  if (isList(value)) return `{${value.map(toElement).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Always quoted: unquoted, an empty string or the word NULL would mean something else. */
export function toElement(value: SqlValue): string {
  const text = toText(value);
  if (text === null) return 'NULL';
  return text.includes('"') || text.includes('\\') ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

const isList = (value: SqlValue): value is Extract<SqlValue, readonly unknown[]> => Array.isArray(value);
