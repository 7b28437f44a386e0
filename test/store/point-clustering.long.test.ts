import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allAddressIds } from '../../src/store/history/address-ids.ts';
import { clearHistory } from '../../src/store/history/clear.ts';
import { repair } from '../../src/store/history/gaps.ts';
import { clusterPoints } from '../../src/store/history/point-clustering.ts';
import { rollUp } from '../../src/store/history/roll-up.ts';
import { DAY, HOUR, MINUTE, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import { databases, postgres } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import {
  at,
  marketSample,
  priceSample,
  reserveSample,
  rewardSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';

const SERIES = 30;
const HOUR_MS = 3_600_000;

const several = <T>(make: (name: string) => T) => Array.from({ length: SERIES }, (_, i) => make(`${i}`));

/** Samples of every kind at the end of a bucket. */
const moment = (sampledAt: Date) =>
  snapshot(sampledAt, {
    vaults: several((name) => vaultSample(`vault ${name}`)),
    reserves: several((name) => reserveSample(`reserve ${name}`)),
    markets: several((name) => marketSample(`market ${name}`)),
    prices: several((name) => priceSample(`mint ${name}`)),
    rewards: [rewardSample(), rewardSample({ depositReserve: null })],
  });

/** Writes one bucket after another, as a recorder does. */
async function record({ db, fence }: HistoryDatabase, step: Step, from: Date, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const end = from.getTime() + (i + 1) * step * 1_000;
    await writeHistory(db, fence, step, [moment(new Date(end - 1_000))]);
  }
}

/** The largest number of table pages that the points of one series occupy in a range. */
async function mostPages({ db }: HistoryDatabase, step: Step, from: string, to: string): Promise<number> {
  const [row] = await db.rows(
    `SELECT max(pages)::integer AS most FROM (
       SELECT count(DISTINCT (ctid::text::point)[0]) AS pages FROM vault_point
       WHERE step = $1::integer AND bucket >= $2::timestamptz AND bucket < $3::timestamptz GROUP BY vault_id) series`,
    [step, from, to],
  );
  return Number(row?.most);
}

/** The physical location of every hourly and daily point. */
async function places({ db }: HistoryDatabase): Promise<readonly unknown[]> {
  return await db.rows(
    `SELECT vault_id, step, bucket::text, ctid::text FROM vault_point WHERE step > ${MINUTE} ORDER BY 1, 2, 3`,
  );
}

describe.each(databases())('clustering points on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
    await record(history, HOUR, at('2026-01-30'), 49);
  });
  afterAll(() => history?.drop());

  it('moves the hours of the last complete day without changing them', async () => {
    const { db, fence } = history;
    const before = await everyPoint(db);
    expect(await mostPages(history, HOUR, '2026-01-30', '2026-01-31')).toBeGreaterThan(12);
    const moved = await clusterPoints(db, fence, at('2026-01-31T01:00:00.000Z'));
    expect(moved).toBe(24 * (4 * SERIES + 2));
    expect(await everyPoint(db)).toEqual(before);
    expect(await mostPages(history, HOUR, '2026-01-30', '2026-01-31')).toBeLessThan(5);
    // The current day is not moved.
    expect(await mostPages(history, HOUR, '2026-01-31', '2026-02-01')).toBeGreaterThan(12);
  });

  it('moves nothing twice, and nothing when the clock goes back', async () => {
    const { db, fence } = history;
    const before = await places(history);
    expect(await clusterPoints(db, fence, at('2026-01-31T23:59:59.000Z'))).toBe(0);
    expect(await clusterPoints(db, fence, at('2026-01-20'))).toBe(0);
    expect(await places(history)).toEqual(before);
  });

  it('moves the days of a complete month', async () => {
    const { db, fence } = history;
    await record(history, DAY, at('2026-01-01'), 29);
    const before = await everyPoint(db);
    expect(await mostPages(history, DAY, '2026-01-01', '2026-02-01')).toBeGreaterThan(12);
    expect(await clusterPoints(db, fence, at('2026-02-01'))).toBe((24 + 31) * (4 * SERIES + 2));
    expect(await everyPoint(db)).toEqual(before);
    expect(await mostPages(history, HOUR, '2026-01-31', '2026-02-01')).toBeLessThan(5);
    expect(await mostPages(history, DAY, '2026-01-01', '2026-02-01')).toBeLessThan(6);
  });

  it('resumes after days without recording', async () => {
    const { db, fence } = history;
    await record(history, HOUR, at('2026-02-03'), 24);
    // The hour of the first of February, and the day of the third.
    expect(await clusterPoints(db, fence, at('2026-02-05T12:00:00.000Z'))).toBe(25 * (4 * SERIES + 2));
    expect(await mostPages(history, HOUR, '2026-02-03', '2026-02-04')).toBeLessThan(5);
  });

  it('is part of a repair, and rejected without leadership', async () => {
    const { db, fence } = history;
    await record(history, HOUR, at('2026-02-10'), 24);
    const before = await everyPoint(db);
    await repair(db, fence, { start: at('2026-02-10'), end: at('2026-02-11') });
    expect(await everyPoint(db)).toEqual(before);
    expect(await mostPages(history, HOUR, '2026-02-10', '2026-02-11')).toBeLessThan(5);
    const found = await places(history);
    history = { ...history, fence: await takeFence(db, 'next') };
    await expect(clusterPoints(db, fence, at('2026-02-12'))).rejects.toMatchObject({ code: 'NOT_LEADER' });
    expect(await places(history)).toEqual(found);
  });

  it('starts again when the chain does', async () => {
    const { db } = history;
    const days = () => db.rows('SELECT until::text FROM tidied');
    expect(await days()).toHaveLength(1);
    await clearHistory(db);
    expect(await days()).toEqual([]);
  });
});

describe.each(postgres())('clustering points on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
    await record(history, HOUR, at('2026-01-30'), 24);
  });
  afterAll(() => history?.drop());

  it('does not disturb concurrent reads and writes of the same day', async () => {
    const { db, fence } = history;
    const ids = await allAddressIds(db);
    const before = await everyPoint(db);
    const day = { start: at('2026-01-30'), end: at('2026-01-31') };
    let over = false;
    const read = async () => {
      let reads = 0;
      for (; !over; reads += 1) expect(await everyPoint(db)).toEqual(before);
      return reads;
    };
    const write = async () => {
      for (let i = 0; !over; i += 1) {
        // Hours are written again with the same values.
        await writeHistory(db, fence, HOUR, [
          moment(new Date(day.start.getTime() + ((i % 24) + 1) * HOUR_MS - 1_000)),
        ]);
        await db.transaction((sql) => rollUp(sql, ids, day, HOUR));
      }
    };
    const move = async () => {
      for (let i = 0; i < 12; i += 1) {
        await db.run('DELETE FROM tidied');
        expect(await clusterPoints(db, fence, new Date(day.end.getTime() + (i % 2) * HOUR_MS))).toBe(
          24 * (4 * SERIES + 2),
        );
      }
      over = true;
    };
    const [reads] = await Promise.all([read(), write(), move()]);
    expect(reads).toBeGreaterThan(0);
    expect(await everyPoint(db)).toEqual(before);
  });
});
