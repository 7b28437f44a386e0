import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { takeSnapshot } from '../../../src/recorder/take-snapshot.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { HOUR } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { takeFence } from '../../../src/store/leases/fencing-token.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { type Logger, SILENT } from '../../../src/telemetry/logger.ts';
import { STILL, startReadyApp, type TestApp } from '../apps/test-app.ts';
import { startTestPostgres, type TestPostgres } from '../databases/postgres-server.ts';
import { FaultyProxy } from '../rpc/faulty-proxy.ts';
import { FaultGateway } from './fault-gateway.ts';
import { Truth } from './reference-answers.ts';
import { type Question, questionsAbout } from './traffic.ts';

const HOUR_MS = 3_600_000;
const HOURS = 30;
/** Every refresh reads everything, so a View has one slot unless the world advanced meanwhile. */
const PACE = {
  VIEW_REFRESH_MS: '200',
  VAULT_REFRESH_MS: '100',
  DISCOVERY_INTERVAL_MS: '1000',
  VIEWS_KEPT: '100',
  DRIFT_INTERVAL_MS: '0',
  PROGRAMS_INTERVAL_MS: '0',
};

/** A world that the test advances, its RPC with faulty proxies in front, recorded history, and reference answers. */
export interface FaultWorld {
  readonly localChain: TestChain;
  /** The RPC itself. */
  readonly rpc: LocalnetRpc;
  readonly proxies: readonly FaultyProxy[];
  readonly postgres: TestPostgres;
  readonly truth: Truth;
  readonly questions: readonly Question[];
  /** Starts a gateway over some of the proxies and waits until it can answer everything. */
  start(options?: GatewayOptions): Promise<FaultGateway>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly endpoints?: number;
  readonly sockets?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

/** `arrange` changes the world before it is first read. */
export async function startFaultWorld(
  arrange: (localChain: TestChain) => void = () => {},
): Promise<FaultWorld> {
  const localChain = new TestChain();
  arrange(localChain);
  const [rpc, postgres] = await Promise.all([serveChain(localChain), startTestPostgres()]);
  try {
    return await completed(localChain, rpc, postgres);
  } catch (error) {
    await rpc.close();
    postgres.remove();
    throw error;
  }
}

async function completed(
  localChain: TestChain,
  rpc: LocalnetRpc,
  postgres: TestPostgres,
): Promise<FaultWorld> {
  const proxies = await Promise.all([1, 2, 3].map(() => FaultyProxy.start(rpc.url)));
  const folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'));
  const file = join(folder, 'catalogue.json');
  writeFileSync(file, JSON.stringify(worldCatalogue(localChain.worldChain.world, Date.UTC(2026, 5, 1))));
  await migrate(postgres.url);
  const common = { CATALOGUE_FILE: file, DATABASE_URL: postgres.url, VIEWS_KEPT: '100' };
  const truthful = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, ...common } });
  await untilHistory(truthful);
  const past = await fillPast(postgres.url, truthful);
  const questions = questionsAbout(localChain.addresses, past);
  const truth = new Truth(localChain, truthful, questions);
  await truth.move(1);
  return {
    localChain,
    rpc,
    proxies,
    postgres,
    truth,
    questions,
    async start({ endpoints = 1, sockets = false, env = {}, logger = SILENT } = {}) {
      truth.forget();
      const used = proxies.slice(0, endpoints);
      const gateway = await startReadyApp({
        rpcUrls: used.map(({ url }) => url),
        wsUrls: sockets ? used.map(({ wsUrl }) => wsUrl) : [],
        env: { ...PACE, ...common, ...env },
        logger,
      });
      await untilHistory(gateway);
      const { vault, obligation } = localChain.addresses;
      return await FaultGateway.serve(gateway, truth, { vaults: vault, obligations: obligation });
    },
    async stop() {
      await truthful.stop();
      for (const proxy of proxies) await proxy.die();
      await rpc.close();
      postgres.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilHistory(gateway: TestApp): Promise<void> {
  for (;;) {
    const ready = await (await gateway.get('/ready')).text();
    if (ready.includes('"history":{"status":"ready"')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A point for each hour up to yesterday, all with the current state of the world. */
async function fillPast(url: string, { app }: TestApp): Promise<{ start: string; end: string }> {
  const view = app.chain.views.newest;
  if (view === undefined) throw new Error('there is no View');
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 60_000 });
  const present = takeSnapshot(view, {
    holders: new Map([...view.all('vault').keys()].map((vault) => [vault, 7])),
    obligations: new Map(),
  });
  const last = Math.floor(present.sampledAt.getTime() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS;
  const hours = Array.from({ length: HOURS }, (_, i) => ({
    ...present,
    sampledAt: new Date(last - (HOURS - 1 - i) * HOUR_MS),
  }));
  await writeHistory(db, await takeFence(db, 'test'), HOUR, hours);
  await db.close();
  return { start: new Date(last - HOURS * HOUR_MS).toISOString(), end: new Date(last + 1).toISOString() };
}
