import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Localnet, startLocalnet } from '@sluice/localnet/localnet';
import { roundToStored } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueFor, startChain } from '../../src/app/chain.ts';
import { type AppHistory, startHistory } from '../../src/app/history/start-history.ts';
import { pastSnapshots } from '../../src/app/seed-history/past-snapshots.ts';
import { samplingPlans } from '../../src/app/seed-history/sampling-plan.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { loadConfig } from '../../src/config/config.ts';
import { NOT_COUNTED, takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import type { SeriesKind } from '../../src/store/history/all-series.ts';
import { findGaps } from '../../src/store/history/gaps.ts';
import { seriesExtents } from '../../src/store/history/series-extent.ts';
import { bucketOf, DAY, HOUR, MINUTE } from '../../src/store/history/time-buckets.ts';
import { SILENT } from '../../src/telemetry/logger.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { readVaultPoints } from '../support/history/read-points.ts';
import { plain } from '../support/history/samples.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

/** Generous: other suites may use both cores. */
const READY_MS = 400_000;
const DAY_MS = 86_400_000;

let dataDir: string;
let config: ReturnType<typeof loadConfig>;
let embedded: Localnet;
let chain: Chain;
let history: AppHistory;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-history-'));
  config = loadConfig({ DATA_DIR: dataDir, VIEW_REFRESH_MS: '500' });
  embedded = await startLocalnet({ scale: 1 });
  const catalogue = await catalogueFor(config, embedded);
  const metrics = new Metrics();
  chain = startChain(config, catalogue, embedded, metrics, {});
  history = startHistory({ config, chain, catalogue, embedded, logger: SILENT, metrics });
  while (history.source.state().status !== 'ready') {
    if (history.source.state().status === 'unavailable') throw new Error(`${history.source.state().doing}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}, READY_MS);

afterAll(async () => {
  await history?.stop();
  await chain?.stop();
  await embedded?.stop();
  await rm(dataDir, { recursive: true, force: true });
}, READY_MS);

/** A gateway on a data directory, with embedded history. */
const start = (directory: string) =>
  new GatewayProcess({ RECORDER: 'auto', DATA_DIR: directory, LOG_LEVEL: 'warn' });

describe('the history of the localnet', () => {
  it('has a year of days, a month of hours and two hours of minutes at the first query', async () => {
    const db = history.source.database('test');
    const { world } = embedded.chain;
    const present = embedded.chain.bootedAt;
    const subjects: Record<SeriesKind, readonly Address[]> = {
      vault: world.vaults
        .filter(({ createdSlot }) => createdSlot === world.vaults[0]?.createdSlot)
        .map(({ address }) => address)
        .slice(0, 3),
      reserve: world.reserves.map(({ address }) => address),
      market: world.markets.map(({ address }) => address),
      price: world.tokens.map(({ mint }) => mint.address).slice(0, 3),
    };
    for (const kind of ['reserve', 'market', 'price', 'vault'] as const) {
      for (const steps of (await seriesExtents(db, kind, subjects[kind])).values()) {
        const ages = Object.fromEntries(
          steps.map(({ step, first }) => [step, (present - first.getTime()) / DAY_MS]),
        );
        expect(ages[MINUTE]).toBeGreaterThanOrEqual(2 / 24);
        expect(ages[HOUR]).toBeGreaterThanOrEqual(30);
        if (kind !== 'vault') expect(ages[DAY]).toBeGreaterThanOrEqual(364);
        for (const { step, last } of steps)
          expect(last.getTime()).toBeGreaterThanOrEqual(present - 2 * step * 1_000);
      }
    }
    const end = bucketOf(new Date(present), MINUTE);
    expect(await findGaps(db, { start: new Date(end.getTime() - 2 * HOUR * 1_000), end })).toEqual([]);
  });

  it('continues with recorded points: the newest equals the View of its slot', async () => {
    const db = history.source.database('test');
    let compared = false;
    const until = Date.now() + 150_000;
    while (!compared && Date.now() < until) {
      const view = chain.views.newest;
      const [row] = await db.rows('SELECT slot::text AS slot FROM snapshot ORDER BY bucket DESC LIMIT 1');
      if (view !== undefined && row?.slot === String(view.moment.slot)) {
        const snapshot = takeSnapshot(view, NOT_COUNTED);
        const sampled = snapshot.vaults[0];
        if (sampled === undefined) throw new Error('no vault was sampled');
        const start = bucketOf(snapshot.sampledAt, MINUTE);
        const range = { start, end: new Date(start.getTime() + 60_000), step: MINUTE } as const;
        const point = (await readVaultPoints(db, [sampled.vault], range)).get(sampled.vault)?.[0];
        expect(point?.slot).toBe(view.moment.slot);
        // Stored with thirty places.
        const kept = (value: Rational | null | undefined) => value && plain(roundToStored(value));
        expect([point?.tokensPerShare, point?.interest, point?.tvlUsd].map(kept)).toEqual(
          [sampled.tokensPerShare, sampled.interest, sampled.tvlUsd].map(kept),
        );
        compared = true;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(compared).toBe(true);
  }, 200_000);

  it('has read no transactions before they are requested, and then all of the vault', async () => {
    const db = history.source.database('test');
    // Recording has begun by now, and a follower would have started with it.
    while (history.source.state().leading !== true) await new Promise((resolve) => setTimeout(resolve, 50));
    const read = async () => (await db.rows('SELECT address_id FROM ingest_cursor')).length;
    expect(await read()).toBe(0);
    const vault = embedded.chain.world.vaults[0]?.address ?? expect.fail('no vault');
    const status = await history
      .transactions('test')
      .ensureIngested(vault, 'vault', { caller: 'test', deadlineMs: 150_000 });
    expect(status.complete).toBe(true);
    expect(await read()).toBeGreaterThan(0);
  }, 200_000);

  it('is deterministic', () => {
    const presentMs = Date.UTC(2026, 5, 1, 12, 0, 30);
    const moments = samplingPlans(presentMs)
      .flatMap(({ at }) => at.slice(-2))
      .sort((a, b) => a - b);
    const tell = () => plain([...pastSnapshots({ scale: 1, presentMs, moments, programs: MAINNET })]);
    expect(tell()).toEqual(tell());
  });

  it('leaves a second gateway on the same directory without history, which reports it and answers', async () => {
    const second = start(dataDir);
    try {
      const readiness = await second.readiness(
        ({ status, history: past }) => past.status === 'unavailable' && status === 'ready',
      );
      expect(readiness.history.doing).toMatch(/DATA_DIR is in use by another process/);
      expect(second.stdout).toMatch(new RegExp(`process ${process.pid} uses this directory`));
      const answer = await fetch(`${await second.url()}/graphql?query={vaults(first:1){nodes{name}}}`);
      expect(((await answer.json()) as { errors?: unknown }).errors).toBeUndefined();
    } finally {
      second.kill('SIGTERM');
      await second.exited;
    }
  }, 120_000);
});

const MAINNET = loadConfig({}).programs;

describe('a gateway that is stopped while its past is generated', () => {
  it.each([0, 2_500, 9_000])(
    'ends within seconds, %i ms after it began',
    async (afterMs) => {
      const directory = await mkdtemp(join(tmpdir(), 'sluice-stop-'));
      const gateway = start(directory);
      try {
        await gateway.url();
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        const signalledAt = performance.now();
        gateway.kill('SIGTERM');
        expect(await gateway.exited).toBe(0);
        expect(performance.now() - signalledAt).toBeLessThan(8_000);
      } finally {
        gateway.kill('SIGKILL');
        await rm(directory, { recursive: true, force: true });
      }
    },
    120_000,
  );
});

describe('a localnet without a recorder', () => {
  it('has no history and creates no database', async () => {
    const off = startHistory({
      config: loadConfig({ RECORDER: 'none', DATA_DIR: join(dataDir, 'none') }),
      chain,
      catalogue: await catalogueFor(config, embedded),
      embedded,
      logger: SILENT,
      metrics: new Metrics(),
    });
    expect(off.source.state().status).toBe('off');
    expect(() => off.source.database('a series')).toThrow(/history/i);
    await off.stop();
  });
});
