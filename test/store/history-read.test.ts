import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pricesAt, reserveRatesAround, sharePricesAt } from '../../src/store/history/points-at.ts';
import { PRICE_SERIES } from '../../src/store/history/price-series.ts';
import { readRewardPoints } from '../../src/store/history/read-rewards.ts';
import { readSlices } from '../../src/store/history/read-slices.ts';
import type { Snapshot } from '../../src/store/history/samples.ts';
import { recordedSince, seriesExtents } from '../../src/store/history/series-extent.ts';
import { DAY, HOUR, MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory, recording } from '../support/history/history-database.ts';
import { readPricePoints, readReservePoints, readVaultPoints } from '../support/history/read-points.ts';
import {
  at,
  d,
  inGroups,
  named,
  plain,
  priceSample,
  reserveSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';

const minutesFrom = (iso: string, count: number, make: (index: number) => Partial<Snapshot>) =>
  Array.from({ length: count }, (_, index) =>
    snapshot(new Date(at(iso).getTime() + index * 60_000 + 5_000), make(index)),
  );

describe.each(databases())('reading history on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  it('includes the start of a range and not its end', async () => {
    const { db, fence } = history;
    await writeHistory(
      db,
      fence,
      MINUTE,
      minutesFrom('2026-01-01T10:00:00.000Z', 5, () => ({ prices: [priceSample('ranged')] })),
    );
    const minutes = async (start: string, end: string) => {
      const points = await readPricePoints(db, [named('ranged')], {
        start: at(start),
        end: at(end),
        step: MINUTE,
      });
      return points.get(named('ranged'))?.map(({ bucket }) => bucket.toISOString().slice(11, 16));
    };
    expect(await minutes('2026-01-01T10:01:00.000Z', '2026-01-01T10:03:00.000Z')).toEqual(['10:01', '10:02']);
    expect(await minutes('2026-01-01T10:01:00.001Z', '2026-01-01T10:03:00.001Z')).toEqual(['10:02', '10:03']);
    expect(await minutes('2026-01-01T10:01:00.000Z', '2026-01-01T10:01:00.000Z')).toEqual([]);
    expect(await minutes('2026-01-01T10:03:00.000Z', '2026-01-01T10:01:00.000Z')).toEqual([]);
    expect(await minutes('2025-01-01T00:00:00.000Z', '2025-01-02T00:00:00.000Z')).toEqual([]);
    expect(await minutes('-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z')).toHaveLength(5);
  });

  it('samples a slice evenly, including its last point, and counts what it was chosen from', async () => {
    const { db, fence } = history;
    const count = 13;
    await writeHistory(
      db,
      fence,
      MINUTE,
      minutesFrom('2026-01-01T14:00:00.000Z', count, () => ({ prices: [priceSample('sampled')] })),
    );
    const limits = Array.from({ length: count + 1 }, (_, i) => i + 1);
    const slices = await readSlices(
      db,
      PRICE_SERIES,
      limits.map((sampled) => ({
        address: named('sampled'),
        start: at('2026-01-01'),
        end: at('2026-01-02'),
        step: MINUTE,
        newest: null,
        sampled,
        maxHourBuckets: null,
        maxHoursSpanSeconds: null,
      })),
      [],
    );
    for (const [i, limit] of limits.entries()) {
      const points = Math.min(limit, count);
      const evenly = Array.from({ length: points }, (_, k) => Math.round(((k + 1) * count) / points) - 1);
      expect(slices[i]?.points.map(({ bucket }) => bucket.getUTCMinutes())).toEqual(evenly);
      expect([slices[i]?.total, slices[i]?.truncated]).toEqual([count, false]);
    }
  });

  it('reads the newest points of a slice, and says whether there are older ones', async () => {
    const { db, fence } = history;
    await writeHistory(
      db,
      fence,
      MINUTE,
      minutesFrom('2026-01-01T12:00:00.000Z', 5, () => ({ prices: [priceSample('newest')] })),
    );
    const slice = async (newest: number | null, start: string, end: string) => {
      const request = { address: named('newest'), start: at(start), end: at(end), step: MINUTE, newest };
      const limits = { sampled: null, maxHourBuckets: null, maxHoursSpanSeconds: null };
      const [found] = await readSlices(db, PRICE_SERIES, [{ ...request, ...limits }], []);
      return [found?.points.map(({ bucket }) => bucket.toISOString().slice(11, 16)), found?.truncated];
    };
    const day = ['2026-01-01', '2026-01-02'] as const;
    const all = ['12:00', '12:01', '12:02', '12:03', '12:04'];
    expect(await slice(null, ...day)).toEqual([all, false]);
    expect(await slice(5, ...day)).toEqual([all, false]);
    expect(await slice(2, ...day)).toEqual([['12:03', '12:04'], true]);
    expect(await slice(2, '2026-01-01T12:01:00.000Z', '2026-01-01T12:03:00.000Z')).toEqual([
      ['12:01', '12:02'],
      false,
    ]);
    expect(await slice(1, '2026-01-01T12:01:00.000Z', '2026-01-01T12:03:00.000Z')).toEqual([['12:02'], true]);
  });

  it('rejects an invalid instant', async () => {
    const [none, end] = [at('nonsense'), at('2026-01-01')];
    const refusal = { code: 'NUMBER_OUT_OF_RANGE' };
    const range = { start: none, end, step: DAY };
    await expect(readPricePoints(history.db, [named('ranged')], range)).rejects.toMatchObject(refusal);
    await expect(readRewardPoints(history.db, [], range)).rejects.toMatchObject(refusal);
    await expect(pricesAt(history.db, [{ mint: named('ranged'), instant: none }])).rejects.toMatchObject(
      refusal,
    );
  });

  it('answers the series of 50 vaults and of their reserves with one statement each', async () => {
    const { db, fence } = history;
    const names = Array.from({ length: 50 }, (_, index) => `many-${index}`);
    await writeHistory(
      db,
      fence,
      HOUR,
      [0, 1, 2].map((hour) =>
        snapshot(new Date(at('2026-01-02T00:30:00.000Z').getTime() + hour * 3_600_000), {
          vaults: names.map((name, index) => vaultSample(name, { interest: d(`${index}.${hour}`) })),
          reserves: names.map((name) => reserveSample(name)),
        }),
      ),
    );
    const { db: counted, statements } = recording(db);
    const range = { start: at('2026-01-02'), end: at('2026-01-03'), step: HOUR };
    const asked = [...names, 'nobody', 'many-3'].map(named);
    const vaults = await readVaultPoints(counted, asked, range);
    expect(statements).toHaveLength(1);
    expect([...vaults.keys()]).toEqual([...names, 'nobody'].map(named));
    for (const [index, name] of names.entries()) {
      const points = vaults.get(named(name)) ?? [];
      expect(points.map(({ interest }) => plain(interest))).toEqual([`${index}`, `${index}.1`, `${index}.2`]);
      expect(points[2]?.allocations.map(({ reserve }) => reserve)).toEqual([
        named('reserve-a'),
        named('reserve-b'),
      ]);
    }
    expect(vaults.get(named('nobody'))).toEqual([]);
    const reserves = await readReservePoints(counted, asked, range);
    expect(statements).toHaveLength(2);
    expect(reserves.get(named('many-49'))?.[0]?.config.symbol).toBe('USDC');
    expect(await readVaultPoints(counted, [], range)).toEqual(new Map());
    expect(statements).toHaveLength(2);
  });

  it('stores no elevation groups after the last with a debt, and reads all 32', async () => {
    const { db, fence } = history;
    const debts = { some: inGroups(d('0'), d('2.5')), none: inGroups() };
    const reserves = Object.entries(debts).map(([name, borrowedInGroups]) =>
      reserveSample(name, { borrowedInGroups }),
    );
    await writeHistory(db, fence, DAY, [snapshot(at('2024-05-01T23:59:00Z'), { reserves })]);
    const kept = await db.rows(
      `SELECT borrowed_in_groups::text AS groups FROM reserve_point WHERE bucket = '2024-05-01' ORDER BY 1`,
    );
    expect(kept.map(({ groups }) => groups)).toEqual(['{0,2.5}', '{}']);
    const range = { start: at('2024-05-01'), end: at('2024-05-02'), step: DAY };
    const answered = async () => {
      const points = await readReservePoints(db, Object.keys(debts).map(named), range);
      return Object.keys(debts).map((name) => plain(points.get(named(name))?.[0]?.borrowedInGroups));
    };
    const expected = Object.values(debts).map((groups) => plain(groups));
    expect(await answered()).toEqual(expected);
    // The earlier storage format.
    await db.run(
      `UPDATE reserve_point SET borrowed_in_groups = $1::numeric[] WHERE borrowed_in_groups = '{0,2.5}'`,
      [inGroups(d('0'), d('2.5')).map((amount) => toDecimalString(amount))],
    );
    expect(await answered()).toEqual(expected);
  });

  it('reports since when it records, and the range of its points', async () => {
    const { db, fence } = history;
    const price = (iso: string, name = 'long') => snapshot(at(iso), { prices: [priceSample(name)] });
    await writeHistory(db, fence, DAY, [price('2025-03-01T23:59:00Z'), price('2025-03-02T23:59:00Z')]);
    await writeHistory(db, fence, HOUR, [price('2025-03-05T04:59:00Z')]);
    await writeHistory(db, fence, MINUTE, [
      price('2025-03-06T10:00:00Z'),
      price('2025-03-06T10:07:00Z', 'short'),
    ]);
    const { db: counted, statements } = recording(db);
    const asked = ['long', 'short', 'never'].map(named);
    expect(plain([...(await recordedSince(counted, 'price', asked))])).toEqual([
      [named('long'), '2025-03-01T00:00:00.000Z'],
      [named('short'), '2025-03-06T00:00:00.000Z'],
    ]);
    const extents = await seriesExtents(counted, 'price', asked);
    expect(statements).toHaveLength(2);
    expect(plain(extents.get(named('long')))).toEqual([
      { step: MINUTE, first: '2025-03-06T10:00:00.000Z', last: '2025-03-06T10:00:00.000Z' },
      { step: HOUR, first: '2025-03-05T04:00:00.000Z', last: '2025-03-06T10:00:00.000Z' },
      { step: DAY, first: '2025-03-01T00:00:00.000Z', last: '2025-03-06T00:00:00.000Z' },
    ]);
    expect(extents.get(named('never'))).toEqual([]);
  });

  it('finds the share price in force at an instant, from the finest step that has one', async () => {
    const { db, fence } = history;
    const vault = (iso: string, price: string, name = 'shares') =>
      snapshot(at(iso), { vaults: [vaultSample(name, { tokensPerShare: d(price) })] });
    await writeHistory(db, fence, DAY, [
      vault('2025-05-01T23:59:00Z', '1.01'),
      vault('2025-05-02T23:59:00Z', '1.02'),
    ]);
    await writeHistory(db, fence, HOUR, [
      vault('2025-05-10T04:59:00Z', '1.1'),
      vault('2025-05-10T05:59:00Z', '1.2'),
    ]);
    await writeHistory(db, fence, MINUTE, [
      vault('2025-05-20T10:00:00Z', '1.3'),
      vault('2025-05-20T10:05:30Z', '1.4'),
    ]);
    const instants = [
      '2025-05-01T12:00:00.000Z',
      '2025-05-01T23:59:00.000Z',
      '2025-05-02T12:00:00.000Z',
      '2025-05-10T05:30:00.000Z',
      '2025-05-15T00:00:00.000Z',
      '2025-05-20T10:05:29.999Z',
      '2025-05-20T10:05:30.000Z',
      '2026-01-01T00:00:00.000Z',
    ];
    const { db: counted, statements } = recording(db);
    const prices = await sharePricesAt(counted, [named('shares'), named('shareless')], instants.map(at));
    expect(statements).toHaveLength(1);
    const found = prices.get(named('shares'));
    expect(found?.at.map((seen) => seen && [plain(seen.tokensPerShare), seen.step])).toEqual([
      null,
      ['1.01', DAY],
      ['1.01', DAY],
      ['1.1', HOUR],
      ['1.2', HOUR],
      ['1.3', MINUTE],
      ['1.4', MINUTE],
      ['1.4', MINUTE],
    ]);
    expect(plain(found?.first)).toMatchObject({
      tokensPerShare: '1.01',
      sampledAt: '2025-05-01T23:59:00.000Z',
    });
    expect(prices.get(named('shareless'))).toEqual({ first: null, at: instants.map(() => null) });
  });

  it('starts share prices when the first shares were issued', async () => {
    const { db, fence } = history;
    const vault = (iso: string, price: string) =>
      snapshot(at(iso), { vaults: [vaultSample('issuing', { tokensPerShare: d(price) })] });
    await writeHistory(db, fence, DAY, [
      vault('2025-05-01T23:59:00Z', '0'),
      vault('2025-05-02T23:59:00Z', '1.02'),
    ]);
    const instants = ['2025-05-01T12:00:00.000Z', '2025-05-02T12:00:00.000Z'].map(at);
    const found = (await sharePricesAt(db, [named('issuing')], instants)).get(named('issuing'));
    expect(found?.at.map((seen) => seen && plain(seen.tokensPerShare))).toEqual([null, '0']);
    expect(plain(found?.first)).toMatchObject({
      tokensPerShare: '1.02',
      sampledAt: '2025-05-02T23:59:00.000Z',
    });
  });

  it('returns no price older than its step allows', async () => {
    const { db, fence } = history;
    const price = (iso: string, usd: string | null) =>
      snapshot(at(iso), { prices: [priceSample('aged', { priceUsd: usd === null ? null : d(usd) })] });
    await writeHistory(db, fence, DAY, [price('2025-05-01T23:59:00Z', '1')]);
    await writeHistory(db, fence, MINUTE, [
      price('2025-06-01T10:00:00Z', '2'),
      price('2025-06-01T13:00:00Z', null),
    ]);
    const at_ = async (iso: string) => {
      const [seen = null] = await pricesAt(db, [{ mint: named('aged'), instant: at(iso) }]);
      return seen && plain(seen.priceUsd);
    };
    expect(await at_('2025-05-01T23:58:59Z')).toBeNull();
    expect(await at_('2025-05-03T23:59:00Z')).toBe('1');
    expect(await at_('2025-05-03T23:59:01Z')).toBeNull();
    expect(await at_('2025-06-01T12:00:00Z')).toBe('2');
    expect(await at_('2025-06-01T12:00:01Z')).toBeNull();
    const at13 = { mint: named('aged'), instant: at('2025-06-01T13:00:00Z') };
    const { db: counted, statements } = recording(db);
    expect(await pricesAt(counted, [at13, { ...at13, mint: named('ageless') }])).toMatchObject([
      { priceUsd: null, step: MINUTE },
      null,
    ]);
    expect(statements).toHaveLength(1);
    expect(await pricesAt(counted, [])).toEqual([]);
    expect(statements).toHaveLength(1);
  });

  it('finds the rates of a reserve around an instant', async () => {
    const { db, fence } = history;
    const rates = (iso: string, exchangeRate: string) =>
      snapshot(at(iso), { reserves: [reserveSample('rated', { exchangeRate: d(exchangeRate) })] });
    await writeHistory(db, fence, DAY, [
      rates('2025-06-20T23:59:00Z', '0.97'),
      rates('2025-06-21T23:59:00Z', '0.95'),
    ]);
    await writeHistory(db, fence, HOUR, [rates('2025-06-21T10:59:00Z', '0.96')]);
    await writeHistory(db, fence, MINUTE, [
      rates('2025-07-01T00:00:00Z', '0.9'),
      rates('2025-07-01T00:01:00Z', '0.8'),
    ]);
    const { db: counted, statements } = recording(db);
    const asked = [
      '2025-06-01T00:00:00Z',
      // Within an hour and a day whose samples are later.
      '2025-06-21T10:30:00Z',
      '2025-06-21T11:30:00Z',
      '2025-07-01T00:00:00Z',
      '2025-08-01T00:00:00Z',
    ].map(at);
    const found = await reserveRatesAround(
      counted,
      [named('rated'), named('unrated')].flatMap((reserve) => asked.map((instant) => ({ reserve, instant }))),
    );
    const rateOf = (seen: (typeof found)[number]['before']) => seen && plain(seen.exchangeRate);
    expect(found.map(({ before, after }) => [rateOf(before), rateOf(after)])).toEqual([
      [null, '0.97'],
      ['0.97', '0.96'],
      ['0.96', '0.95'],
      ['0.9', '0.8'],
      ['0.8', null],
      ...asked.map(() => [null, null]),
    ]);
    expect(statements).toHaveLength(1);
  });
});
