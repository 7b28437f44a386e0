import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchDatabase } from '../peers/scratch-database.ts';
import { startGateway } from '../rest.ts';
import type { AbuseWorld } from './world-process.ts';

/** Counters of the gateway since its start. */
export interface Counters {
  readonly at: number;
  /** Views built. Building them is most of what a gateway does without callers. */
  readonly views: number;
  readonly cpuMs: number;
  readonly rpcCalls: number;
  readonly sqlMs: number;
  /** Units charged to callers. */
  readonly units: number;
  /** Whether transactions are still being read for an earlier request. */
  readonly isIngesting: boolean;
}

/** A gateway with default limits over a chain and a history of its own. */
export interface ProbedGateway {
  readonly url: string;
  readonly world: AbuseWorld;
  counters(): Promise<Counters>;
  /** Longest time since the previous call for which the event loop ran without a pause, garbage collection left out. */
  longestStretchMs(): Promise<number>;
  /** Deletes transactions read for earlier requests, which would make later ones cheaper. */
  forget(): Promise<void>;
  /** Counters after the work that answers leave behind: more transactions are read. */
  settled(): Promise<Counters>;
  stop(): Promise<void>;
}

const POLL_MS = 200;
const STRETCH_POLL_MS = 20;
/** An endless job must not stop the search. */
const SETTLE_MS = 120_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const benchProcess = (module: string, args: readonly string[] = []) =>
  fork(fileURLToPath(new URL(module, import.meta.url)), args, { execArgv: ['--import', 'tsx'] });

export async function startProbedGateway(): Promise<ProbedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-abuse-'));
  const database = await scratchDatabase();
  const worldProcess = benchProcess('world-process.ts', [database?.url ?? '']);
  const [world] = (await Promise.race([
    once(worldProcess, 'message'),
    once(worldProcess, 'exit').then(() => Promise.reject(new Error('the chain did not start'))),
  ])) as [AbuseWorld];
  const catalogue = join(folder, 'catalogue.json');
  writeFileSync(catalogue, JSON.stringify(world.catalogue));
  const loopFile = join(folder, 'loop');
  const { url, pid, stop } = await startGateway(
    { url: world.url, addresses: world.addresses, stop: () => undefined },
    {
      SOLANA_WS_URLS: world.wsUrl,
      CATALOGUE_FILE: catalogue,
      DATABASE_URL: world.databaseUrl,
      // The default limit. Callers are distinguished by the header, so that the search is not refused.
      RATE_LIMIT: '3000',
      // As on the localnet: what a request leaves behind ends before the next one is measured.
      INGEST_REQUESTS_PER_SECOND: '500',
      TRUSTED_PROXIES: '127.0.0.1',
      SEND_TRANSACTIONS: 'on',
      NODE_OPTIONS: `--import ${new URL('watch-loop.mjs', import.meta.url).href}`,
      LOOP_FILE: loopFile,
    },
  );
  while (!(await hasHistory(url))) await pause(POLL_MS);
  return {
    url,
    world,
    counters: () => countersOf(url),
    async forget() {
      const forgotten = once(worldProcess, 'message');
      worldProcess.send('forget');
      await forgotten;
    },
    settled: () => settledCounters(url),
    async longestStretchMs() {
      rmSync(loopFile, { force: true });
      process.kill(pid, 'SIGUSR2');
      while (!existsSync(loopFile)) await pause(STRETCH_POLL_MS);
      return Number(readFileSync(loopFile, 'utf8'));
    },
    async stop() {
      await stop();
      const ended = once(worldProcess, 'exit');
      worldProcess.disconnect();
      await ended;
      await database?.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function hasHistory(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`);
  return (await response.text()).includes('"history":{"status":"ready"');
}

async function settledCounters(url: string): Promise<Counters> {
  const until = performance.now() + SETTLE_MS;
  let counters = await countersOf(url);
  while (counters.isIngesting && performance.now() < until) {
    await pause(POLL_MS);
    counters = await countersOf(url);
  }
  return counters;
}

async function countersOf(url: string): Promise<Counters> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`the counters cannot be read: ${response.status}`);
  const text = await response.text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))]
      .map(([, value]) => Number(value))
      .reduce((total, value) => total + value, 0);
  return {
    at: performance.now(),
    views: sum('sluice_view_number'),
    cpuMs: sum('process_cpu_seconds_total') * 1e3,
    rpcCalls: sum('sluice_rpc_calls_total'),
    sqlMs: sum('sluice_sql_statement_seconds_sum') * 1e3,
    units: sum('sluice_spent_cost_total'),
    isIngesting: sum('sluice_ingest_addresses') > 0,
  };
}
