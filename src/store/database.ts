import { PrismaPg } from '@prisma/adapter-pg';
import { connectionOf } from './connection.ts';
import { databaseError } from './database-error.ts';
import { PrismaClient } from './generated/client.ts';
import type { Database, Sql, SqlValue } from './sql.ts';

export interface DatabaseOptions {
  /** `postgresql://...`, of a server or of the embedded database. */
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
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
  const adapter = new PrismaPg({
    ...connectionOf(options.url),
    max: options.poolSize,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: SILENT_TRANSACTION_MS,
    query_timeout: options.statementTimeoutMs + LOST_AFTER_MS,
  });
  const client = new PrismaClient({ adapter });
  await client.$connect();
  return {
    ...sqlOf(client),
    transaction: (work) => transact(client, work),
    close: () => client.$disconnect(),
  };
}

async function transact<T>(client: PrismaClient, work: (sql: Sql) => Promise<T>): Promise<T> {
  const thrown: unknown[] = [];
  const inside = (sql: Sql) =>
    work(sql).catch((error: unknown) => {
      thrown.push(error);
      throw error;
    });
  try {
    return await client.$transaction((tx) => inside(sqlOf(tx)), {
      maxWait: TRANSACTION_MS,
      timeout: TRANSACTION_MS,
    });
  } catch (error) {
    // What the work threw is the caller's; what opening or committing threw is the database's.
    throw thrown.length > 0 ? thrown[0] : databaseError(error);
  }
}

function sqlOf(client: RawClient): Sql {
  return {
    async rows(text, params = []) {
      try {
        return (await client.$queryRawUnsafe(text, ...params.map(toText))) as Record<string, unknown>[];
      } catch (error) {
        throw databaseError(error);
      }
    },
    async run(text, params = []) {
      try {
        return await client.$executeRawUnsafe(text, ...params.map(toText));
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}

/** Every parameter travels as text, which the server reads as the type it needs: nothing on the way can round it. */
function toText(value: SqlValue): string | null {
  if (value === null) return null;
  if (isList(value)) return `{${value.map(toElement).join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Quoted whatever it holds: unquoted, an empty text or the word NULL would be something else. */
function toElement(value: SqlValue): string {
  const text = toText(value);
  if (text === null) return 'NULL';
  return text.includes('"') || text.includes('\\') ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

const isList = (value: SqlValue): value is Extract<SqlValue, readonly unknown[]> => Array.isArray(value);
