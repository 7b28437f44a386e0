import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { View } from '../../src/chain/view/view.ts';
import { Recorder } from '../../src/recorder/recorder.ts';
import { findGaps } from '../../src/store/history/gaps.ts';
import { DatabaseLease } from '../../src/store/leases/leadership.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { recorderWorld } from '../support/recorder/recorder-world.ts';

const MINUTE_MS = 60_000;
const TABLES = ['vault_point', 'reserve_point', 'market_point', 'price_point', 'reward_point'];

describe.each(postgres())('a recorder on $name when the cluster clock jumps', () => {
  let world: HistoryWorld;
  beforeAll(async () => {
    world = await startHistoryWorld();
  });
  afterAll(() => world?.stop());

  /** Lets a recorder sample these moments one after another. */
  async function recordAt(moments: readonly Date[]): Promise<readonly string[]> {
    const { catalogue, viewAt } = recorderWorld();
    const [failures, recorded]: string[][] = [[], []];
    let place = 0;
    let looks = 0;
    const views = {
      get newest(): View | undefined {
        const moment = moments[place];
        looks += 1;
        // Twice each: the second sample finds an existing minute.
        if (looks % 2 === 0) place += 1;
        return moment && viewAt(moment);
      },
    };
    const recorder = new Recorder({
      db: world.history.db,
      leadership: new DatabaseLease({ db: world.history.db, holder: 'test' }),
      chain: { views, scanObligations: async () => [], countHolders: async () => 7 },
      catalogue,
      retention: { minuteDays: 36_500, hourDays: 36_500, dayDays: null },
      onFailure: (what, error) => failures?.push(`${what}: ${error}`),
      onRecorded: ({ bucket }) => recorded?.push(bucket.toISOString()),
      intervals: { poll: 1, afterFailure: 1, afterFailedScan: 1 },
    });
    recorder.start();
    while (place <= moments.length) await new Promise((resolve) => setTimeout(resolve, 5));
    await recorder.stop();
    expect(failures).toEqual([]);
    return recorded ?? [];
  }

  it('writes each minute once, reports every gap, and stores nothing of the future', async () => {
    const minute = (offset: number) => new Date(world.now.getTime() + offset * MINUTE_MS);
    /** Forward by hours, back over recorded minutes, forward again, and back by a day. */
    const minutes = [-10, -9, -8, 180, 181, -9, -8, -7, -6, 181, 182, -1_440, -1_439, -4, -3, 0];
    const recorded = await recordAt(minutes.map(minute));
    const seen = [...new Set(minutes)].sort((a, b) => a - b);
    expect(recorded).toHaveLength(seen.length);
    expect([...recorded].sort()).toEqual(seen.map((offset) => minute(offset).toISOString()));

    const { db } = world.history;
    for (const table of TABLES) {
      const key = { vault_point: 'vault_id', reserve_point: 'reserve_id', market_point: 'market_id' }[table];
      if (key === undefined) continue;
      const [row] = await db.rows(
        `SELECT count(*)::integer AS points, count(DISTINCT ${key})::integer AS series,
           count(DISTINCT bucket)::integer AS minutes FROM ${table} WHERE step = 60`,
      );
      expect(row?.minutes, table).toBe(seen.length);
      expect(row?.points, table).toBe(Number(row?.series) * seen.length);
      const hours = await db.rows(
        `SELECT h.bucket FROM ${table} h WHERE h.step = 3600 AND h.samples <> (
           SELECT count(*) FROM ${table} m WHERE m.${key} = h.${key} AND m.step = 60
             AND m.bucket >= h.bucket AND m.bucket < h.bucket + interval '1 hour')`,
      );
      expect(hours, table).toEqual([]);
    }

    const gaps = await findGaps(db, { start: minute(-1_440), end: minute(183) });
    const missing = gaps.flatMap(({ start, end }) =>
      Array.from({ length: (end.getTime() - start.getTime()) / MINUTE_MS }, (_, i) =>
        Math.round((start.getTime() - world.now.getTime()) / MINUTE_MS + i),
      ),
    );
    const all = Array.from({ length: 1_440 + 183 }, (_, i) => i - 1_440);
    expect(missing).toEqual(all.filter((offset) => !seen.includes(offset)));

    const [vault] = recorderWorld().viewAt(world.now).all('vault').keys();
    const { data, errors } = await world.query<{
      vault: { metricsHistory: { complete: boolean; points: { timestamp: string }[] } };
    }>(
      `query ($vault: Address!) { vault(address: $vault) {
        metricsHistory(interval: MINUTE, maxPoints: 5000) { complete points { timestamp totalValue } }
      } }`,
      { vault },
    );
    expect(errors).toEqual([]);
    expect(data.vault.metricsHistory.complete).toBe(false);
    expect(data.vault.metricsHistory.points.map(({ timestamp }) => timestamp)).toEqual(
      seen.filter((offset) => offset <= 0).map((offset) => minute(offset).toISOString()),
    );
  });
});
