import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { connectionOf } from './connection.ts';
import { databaseError } from './database-error.ts';
import { PrismaClient } from './generated/client.ts';
import { type Models, modelClient, type RunOperation } from './models.ts';
import { type Database, type Tables, toText } from './sql.ts';

export interface DatabaseOptions {
  /** `postgresql://...`, for a server or for the embedded database. */
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /** Longest wait of a statement for a free connection, or for a new one. */
  readonly connectTimeoutMs?: number | undefined;
  /** Refuse writes, also when the server would take them. */
  readonly readOnly?: boolean | undefined;
  /** Called when a statement has ended, whether it succeeded or failed. */
  readonly onStatement?: ((statement: EndedStatement) => void) | undefined;
}

export interface EndedStatement {
  /** SQL with placeholders (`$1`) instead of values, or the operation and the model (`findMany Alert`). */
  readonly text: string;
  readonly durationMs: number;
  /** `ok`, or the error code. */
  readonly outcome: string;
}

/**
 * Replaces Prisma's transaction timeout of five seconds; ours last as long as their statements, up to this
 * limit.
 */
const TRANSACTION_MS = 300_000;
/** Wait beyond the server's own timeout before the connection counts as lost. */
const LOST_AFTER_MS = 5_000;
/**
 * The server ends a transaction that is idle this long, so a paused process cannot hold its locks for longer.
 */
const IDLE_TRANSACTION_MS = 20_000;

/** The methods that Prisma's client and its transactions share. */
interface AnyClient extends Models {
  $queryRawUnsafe(text: string, ...params: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...params: unknown[]): Promise<number>;
}

/**
 * Opens a connection pool. It connects on the first statement and replaces dropped connections on the next
 * one, so a database that is down at start-up, or restarts, needs no special handling.
 *
 * @throws SluiceError from every method
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const pool = new Pool({
    ...connectionOf(options.url, options.connectTimeoutMs, options.readOnly),
    max: options.poolSize,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    query_timeout: options.statementTimeoutMs + LOST_AFTER_MS,
  });
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const { poolSize: max, onStatement } = options;
  const prisma = new PrismaClient({ adapter });
  await prisma.$connect();
  const modelsThrough = (run: RunOperation) =>
    modelClient(prisma, (text, operation) => run(text, () => runStatement(text, onStatement, operation)));
  const client = modelsThrough((_, operation) => operation());
  return {
    ...tablesOf(client, onStatement),
    modelsThrough,
    transaction: (work) => transact(client, work, onStatement),
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max }),
    close: () => prisma.$disconnect(),
  };
}

async function transact<T>(
  client: ReturnType<typeof modelClient>,
  work: (tables: Tables) => Promise<T>,
  onStatement: DatabaseOptions['onStatement'],
): Promise<T> {
  const thrown: unknown[] = [];
  const inside = (tables: Tables) =>
    work(tables).catch((error: unknown) => {
      thrown.push(error);
      throw error;
    });
  try {
    return await client.$transaction((tx) => inside(tablesOf(tx, onStatement)), {
      maxWait: TRANSACTION_MS,
      timeout: TRANSACTION_MS,
    });
  } catch (error) {
    // An error thrown by `work` belongs to the caller; an error from opening or committing belongs to the
    // database.
    throw thrown.length > 0 ? thrown[0] : databaseError(error);
  }
}

function tablesOf(client: AnyClient, onStatement: DatabaseOptions['onStatement']): Tables {
  return {
    models: client,
    rows: (text, params = []) =>
      runStatement(text, onStatement, async () => {
        return (await client.$queryRawUnsafe(text, ...params.map(toText))) as Record<string, unknown>[];
      }),
    run: (text, params = []) =>
      runStatement(text, onStatement, () => client.$executeRawUnsafe(text, ...params.map(toText))),
  };
}

/** Runs one statement, converts its error to a coded one, and reports the outcome. */
async function runStatement<T>(
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
