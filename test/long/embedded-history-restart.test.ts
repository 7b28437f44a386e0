import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type Localnet, startLocalnet } from '@sluice/localnet/localnet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalogueFor, startChain } from '../../src/app/chain.ts';
import { type AppHistory, startHistory } from '../../src/app/history/start-history.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { loadConfig } from '../../src/config/config.ts';
import { findGaps } from '../../src/store/history/gaps.ts';
import { bucketOf, DAY, HOUR, MINUTE, STEPS } from '../../src/store/history/time-buckets.ts';
import { SILENT } from '../../src/telemetry/logger.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { startTestPglite } from '../support/databases/test-databases.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

// Generates few moments: two days, two hours, ten minutes. Another long suite covers all of them.
vi.mock('../../src/app/seed-history/sampling-plan.ts', async (original) => {
  const real = await original<typeof import('../../src/app/seed-history/sampling-plan.ts')>();
  return {
    ...real,
    samplingPlans: (presentMs: number) => {
      const [days, hours, minutes] = real.samplingPlans(presentMs).map(({ at }) => at);
      return [
        { step: 86_400, at: days?.slice(-2) ?? [] },
        { step: 3600, at: hours?.slice(-2) ?? [] },
        { step: 60, at: minutes?.slice(-10) ?? [] },
      ];
    },
  };
});
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

let directory: string;
let dataDir: string;
let embedded: Localnet;
let chain: Chain;
let history: AppHistory;
/** Threads that history starts. Only that of the database keeps running. */
const threads: Worker[] = [];

function noteThread(worker: Worker): void {
  threads.push(worker);
}

const historyState = () => history.source.state();

async function until(status: string): Promise<void> {
  while (historyState().status !== status) await sleep(20);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-history-'));
  dataDir = join(directory, 'data');
  // Start from an existing empty database, as a stopped gateway leaves one.
  await (await startTestPglite(dataDir)).stop();
  process.on('worker', noteThread);
  const config = loadConfig({ DATA_DIR: dataDir, VIEW_REFRESH_MS: '500' });
  embedded = await startLocalnet({ scale: 1 });
  const catalogue = await catalogueFor(config, embedded);
  const metrics = new Metrics();
  chain = startChain(config, catalogue, embedded, metrics, {});
  history = startHistory({ config, chain, catalogue, embedded, logger: SILENT, metrics });
  await until('ready');
});

afterAll(async () => {
  process.off('worker', noteThread);
  await history?.stop();
  await chain?.stop();
  await embedded?.stop();
  await rm(directory, { recursive: true, force: true });
});

const startGateway = (ofDirectory: string) =>
  new GatewayProcess({ RECORDER: 'auto', DATA_DIR: ofDirectory, LOG_LEVEL: 'warn' });

async function end(gateway: GatewayProcess, signal: NodeJS.Signals): Promise<void> {
  gateway.kill(signal);
  await gateway.exited;
}

async function countPoints(): Promise<Record<number, number>> {
  const rows = await history.source
    .database('test')
    .rows('SELECT step, count(*)::integer AS points FROM reserve_point GROUP BY step');
  return Object.fromEntries(rows.map(({ step, points }) => [Number(step), Number(points)]));
}

describe('the history of the localnet', () => {
  it('is generated in every step without gaps, up to the present', async () => {
    const reserves = embedded.chain.world.reserves.length;
    const points = await countPoints();
    expect(points[MINUTE]).toBeGreaterThanOrEqual(10 * reserves);
    expect(points[HOUR]).toBeGreaterThanOrEqual(3 * reserves);
    expect(points[DAY]).toBeGreaterThanOrEqual(3 * reserves);
    const end = bucketOf(new Date(embedded.chain.bootedAt), MINUTE);
    const start = new Date(end.getTime() - 10 * 60_000);
    expect(await findGaps(history.source.database('test'), { start, end })).toEqual([]);
  });

  it('is unavailable while its database thread is dead, and then has all its points', async () => {
    const before = await countPoints();
    const holders = threads.filter((thread) => thread.threadId !== -1);
    expect(holders.length).toBe(1);
    await holders[0]?.terminate();
    await until('unavailable');
    // A statement in progress may fail before the end of the thread is known.
    while (!historyState().doing?.includes('the embedded database crashed and is being restarted'))
      await sleep(5);
    expect(() => history.source.database('test')).toThrow(
      expect.objectContaining({ code: 'HISTORY_UNAVAILABLE' }),
    );
    // The chain is still read.
    const seen = chain.views.newest?.moment.number ?? 0;
    while ((chain.views.newest?.moment.number ?? 0) <= seen) await sleep(50);
    await until('ready');
    const after = await countPoints();
    for (const step of STEPS) expect(after[step]).toBeGreaterThanOrEqual(before[step] ?? 0);
    while (historyState().leading !== true) await sleep(50);
  });
});

describe('another gateway on the same directory', () => {
  it('answers without history and reports it; works on a copy; takes over after the first has stopped', async () => {
    const second = startGateway(dataDir);
    try {
      const ready = await second.readiness(
        (each) => each.history.status === 'unavailable' && each.status === 'ready',
      );
      expect(ready.history.doing).toMatch(/DATA_DIR is in use by another process/);
      expect(second.stdout).toMatch(new RegExp(`process ${process.pid} uses this directory`));
      const answer = await fetch(`${await second.url()}/graphql?query={vaults(first:1){nodes{name}}}`);
      expect(((await answer.json()) as { errors?: unknown }).errors).toBeUndefined();

      await history.stop();
      const copy = join(directory, 'copy');
      await cp(dataDir, copy, { recursive: true, filter: (file) => !file.endsWith('.lock') });
      const opened = await startTestPglite(copy);
      await opened.stop();

      const taken = await second.readiness((each) => each.history.status === 'starting');
      expect(taken.history.doing).toMatch(/generating|opening/);
      expect(await readFile(join(dataDir, 'pglite.lock'), 'utf8')).not.toMatch(
        new RegExp(`^${process.pid} `),
      );
    } finally {
      await end(second, 'SIGKILL');
    }
    const third = startGateway(dataDir);
    try {
      await third.readiness((each) => /generating/.test(each.history.doing ?? ''));
      expect(third.stdout).not.toMatch(/uses this directory/);
    } finally {
      await end(third, 'SIGTERM');
    }
  });
});
