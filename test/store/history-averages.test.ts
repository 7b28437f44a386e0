import { integer, Rational, sum, ZERO } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { averageRates } from '../../src/store/history/average-rates.ts';
import { DAY, HOUR } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory, recording } from '../support/history/history-database.ts';
import { at, d, named, reserveSample, snapshot } from '../support/history/samples.ts';

const NOW = at('2026-03-31T12:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY * 1_000);
const END = new Date(NOW.getTime() + 1);

/** A sample at the end of each bucket, the oldest first, with a rate that says how long ago it was. */
const past = (count: number, step: number, names: (index: number) => readonly string[]) =>
  Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index;
    const sampledAt = new Date(Math.floor(NOW.getTime() / (step * 1_000) - ago) * step * 1_000 - 1_000);
    const rate = d(`0.${String(1_000 + ago)}`);
    const reserves = names(ago).map((name) =>
      reserveSample(name, {
        supplyApy: rate,
        borrowApy: rate.add(rate),
        totalSupply: d(String(1_000 + ago)),
        totalBorrows: d(String(ago)),
      }),
    );
    return snapshot(sampledAt, { reserves });
  });

const mean = (rates: readonly Rational[]) => sum(rates).div(integer(rates.length));
const rates = (count: number) => Array.from({ length: count }, (_, ago) => d(`0.${String(1_000 + ago)}`));

describe.each(databases())('average rates on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
    const { db, fence } = history;
    await writeHistory(
      db,
      fence,
      DAY,
      past(60, DAY, (ago) => (ago < 20 ? ['old', 'new'] : ['old'])),
    );
    await writeHistory(
      db,
      fence,
      HOUR,
      past(200, HOUR, () => ['hourly']),
    );
  });
  afterAll(() => history.drop());

  const ask = (reserve: string, days: number, step: typeof HOUR | typeof DAY) => ({
    reserve: named(reserve),
    step,
    start: daysAgo(days),
  });
  const read = async (...asked: Parameters<typeof ask>) =>
    (await averageRates(history.db, [ask(...asked)], END))[0] ?? null;

  it('are means over the days or hours that begin in the span', async () => {
    // The last complete day ended at midnight: 29 of them began in the last 30 days.
    const days = await read('old', 30, DAY);
    expect(days?.supplyApy.equals(mean(rates(29)))).toBe(true);
    expect(days?.borrowApy.equals(mean(rates(29)).mul(integer(2)))).toBe(true);
    // 0 to 28 tokens borrowed of 1000 to 1028: 14 of 1014 on average.
    expect(days?.utilization.equals(Rational.of(14n, 1_014n))).toBe(true);
    const hours = await read('hourly', 7, HOUR);
    expect(hours?.supplyApy.equals(mean(rates(7 * 24)))).toBe(true);
  });

  it('are taken from days where hours do not reach back to the start', async () => {
    expect((await read('old', 7, HOUR))?.supplyApy.equals(mean(rates(6)))).toBe(true);
  });

  it('are null for a reserve that was not recorded yet when the span began', async () => {
    expect(await read('new', 30, DAY)).toBeNull();
    expect(await read('new', 7, DAY)).not.toBeNull();
    expect(await read('hourly', 30, DAY)).toBeNull();
    expect(await read('nobody', 7, HOUR)).toBeNull();
  });

  it('of several spans of one reserve are each over their own buckets', async () => {
    const asked = [30, 14, 7, 59].map((days) => ask('old', days, DAY));
    const found = await averageRates(history.db, [...asked, ask('old', 7, HOUR)], END);
    const wanted = [29, 13, 6, 58, 6].map((count) => mean(rates(count)));
    expect(found.map((each, i) => each?.supplyApy.equals(wanted[i] ?? ZERO))).toEqual(wanted.map(() => true));
  });

  it('of many reserves and spans take one statement', async () => {
    const { db, statements } = recording(history.db);
    const asked = [ask('old', 30, DAY), ask('nobody', 7, HOUR), ask('hourly', 7, HOUR), ask('new', 7, HOUR)];
    const all = await averageRates(db, asked, END);
    expect(statements).toHaveLength(1);
    expect(all.map((each) => each === null)).toEqual([false, true, false, false]);
    expect(await averageRates(db, [], END)).toEqual([]);
    expect(statements).toHaveLength(1);
  });
});
