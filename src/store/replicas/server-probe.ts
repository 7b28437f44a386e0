import { isCodedError } from '../../errors/sluice-error.ts';
import { openPgConnection, type PgConnection } from '../pg-connection.ts';
import { bigintOf, type Row, textOf } from '../rows.ts';

/** The state of a server at one moment. */
export interface ServerReading {
  /** Whether it replays the log of another server. */
  readonly isReplica: boolean;
  /** End of what was written, on a primary, or replayed, on a replica. */
  readonly lsn: bigint;
  /** Made by `initdb`; replicas have that of their primary. */
  readonly system: string;
  /** The database within the server. */
  readonly database: string;
  /** Digest of the applied migrations. */
  readonly schema: string;
}

/**
 * Insert position, not write position: with `synchronous_commit = off`, a transaction is visible before it is written. As a
 * difference, because bytes can be compared.
 */
const LSN = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END
  - '0/0'::pg_lsn)::text AS lsn`;

const READING = `SELECT pg_is_in_recovery()::text AS is_replica, ${LSN},
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT coalesce(md5(string_agg(migration_name || ' ' || checksum, ',' ORDER BY migration_name)), '')
   FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS schema`;

/**
 * Measures a server over a connection of its own, so that a busy pool does not look like a server that does not answer. Connects
 * again after a failure.
 */
export class ServerProbe {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #onLost: () => void;
  #connection: Promise<PgConnection> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @param onLost called when the server ends the connection */
  constructor(url: string, timeoutMs: number, onLost: () => void = () => {}) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#onLost = onLost;
  }

  async read(): Promise<ServerReading> {
    const row = await this.#row(READING);
    return {
      isReplica: textOf(row, 'is_replica') === 'true',
      lsn: bigintOf(row, 'lsn'),
      system: textOf(row, 'system'),
      database: textOf(row, 'database'),
      schema: textOf(row, 'schema'),
    };
  }

  async lsn(): Promise<bigint> {
    return bigintOf(await this.#row(`SELECT ${LSN}`), 'lsn');
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    // One that never opened, or is broken, has nothing left to close.
    await connection?.then((open) => open.close()).catch(() => {});
  }

  /** One after the other, because there is one connection. */
  #row(text: string): Promise<Row> {
    const row = this.#last.then(() => this.#rowNow(text));
    this.#last = row.catch(() => {});
    return row;
  }

  async #rowNow(text: string): Promise<Row> {
    this.#connection ??= this.#connect();
    try {
      const [row] = await (await this.#connection).rows(text);
      return row ?? {};
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  async #connect(): Promise<PgConnection> {
    return await openPgConnection({
      url: this.#url,
      statementTimeoutMs: this.#timeoutMs,
      silenceMs: this.#timeoutMs,
      onLost: this.#onLost,
    });
  }
}

/** Why a measurement failed: a code, never the server's message. */
export function probeFailure(error: unknown): string {
  if (isCodedError(error, 'HISTORY_UNAVAILABLE')) return error.context.reason;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return /^SQLSTATE \w{5}/.exec(cause)?.[0] ?? 'its answer is not understood';
}
