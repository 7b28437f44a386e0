import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalnet } from '@sluice/localnet/localnet';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { catalogueFor, startChain } from '../../src/app/chain.ts';
import { startHistory } from '../../src/app/history/start-history.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { mountSmallDisk } from '../support/databases/small-disk.ts';
import { startTestPglite } from '../support/databases/test-databases.ts';
import { recordedMinutes } from '../support/history/read-points.ts';

// Generates few moments: two days, two hours, ten minutes.
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

/** An empty database takes 40 MB. */
const disk = mountSmallDisk(256);
const FULL = { code: 'HISTORY_UNAVAILABLE', context: { reason: 'its disk is full' } };
const ROWS = `INSERT INTO row (text) SELECT repeat('x', 900) FROM generate_series(1, 1000)`;

afterEach(() => disk?.clear());
afterAll(() => disk?.unmount());

describe.skipIf(disk === null)('a full disk (skipped where this user may not mount one)', () => {
  const folder = (name: string) => join(disk?.path ?? '', name);

  it('ends the embedded database with the reason; its next start has every acknowledged row', async () => {
    const dataDir = folder('rows');
    const first = await startTestPglite(dataDir);
    const db = await openDatabase({ url: first.url, poolSize: 2, statementTimeoutMs: 60_000 });
    await db.run('CREATE TABLE row (id SERIAL, text TEXT)');
    await disk?.fill(4_000_000);
    let acknowledged = 0;
    const failure = await (async () => {
      for (;;) acknowledged += await db.run(ROWS);
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject(FULL);
    while (!first.ended.aborted) await sleep(10);
    expect(first.ended.reason).toMatchObject(FULL);
    await db.close();
    await first.stop();

    await disk?.fill(0);
    await expect(startTestPglite(dataDir)).rejects.toMatchObject(FULL);

    await disk?.clear();
    const second = await startTestPglite(dataDir);
    const after = await openDatabase({ url: second.url, poolSize: 2, statementTimeoutMs: 60_000 });
    expect(await after.rows('SELECT count(*)::int AS rows FROM row')).toEqual([{ rows: acknowledged }]);
    expect(await after.run(ROWS)).toBe(1000);
    await after.close();
    await second.stop();
  });

  it('has an error of its own where a new database does not fit', async () => {
    await disk?.fill(10_000_000);
    await expect(startTestPglite(folder('new'))).rejects.toMatchObject(FULL);
    await disk?.clear();
    await (await startTestPglite(folder('new'))).stop();
  });

  it('is reported by the history of the localnet, which resumes when there is space', async () => {
    const dataDir = folder('history');
    await (await startTestPglite(dataDir)).stop();
    await disk?.fill(1_000_000);
    const config = loadConfig({ DATA_DIR: dataDir, VIEW_REFRESH_MS: '500' });
    const embedded = await startLocalnet({ scale: 1 });
    const catalogue = await catalogueFor(config, embedded);
    const metrics = new Metrics();
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const chain = startChain(config, catalogue, embedded, metrics, {});
    const history = startHistory({ config, chain, catalogue, embedded, logger, metrics });
    const until = async (status: string) => {
      while (history.source.state().status !== status) await sleep(20);
    };
    try {
      await until('unavailable');
      expect(history.source.state().doing).toBe('its disk is full');
      expect(() => history.source.database('test')).toThrow(expect.objectContaining(FULL));
      expect((await metrics.expose()).text).toMatch(/^sluice_history_disk_full 1$/m);
      expect(lines.filter((line) => line.includes('its disk is full'))).toHaveLength(1);

      await disk?.clear();
      await until('ready');
      expect((await metrics.expose()).text).toMatch(/^sluice_history_disk_full 0$/m);
      expect(await recordedMinutes(history.source.database('test'))).not.toBeNull();
    } finally {
      await history.stop();
      await chain.stop();
      await embedded.stop();
    }
  });
});
