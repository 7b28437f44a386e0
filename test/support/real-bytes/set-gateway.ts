import { takeSnapshot } from '../../../src/recorder/take-snapshot.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { MINUTE } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { addKey } from '../../../src/store/keys/key-table.ts';
import { takeFence } from '../../../src/store/leases/fencing-token.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { Database } from '../../../src/store/sql.ts';
import { STILL, startReadyApp, type TestApp } from '../apps/test-app.ts';
import { untilHistoryIsReady } from '../apps/until-history-is-ready.ts';
import { STORED_CONTRACT_KEY } from '../contract/contract-key.ts';
import { databases, type OpenTestDatabase } from '../databases/test-databases.ts';
import { startFileRpc } from '../localnet/file-chain.ts';
import type { AccountSet } from './account-sets.ts';

/** Everything in one query: the limits are not under test. */
const NO_LIMITS = {
  MAX_QUERY_TOKENS: '100000',
  MAX_QUERY_DEPTH: '100',
  MAX_QUERY_ALIASES: '10000',
  MAX_QUERY_COST: '1000000000',
  MAX_QUERY_NODES: '1000000000',
};

export interface SetGateway {
  readonly gateway: TestApp;
  stop(): Promise<void>;
}

/** A gateway over an RPC that serves a set of accounts as mainnet, with one minute of recorded history. */
export async function startSetGateway(set: AccountSet): Promise<SetGateway> {
  const [kind] = databases();
  if (kind === undefined) throw new Error('there is no database to test with');
  const database = await kind.open();
  await migrate(database.url);
  await withDatabase(database, (db) =>
    addKey(db, { ...STORED_CONTRACT_KEY, hash: STORED_CONTRACT_KEY.hash.toString('hex') }),
  );
  const rpc = await startFileRpc(set.accounts, set.moment);
  const gateway = await startReadyApp({
    rpcUrls: [rpc.url],
    env: {
      ...STILL,
      ...NO_LIMITS,
      SOLANA_CLUSTER: 'mainnet-beta',
      DATABASE_URL: database.url,
      RECORDER: 'none',
    },
  });
  await untilHistoryIsReady(gateway);
  await record(gateway, database);
  return {
    gateway,
    async stop() {
      await gateway.stop();
      await rpc.close();
      await database.close();
    },
  };
}

async function record({ app }: TestApp, database: OpenTestDatabase): Promise<void> {
  const view = app.chain.views.newest;
  if (view === undefined) throw new Error('there is no View');
  const snapshot = takeSnapshot(view, { holders: new Map(), obligations: new Map() });
  await withDatabase(database, async (db) => {
    await writeHistory(db, await takeFence(db, 'test'), MINUTE, [snapshot]);
  });
}

async function withDatabase<T>({ url }: OpenTestDatabase, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 300_000 });
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
