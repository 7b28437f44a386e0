/** What a statement may be given; an array is one parameter, for `unnest`. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | readonly (string | number | bigint | boolean | Date | null)[];

/** Runs statements. Decimals are asked for as text (`::text`): no driver's number may touch them. */
export interface Sql {
  rows(text: string, params?: readonly SqlValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Resolves to the number of rows that were touched. */
  run(text: string, params?: readonly SqlValue[]): Promise<number>;
}

/** The connections of a pool. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** An open database: PostgreSQL, or the embedded one, which takes the same SQL. */
export interface Database extends Sql {
  /** All or nothing; what `work` throws rolls it back. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  pool(): PoolState;
  close(): Promise<void>;
}

/** Every parameter travels as text, which the server reads as the type it needs: nothing on the way can round it. */
export function toText(value: SqlValue): string | null {
  if (value === null) return null;
  if (isList(value)) return `{${value.map(toElement).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Quoted whatever it holds: unquoted, an empty text or the word NULL would be something else. */
export function toElement(value: SqlValue): string {
  const text = toText(value);
  if (text === null) return 'NULL';
  return text.includes('"') || text.includes('\\') ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

const isList = (value: SqlValue): value is Extract<SqlValue, readonly unknown[]> => Array.isArray(value);
