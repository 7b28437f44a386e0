import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { averageRates } from '../../src/store/history/average-rates.ts';
import { pricesAt, reserveRatesAround, sharePricesAt } from '../../src/store/history/points-at.ts';
import { readRewardPoints } from '../../src/store/history/read-rewards.ts';
import { readSlices } from '../../src/store/history/read-slices.ts';
import { seriesExtents } from '../../src/store/history/series-extent.ts';
import { HOUR, type Step } from '../../src/store/history/time-buckets.ts';
import { VAULT_SERIES } from '../../src/store/history/vault-series.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { readPricePoints, readReservePoints, readVaultPoints } from '../support/history/read-points.ts';
import {
  at,
  named,
  priceSample,
  reserveSample,
  rewardSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';

describe.each(postgres())('the cost of reading history on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
    const { db, fence } = history;
    const names = Array.from({ length: 20 }, (_, index) => `cost-${index}`);
    const hours = Array.from({ length: 24 * 20 }, (_, hour) =>
      snapshot(new Date(at('2026-01-01T00:59:00Z').getTime() + hour * 3_600_000), {
        vaults: names.map((name) => vaultSample(name)),
        reserves: names.map((name) => reserveSample(name)),
        prices: names.map((name) => priceSample(name)),
        rewards: names.map((name) => rewardSample({ depositReserve: named(name) })),
      }),
    );
    await writeHistory(db, fence, HOUR, hours);
    await db.run('ANALYZE');
  });
  afterAll(() => history.drop());

  /** Runs the statements of a reader and returns their query plans. */
  async function plansOf(read: (sql: HistoryDatabase['db']) => Promise<unknown>): Promise<string> {
    const { db } = history;
    let plan = '';
    await read({
      ...db,
      async rows(text, params) {
        const lines = await db.rows(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`, params);
        plan = lines.map((line) => String(line['QUERY PLAN'])).join('\n');
        return await db.rows(text, params);
      },
    });
    return plan;
  }

  const range = (start: string, end: string, step: Step = HOUR) => ({ start: at(start), end: at(end), step });
  const asked = Array.from({ length: 10 }, (_, index) => named(`cost-${index}`));
  const readers: [string, string, (sql: HistoryDatabase['db']) => Promise<unknown>][] = [
    [
      'a day of 10 vaults',
      'vault_point',
      (sql) => readVaultPoints(sql, asked, range('2026-01-05', '2026-01-06')),
    ],
    [
      'everything of 10 vaults',
      'vault_point',
      (sql) => readVaultPoints(sql, asked, range('2020-01-01', '2030-01-01')),
    ],
    [
      'the newest points of 10 vaults',
      'vault_point',
      (sql) =>
        readSlices(
          sql,
          VAULT_SERIES,
          asked.map((address) => ({
            ...range('2020-01-01', '2030-01-01'),
            address,
            newest: 5,
            sampled: null,
            maxHourBuckets: null,
            maxHoursSpanSeconds: null,
          })),
          ['tvlUsd'],
        ),
    ],
    [
      'a day of 10 reserves',
      'reserve_point',
      (sql) => readReservePoints(sql, asked, range('2026-01-05', '2026-01-06')),
    ],
    [
      'a day of 10 prices',
      'price_point',
      (sql) => readPricePoints(sql, asked, range('2026-01-05', '2026-01-06')),
    ],
    [
      'a day of rewards',
      'reward_point',
      (sql) =>
        readRewardPoints(
          sql,
          asked.map((depositReserve) => ({ depositReserve, borrowReserve: null })),
          range('2026-01-05', '2026-01-06'),
        ),
    ],
    ['share prices', 'vault_point', (sql) => sharePricesAt(sql, asked, ['2026-01-03', '2026-01-09'].map(at))],
    [
      'prices',
      'price_point',
      (sql) =>
        pricesAt(
          sql,
          asked.map((mint) => ({ mint, instant: at('2026-01-03') })),
        ),
    ],
    [
      'rates',
      'reserve_point',
      (sql) =>
        reserveRatesAround(
          sql,
          asked.map((reserve) => ({ reserve, instant: at('2026-01-03') })),
        ),
    ],
    ['extents', 'vault_point', (sql) => seriesExtents(sql, 'vault', asked)],
    ['means', 'reserve_point', (sql) => averageRates(sql, spansOf(asked), at('2026-01-12'))],
  ];

  /** Spans that end together and begin 2, 5 and 9 days before. */
  const spansOf = (reserves: typeof asked) =>
    reserves.flatMap((reserve) =>
      ['2026-01-10', '2026-01-07', '2026-01-03'].map((start) => ({ reserve, start: at(start), step: HOUR })),
    );

  it('reads each bucket of overlapping means once', async () => {
    const plan = await plansOf((sql) => averageRates(sql, spansOf(asked), at('2026-01-12')));
    const scans = [...plan.matchAll(/reserve_point\w* .*?rows=([\d.]+) loops=(\d+)/g)];
    const visited = scans.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0);
    // Nine days of hours of ten reserves, and the oldest point of each reserve by hour and by day.
    expect(visited).toBeGreaterThanOrEqual(10 * 9 * 24);
    expect(visited).toBeLessThan(10 * 9 * 24 + 200);
  });

  it.each(readers)('finds %s by the primary key of its table', async (_, table, read) => {
    const plan = await plansOf(read);
    const scans = plan.split('\n').filter((line) => line.includes(table));
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) {
      expect(scan).toMatch(/Index (Only )?Scan|Bitmap (Index|Heap) Scan/);
      expect(scan).not.toContain('Seq Scan');
    }
    expect(plan).toContain(`${table}_pkey`);
    expect(plan).not.toContain(`${table}_bucket_idx`);
  });
});
