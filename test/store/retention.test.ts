import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyRetention } from '../../src/store/history/retention.ts';
import type { Database } from '../../src/store/sql.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { at } from '../support/history/samples.ts';

const NOW = at('2026-03-10T00:00:00.000Z');
const KEEP = { minuteDays: 1, hourDays: 2, dayDays: null };
const ROWS_PER_BATCH = 5_000;

describe.each(databases())('retention after a long pause on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
    const { db } = history;
    await db.run(
      "INSERT INTO subject (id, address) SELECT n, 'address-' || n FROM generate_series(1, 150) AS s(n)",
    );
    // 100 series whose minutes begin 5 hours before the limit, every other one 30 hours before it.
    await db.run(
      `INSERT INTO price_point (mint_id, step, bucket, samples, slot, sampled_at)
       SELECT n, 60, t, 1, 1, t FROM generate_series(1, 100) AS s(n) CROSS JOIN LATERAL generate_series(
         '2026-03-09T00:00:00Z'::timestamptz - (CASE WHEN n % 2 = 0 THEN 5 ELSE 30 END) * interval '1 hour',
         '2026-03-09T00:09:00Z'::timestamptz, interval '1 minute') AS m(t)`,
    );
    await db.run(
      `INSERT INTO price_point (mint_id, step, bucket, samples, slot, sampled_at)
       SELECT n, 3600, t, 60, 1, t FROM generate_series(1, 100) AS s(n) CROSS JOIN
         generate_series('2026-03-07T22:00:00Z'::timestamptz, '2026-03-08T01:00:00Z'::timestamptz, interval '1 hour') AS h(t)`,
    );
    // 2 markets of 150 pairs.
    await db.run(
      `INSERT INTO leverage_point (market_id, deposit_reserve_id, borrow_reserve_id, tag, bucket, sampled_at,
         obligations, avg_leverage, deposited, borrowed)
       SELECT market, pair, pair, 0, t, t, 1, 1, 1, 1
       FROM generate_series(1, 2) AS m(market) CROSS JOIN generate_series(1, 150) AS p(pair) CROSS JOIN
         generate_series('2026-03-06T00:00:00Z'::timestamptz, '2026-03-08T01:00:00Z'::timestamptz, interval '1 hour') AS h(t)`,
    );
    await db.run(
      `INSERT INTO loan_point (market_id, bucket, sampled_at, loans, unvalued, deposited_usd, borrowed_usd, factored_usd,
         max_ltv, healthy, at_risk, liquidatable)
       SELECT market, t, t, 1, 0, 1, 1, 1, 1, 1, 0, 0 FROM generate_series(1, 2) AS m(market) CROSS JOIN
         generate_series('2026-03-06T00:00:00Z'::timestamptz, '2026-03-08T01:00:00Z'::timestamptz, interval '1 hour') AS h(t)`,
    );
  });
  afterAll(() => history.drop());

  /** Notes how many rows each transaction deletes. */
  function counting(db: Database, counts: number[]): Database {
    return {
      ...db,
      transaction: (work) =>
        db.transaction((sql) =>
          work({
            ...sql,
            run: async (text, params) => {
              const count = await sql.run(text, params);
              counts.push(count);
              return count;
            },
          }),
        ),
    };
  }

  it('deletes everything that expired, in small transactions, and nothing else', async () => {
    const counts: number[] = [];
    const removed = await applyRetention(counting(history.db, counts), history.fence, KEEP, NOW);
    expect(removed).toEqual({
      minutes: 50 * 5 * 60 + 50 * 30 * 60,
      hours: 100 * 2,
      days: 0,
      snapshots: 0,
      leverage: (2 * 150 + 2) * 48,
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(ROWS_PER_BATCH);
    const left = await history.db.rows(
      `SELECT step, count(*)::integer AS points, min(bucket) = max(bucket) - (count(*) / 100 - 1) * step * interval '1 second' AS whole,
         to_char(min(bucket), 'YYYY-MM-DD HH24:MI') AS oldest FROM price_point GROUP BY step ORDER BY step`,
    );
    expect(left).toEqual([
      { step: 60, points: 1_000, whole: true, oldest: '2026-03-09 00:00' },
      { step: 3_600, points: 200, whole: true, oldest: '2026-03-08 00:00' },
    ]);
    const [leverage] = await history.db.rows('SELECT count(*)::integer AS points FROM leverage_point');
    expect(leverage).toEqual({ points: 2 * 150 * 2 });
    const [loans] = await history.db.rows('SELECT count(*)::integer AS points FROM loan_point');
    expect(loans).toEqual({ points: 2 * 2 });
  });
});
