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

/** An open database: PostgreSQL, or the embedded one, which takes the same SQL. */
export interface Database extends Sql {
  /** All or nothing; what `work` throws rolls it back. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
