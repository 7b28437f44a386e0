import { openDatabase } from '../../../src/store/database.ts';
import { takeFence } from '../../../src/store/leases/fencing-token.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { Database, Sql } from '../../../src/store/sql.ts';
import type { TestDatabase } from '../databases/test-databases.ts';

/** Hundreds of statements wait for four connections, perhaps on a busy machine. */
const CONNECT_TIMEOUT_MS = 300_000;

export interface HistoryDatabase {
  readonly db: Database;
  readonly url: string;
  /** Valid until another is taken. */
  readonly fence: bigint;
  drop(): Promise<void>;
}

/** An empty database with its tables and a leader. */
export const openHistory = (kind: TestDatabase): Promise<HistoryDatabase> =>
  openHistoryCopy(kind, 'history', async () => {});

/** The same, filled once in a test run by `fill` and copied. `fill` must leave no connection open. */
export async function openHistoryCopy(
  kind: TestDatabase,
  template: string,
  fill: (url: string) => Promise<unknown>,
): Promise<HistoryDatabase> {
  const { url, close } = await kind.openCopy(template, async (made) => {
    await migrate(made);
    await fill(made);
  });
  const db = await openDatabase({
    url,
    poolSize: 4,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  const drop = async () => {
    await db.close();
    await close();
  };
  return { db, url, fence: await takeFence(db, 'test'), drop };
}

/** Records the statements it executes, and the operations on models. */
export function recording(db: Database): { readonly db: Database; readonly statements: string[] } {
  const statements: string[] = [];
  const recorded = (sql: Sql): Sql => ({
    rows(text, params) {
      statements.push(text);
      return sql.rows(text, params);
    },
    run(text, params) {
      statements.push(text);
      return sql.run(text, params);
    },
  });
  const modelsThrough: Database['modelsThrough'] = (run) =>
    db.modelsThrough((text, operation) => {
      statements.push(text);
      return run(text, operation);
    });
  return {
    statements,
    db: {
      ...recorded(db),
      models: modelsThrough((_, operation) => operation()),
      modelsThrough,
      transaction: (work) => db.transaction((tables) => work({ ...recorded(tables), models: tables.models })),
      pool: () => db.pool(),
      close: () => db.close(),
    },
  };
}

/** The contents of all point tables, to detect changes. */
export async function everyPoint(sql: Sql): Promise<readonly string[]> {
  const tables = ['vault_point', 'reserve_point', 'market_point', 'price_point', 'reward_point', 'snapshot'];
  const rows = await sql.rows(
    tables.map((table) => `SELECT '${table} ' || t::text AS line FROM ${table} t`).join(' UNION ALL '),
  );
  return rows.map(({ line }) => String(line)).sort();
}
