import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGaps, recorderLag, repair } from '../../src/store/history/gaps.ts';
import { applyRetention } from '../../src/store/history/retention.ts';
import { DAY, HOUR, MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory, writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import { databases } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { readVaultPoints, recordedMinutes } from '../support/history/read-points.ts';
import { at, fullSnapshot, named, plain } from '../support/history/samples.ts';

describe.each(databases())('gaps and retention on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  const gaps = async (start: string, end: string) =>
    (await findGaps(history.db, { start: at(start), end: at(end) })).map((gap) =>
      [gap.start, gap.end].map((each) => each.toISOString().slice(11, 16)).join('-'),
    );

  it('reports nothing before the first snapshot', async () => {
    expect(await recorderLag(history.db, at('2026-01-01'))).toBeNull();
    expect(await recordedMinutes(history.db)).toBeNull();
    expect(await gaps('2026-01-01T10:00:00Z', '2026-01-01T10:05:00Z')).toEqual(['10:00-10:05']);
    const { changed, missing } = await repair(history.db, history.fence, {
      start: at('2026-01-01T10:00:00Z'),
      end: at('2026-01-01T10:05:00Z'),
    });
    expect([changed, missing.length]).toEqual([0, 1]);
  });

  it('lists the minutes that were not recorded, and the lag', async () => {
    const { db, fence } = history;
    const minutes = ['10:01', '10:02', '10:05', '10:06', '10:09'];
    await writeHistory(
      db,
      fence,
      MINUTE,
      minutes.map((minute) => fullSnapshot(at(`2026-01-01T${minute}:12.000Z`))),
    );
    expect(await gaps('2026-01-01T10:00:00Z', '2026-01-01T10:12:00Z')).toEqual([
      '10:00-10:01',
      '10:03-10:05',
      '10:07-10:09',
      '10:10-10:12',
    ]);
    expect(await gaps('2026-01-01T10:01:00Z', '2026-01-01T10:03:00Z')).toEqual([]);
    // A minute belongs to the range in which it starts.
    expect(await gaps('2026-01-01T10:02:30Z', '2026-01-01T10:03:30Z')).toEqual(['10:03-10:04']);
    expect(await gaps('2026-01-01T10:05:00Z', '2026-01-01T10:00:00Z')).toEqual([]);
    expect(await recorderLag(db, at('2026-01-01T10:10:00.000Z'))).toBe(48_000);
    expect(plain(await recordedMinutes(db))).toEqual({
      first: '2026-01-01T10:01:00.000Z',
      last: '2026-01-01T10:09:00.000Z',
    });
  });

  it('rebuilds hours and days, reports progress, and lists what stays missing', async () => {
    const { db, fence } = history;
    await writeSnapshot(db, fence, fullSnapshot(at('2026-01-02T23:59:00.000Z')));
    const before = await everyPoint(db);
    await db.run('DELETE FROM vault_point WHERE step <> 60');
    await db.run('DELETE FROM reward_point WHERE step = 86400');
    const progress: number[][] = [];
    const repaired = await repair(
      db,
      fence,
      { start: at('2000-01-01'), end: at('2026-01-03') },
      ({ days, done }) => progress.push([done, days]),
    );
    expect(await everyPoint(db)).toEqual(before);
    // Two hours and two days of the vault, two days of the campaign.
    expect(repaired.changed).toBe(6);
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(plain(repaired.missing.at(-1))).toEqual({
      start: '2026-01-01T10:10:00.000Z',
      end: '2026-01-02T23:59:00.000Z',
    });
    const old = fence;
    history = { ...history, fence: await takeFence(db, 'next') };
    await expect(repair(db, old, { start: at('2026-01-01'), end: at('2026-01-03') })).rejects.toMatchObject({
      code: 'NOT_LEADER',
    });
  });

  it('deletes expired points of each step and counts them', async () => {
    const { db, fence } = history;
    await writeHistory(db, fence, DAY, [fullSnapshot(at('2025-01-01T23:59:00.000Z'))]);
    const keep = { minuteDays: 1, hourDays: 2, dayDays: 30 };
    // 5 of 6 minutes, 1 of 2 hours and 1 of 3 days have expired.
    const removed = await applyRetention(db, fence, keep, at('2026-01-04T12:00:00.000Z'));
    expect(removed).toEqual({ minutes: 30, hours: 5, days: 5, snapshots: 6, leverage: 0 });
    const rows = await db.rows(
      'SELECT step, count(*)::integer AS points FROM vault_point GROUP BY step ORDER BY step',
    );
    expect(rows).toEqual([
      { step: HOUR, points: 1 },
      { step: DAY, points: 2 },
    ]);
    expect(await applyRetention(db, fence, keep, at('2026-01-04T12:00:00.000Z'))).toEqual({
      minutes: 0,
      hours: 0,
      days: 0,
      snapshots: 0,
      leverage: 0,
    });
    await applyRetention(db, fence, { ...keep, dayDays: null }, at('2036-01-01'));
    const days = await readVaultPoints(db, [named('vault')], {
      start: at('2020-01-01'),
      end: at('2040-01-01'),
      step: DAY,
    });
    expect(days.get(named('vault'))).toHaveLength(2);
  });

  it('rejects a negative retention and an old fencing token', async () => {
    const { db, fence } = history;
    const keep = { minuteDays: -1, hourDays: 1, dayDays: null };
    await expect(applyRetention(db, fence, keep, at('2026-01-01'))).rejects.toMatchObject({
      code: 'NUMBER_OUT_OF_RANGE',
    });
    await expect(
      applyRetention(db, fence - 1n, { ...keep, minuteDays: 1 }, at('2026-01-01')),
    ).rejects.toMatchObject({
      code: 'NOT_LEADER',
    });
  });
});
