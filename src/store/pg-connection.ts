import { Client } from 'pg';
import { connectionOf } from './connection.ts';
import { copyIn } from './copy-in.ts';
import { databaseError } from './database-error.ts';
import { type Sql, type SqlDatabase, toText } from './sql.ts';

export interface PgConnectionOptions {
  readonly url: string;
  readonly statementTimeoutMs: number;
  /** Longest wait for the server, to connect and for each statement; absent: as long as connecting takes elsewhere. */
  readonly silenceMs?: number | undefined;
  /** Called when the server ends the connection. */
  readonly onLost?: (() => void) | undefined;
}

/** A database over a single connection. */
export interface PgConnection extends SqlDatabase {
  /** Runs a `COPY ... FROM STDIN (FORMAT binary)`; inside a transaction it is part of it. */
  copyIn(statement: string, rows: Uint8Array): Promise<void>;
}

/**
 * A single connection without Prisma, for a thread that writes megabytes and ends: Prisma would encode every
 * parameter as JSON and parse it again. Not for concurrent use: a transaction captures every statement issued
 * while it is open.
 *
 * @throws SluiceError from every method
 */
export async function openPgConnection({
  url,
  statementTimeoutMs,
  silenceMs,
  onLost,
}: PgConnectionOptions): Promise<PgConnection> {
  const client = new Client({
    ...connectionOf(url, silenceMs),
    statement_timeout: statementTimeoutMs,
    query_timeout: silenceMs,
  });
  // Without a listener, a dropped connection would end the process. The pending statement fails on its own.
  client.on('error', () => {});
  let isClosing = false;
  client.on('end', () => {
    if (!isClosing) onLost?.();
  });
  const query = async (text: string, params: Parameters<Sql['run']>[1] = []) => {
    try {
      return await client.query<Record<string, unknown>>(text, params.map(toText));
    } catch (error) {
      throw databaseError(error);
    }
  };
  const sql: Sql = {
    rows: async (text, params) => (await query(text, params)).rows,
    run: async (text, params) => (await query(text, params)).rowCount ?? 0,
  };
  try {
    await client.connect();
  } catch (error) {
    throw databaseError(error);
  }
  return {
    ...sql,
    async transaction(work) {
      await query('BEGIN');
      try {
        const result = await work(sql);
        await query('COMMIT');
        return result;
      } catch (error) {
        // The rollback fails too if the connection is lost; the first error is the one to report.
        await query('ROLLBACK').catch(() => {});
        throw error;
      }
    },
    async copyIn(statement, rows) {
      try {
        await copyIn(client, statement, rows);
      } catch (error) {
        throw databaseError(error);
      }
    },
    pool: () => ({ open: 1, idle: 0, waiting: 0, max: 1 }),
    close: () => {
      isClosing = true;
      return client.end();
    },
  };
}
