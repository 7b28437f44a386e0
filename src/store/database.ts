import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { connectionOf } from './connection.ts';
import { databaseError } from './database-error.ts';
import { PrismaClient } from './generated/client.ts';
import { type Database, type Sql, toText } from './sql.ts';

export interface DatabaseOptions {
  /** `postgresql://...`, of a server or of the embedded database. */
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /** Told about every statement when it has ended. */
  readonly onStatement?: ((statement: EndedStatement) => void) | undefined;
}

export interface EndedStatement {
  /** With `$1` where its values go. */
  readonly text: string;
  readonly durationMs: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
}

/** Prisma gives up on a transaction after five seconds; ours end when their statements do, or are cut off here. */
const TRANSACTION_MS = 300_000;
/** How much longer than the server we wait before a statement counts as lost with its connection. */
const LOST_AFTER_MS = 5_000;
/** A process that was paused amid a transaction does not hold its locks for longer than this. */
const SILENT_TRANSACTION_MS = 20_000;

/** Statements of one connection or of a pool, as Prisma names them. */
interface RawClient {
  $queryRawUnsafe(text: string, ...params: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...params: unknown[]): Promise<number>;
}

/**
 * A pool of connections. None is opened before the first statement, and one that drops is replaced at the next, so a
 * database that is down at start-up or restarts needs no care. @throws SluiceError from every method
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = new Pool({
    ...connectionOf(options.url),
    max: options.poolSize,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: SILENT_TRANSACTION_MS,
    query_timeout: options.statementTimeoutMs + LOST_AFTER_MS,
  });
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const client = new PrismaClient({ adapter });
  await client.$connect();
  const { poolSize: max, onStatement } = options;
  return {
    ...sqlOf(client, onStatement),
    transaction: (work) => transact(client, work, onStatement),
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max }),
    close: () => client.$disconnect(),
  };
}

async function transact<T>(
  client: PrismaClient,
  work: (sql: Sql) => Promise<T>,
  onStatement: DatabaseOptions['onStatement'],
): Promise<T> {
  const thrown: unknown[] = [];
  const inside = (sql: Sql) =>
    work(sql).catch((error: unknown) => {
      thrown.push(error);
      throw error;
    });
  try {
    return await client.$transaction((tx) => inside(sqlOf(tx, onStatement)), {
      maxWait: TRANSACTION_MS,
      timeout: TRANSACTION_MS,
    });
  } catch (error) {
    // What the work threw is the caller's; what opening or committing threw is the database's.
    throw thrown.length > 0 ? thrown[0] : databaseError(error);
  }
}

function sqlOf(client: RawClient, onStatement: DatabaseOptions['onStatement']): Sql {
  return {
    rows: (text, params = []) =>
      ended(text, onStatement, async () => {
        return (await client.$queryRawUnsafe(text, ...params.map(toText))) as Record<string, unknown>[];
      }),
    run: (text, params = []) =>
      ended(text, onStatement, () => client.$executeRawUnsafe(text, ...params.map(toText))),
  };
}

/** Runs one statement, codes what it throws, and tells how it ended. */
async function ended<T>(
  text: string,
  onStatement: DatabaseOptions['onStatement'],
  run: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let outcome = 'ok';
  try {
    return await run();
  } catch (error) {
    const coded = databaseError(error);
    outcome = coded.code;
    throw coded;
  } finally {
    onStatement?.({ text, durationMs: performance.now() - startedAt, outcome });
  }
}
