import type { TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { obligationsByMarket } from '../../../src/recorder/scan-obligations.ts';
import { takeSnapshot } from '../../../src/recorder/take-snapshot.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { writeObligationScan } from '../../../src/store/history/obligation-scan.ts';
import type { Snapshot } from '../../../src/store/history/samples.ts';
import { DAY, HOUR, MINUTE } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { addKey } from '../../../src/store/keys/key-table.ts';
import { takeFence } from '../../../src/store/leases/fencing-token.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { Database } from '../../../src/store/sql.ts';
import type { TestApp } from '../apps/test-app.ts';
import { databases } from '../databases/test-databases.ts';
import { lendingEventsOf, writeLendingEvents, writeQueueEvents } from '../history/lending-events.ts';
import { d } from '../history/samples.ts';
import { OPERATION_ROWS } from '../operations/all.ts';
import { type ContractWorld, startChangingContractWorld, startContractWorld } from './contract-app.ts';
import { STORED_CONTRACT_KEY } from './contract-key.ts';
import { queueEventsOf } from './queue-events.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Operations that answer from recorded history alone. */
export const RECORDED_READS: readonly string[] = [
  '/kvaults/vaults/{pubkey}/metrics/history',
  '/kvaults/vaults/{pubkey}/allocation-volume/history',
  '/kvaults/vaults/metrics/history',
  '/kvaults/vaults/{pubkey}/backtest',
  '/kvaults/vaults/{pubkey}/transactions',
  '/kvaults/users/{pubkey}/transactions',
  '/kvaults/users/{pubkey}/metrics/history',
  '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/metrics/history',
  '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl',
  '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl/history',
  '/klend/{depositReservePubkey}/{borrowReservePubkey}/rewards/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
  '/svc-market/{pubkey}/leverage/metrics',
  '/svc-market/{pubkey}/metrics/history',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl',
  '/klend/users/{pubkey}/rewards',
  '/v2/svc-market/users/{userPubkey}/transactions',
  '/farms/users/{pubkey}/transactions',
  '/portfolio/{wallet}/activity',
  '/portfolio/{wallet}/activity.csv',
  '/portfolio/{wallet}/activity.jsonl',
  '/portfolio/{wallet}/income',
  '/portfolio/{wallet}/income.csv',
  '/farms/{pubkey}/transactions',
  '/farms/{farmPubkey}/management-history',
  '/kvaults/private-credit/metrics/history',
  '/v2/svc-market/obligations/{pubkey}/borrow-order-fills',
  '/v2/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
  '/v3/svc-market/users/{userPubkey}/transactions',
  '/v3/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
  '/kvaults/vaults/{pubkey}/enqueued-withdraw-transactions',
  '/kvaults/transactions',
  '/v2/svc-market/{pubkey}/transactions',
  '/v3/svc-market/{pubkey}/transactions',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid',
  '/v2/staking-yields',
  '/v2/staking-yields/median',
  '/v2/staking-yields/mean',
  '/yields/{source}/history',
  '/prices/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history/median',
];

/** The tables that a recorder writes. */
const RECORDED_TABLES = [
  'snapshot',
  'tidied',
  'vault_point',
  'reserve_config',
  'reserve_point',
  'market_point',
  'price_point',
  'reward_point',
  'leverage_point',
  'loan_point',
  'obligation_entry',
  'collateral_use',
];

export interface RecordedWorld extends ContractWorld {
  readonly databaseUrl: string;
}

/** A recorded world that the test changes. */
export interface ChangingRecordedWorld extends RecordedWorld {
  readonly localChain: TestChain;
}

/**
 * A contract world with a past: 40 days, the last two of them by the hour and the last ten minutes by the minute. The
 * database is made once in a test run and copied.
 */
export function startRecordedWorld(env: Readonly<Record<string, string>> = {}): Promise<RecordedWorld> {
  return overCopy((url) => startContractWorld(recordedIn(url, env)));
}

/** The same for a test that changes the world. Where `arrange` does so at the start, its history is recorded again. */
export function startChangingRecordedWorld(
  arrange?: (localChain: TestChain) => void,
): Promise<ChangingRecordedWorld> {
  return overCopy(async (url) => {
    const start = () => startChangingContractWorld(recordedIn(url), arrange);
    if (arrange !== undefined) await withWorld(url, start, recordAgain);
    return await start();
  });
}

/** A contract world with a past, over a database that `recordSeries` has filled. */
export async function startWorldOver(
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ContractWorld> {
  const world = await startContractWorld(recordedIn(url, env));
  await untilReady(world.gateway);
  return world;
}

const recordedIn = (url: string, env: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: url,
  RECORDER: 'none',
  ...env,
});

async function overCopy<W extends ContractWorld>(
  start: (url: string) => Promise<W>,
): Promise<W & { readonly databaseUrl: string }> {
  const [kind] = databases();
  if (kind === undefined) throw new Error('there is no database to test with');
  const { url, close } = await kind.openCopy('recorded', record);
  const world = await start(url);
  await untilReady(world.gateway);
  return {
    ...world,
    databaseUrl: url,
    async stop() {
      await world.stop();
      await close();
    },
  };
}

/** Fills a database: history, lending events, and the transactions that the rows of the contract lead to. */
async function record(url: string): Promise<void> {
  await migrate(url);
  await withWorld(
    url,
    () => startContractWorld(recordedIn(url), { counted: false }),
    async (world, db) => {
      await addKey(db, { ...STORED_CONTRACT_KEY, hash: STORED_CONTRACT_KEY.hash.toString('hex') });
      await fill(db, world.gateway);
      const obligations = world.subjects.obligations.map(({ address }) => address);
      await writeLendingEvents(db, lendingEventsOf(world.localChain.worldChain, obligations));
      const now = Number(world.gateway.app.chain.views.newest?.moment.timestamp);
      await writeQueueEvents(db, queueEventsOf(world.subjects.addresses, now));
      await ingest(world);
    },
  );
}

/** Fills a database with history alone, in a fraction of the time. */
export async function recordSeries(url: string): Promise<void> {
  await migrate(url);
  await withWorld(
    url,
    () => startContractWorld(recordedIn(url)),
    (world, db) => fill(db, world.gateway),
  );
}

/** The transactions of an arranged world are the same, what a recorder sees is not. */
async function recordAgain(world: ContractWorld, db: Database): Promise<void> {
  await db.run(`TRUNCATE ${RECORDED_TABLES.join()}`);
  await fill(db, world.gateway);
}

async function withWorld(
  url: string,
  start: () => Promise<ContractWorld>,
  use: (world: ContractWorld, db: Database) => Promise<void>,
): Promise<void> {
  const world = await start();
  const db = await openDatabase({ url, poolSize: 2, statementTimeoutMs: 300_000 });
  try {
    await untilReady(world.gateway);
    await use(world, db);
  } finally {
    await db.close();
    await world.stop();
  }
}

/** The gateway ingests what it is asked about. Other reads concern the same wallets, vaults and obligations. */
async function ingest(world: ContractWorld): Promise<void> {
  for (const row of OPERATION_ROWS) {
    if (!RECORDED_READS.includes(row.path) || !/transactions|(users|obligations).*metrics/.test(row.path))
      continue;
    for (const ask of row.requests(world.subjects)) await world.ask(ask);
  }
}

/** Also makes the View known with its catalogue. */
async function untilReady(gateway: TestApp): Promise<void> {
  for (;;) {
    const { data } = await gateway.query<{ chain: { recorder: { status: string } } }>(
      '{ chain { recorder { status } } }',
    );
    if (data.chain.recorder.status === 'READY') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function fill(db: Database, { app }: TestApp): Promise<void> {
  const view = app.chain.views.newest;
  if (view === undefined) throw new Error('there is no View');
  const fence = await takeFence(db, 'test');
  const scans = obligationsByMarket(view, await app.chain.scanObligations(AbortSignal.timeout(60_000)));
  const present = takeSnapshot(view, {
    holders: new Map([...view.all('vault').keys()].map((vault, i) => [vault, 3 + i])),
    obligations: new Map([...scans].map(([market, { entries }]) => [market, entries.length])),
  });
  const now = present.sampledAt.getTime();
  const before = (ms: number) => earlier(present, new Date(now - ms));
  const each = (count: number, width: number) =>
    Array.from({ length: count }, (_, i) => before((count - i) * width - MINUTE_MS));
  await writeHistory(db, fence, DAY, each(40, DAY_MS));
  await writeHistory(db, fence, HOUR, each(48, HOUR_MS));
  await writeHistory(db, fence, MINUTE, [...each(10, MINUTE_MS), present]);
  for (const [market, scan] of scans) {
    await writeObligationScan(db, fence, market, { sampledAt: present.sampledAt, ...scan });
  }
}

/** The same world with a little less in it the longer ago it is. */
function earlier(present: Snapshot, sampledAt: Date): Snapshot {
  const age = (present.sampledAt.getTime() - sampledAt.getTime()) / 1_000;
  const then = d((1 - age / 1e9).toFixed(12));
  return {
    ...present,
    slot: present.slot - BigInt(Math.floor(age / 0.4)),
    sampledAt,
    vaults: present.vaults.map((vault) => ({
      ...vault,
      tokensPerShare: vault.tokensPerShare?.mul(then) ?? null,
      tvlUsd: vault.tvlUsd?.mul(then) ?? null,
      apyActual: vault.apyActual.mul(then),
    })),
    reserves: present.reserves.map((reserve) => ({
      ...reserve,
      supplyApy: reserve.supplyApy.mul(then),
      totalSupply: reserve.totalSupply.mul(then),
    })),
    prices: present.prices.map((price) => ({
      ...price,
      stakeRateSol: price.stakeRateSol?.mul(then) ?? null,
    })),
  };
}
