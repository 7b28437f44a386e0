import { Rational, sum } from '@sluice/protocol/numeric/rational';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allAddressIds } from '../../src/store/history/address-ids.ts';
import { applyRetention } from '../../src/store/history/retention.ts';
import { rollUp } from '../../src/store/history/roll-up.ts';
import { DAY, HOUR, MINUTE, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory, writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { databases } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { readPricePoints, readReservePoints, readVaultPoints } from '../support/history/read-points.ts';
import {
  at,
  d,
  fullSnapshot,
  inGroups,
  named,
  plain,
  priceSample,
  reserveSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';

/** Any decimal with up to 40 digits before the point and 30, the stored scale, after it. */
const decimal = fc
  .tuple(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.integer({ min: 0, max: 30 }))
  .map(([n, places]) => Rational.of(n, 10n ** BigInt(places)));

/** Distinct minutes of three days in any order, with their samples. */
const samples = fc.uniqueArray(
  fc.record({
    minute: fc.integer({ min: 0, max: 3 * 1_440 - 1 }),
    second: fc.integer({ min: 0, max: 59 }),
    apy: decimal,
    theoretical: fc.option(decimal),
    tvl: decimal,
    price: fc.option(decimal),
    ratios: fc.array(decimal, { maxLength: 4 }),
  }),
  { selector: ({ minute }) => minute, minLength: 1, maxLength: 10 },
);

const meanOf = (values: readonly Rational[]) =>
  values.length === 0 ? null : plain(sum(values).div(Rational.of(BigInt(values.length))));

describe.each(databases())('rolling history up on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  it('computes the means and last values of any samples, in any order and by any way of writing', async () => {
    const { db, fence } = history;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(samples, fc.boolean(), async (seen, inBulk) => {
        run += 1;
        const base = at('2020-01-01').getTime() + run * 4 * 86_400_000;
        const [vault, reserve] = [`vault-${run}`, `reserve-${run}`];
        const timed = seen.map((each) => ({
          ...each,
          time: base + each.minute * 60_000 + each.second * 1_000,
        }));
        const snapshots = timed.map(({ time, apy, theoretical, tvl, price, ratios }) =>
          snapshot(new Date(time), {
            vaults: [
              vaultSample(vault, {
                apyActual: apy,
                apyTheoretical: theoretical,
                tvlTokens: tvl,
                tvlUsd: price,
                allocations: ratios.map((ratio, index) => ({ reserve: named(`to-${index}`), ratio })),
              }),
            ],
            reserves: [
              reserveSample(reserve, {
                priceUsd: price,
                totalSupply: tvl,
                borrowedInGroups: inGroups(...ratios),
              }),
            ],
          }),
        );
        if (inBulk) await writeHistory(db, fence, MINUTE, snapshots);
        else for (const each of snapshots) await writeSnapshot(db, fence, each);
        for (const step of [MINUTE, HOUR, DAY] as const) {
          const range = { start: new Date(base), end: new Date(base + 3 * 86_400_000), step };
          const vaults = (await readVaultPoints(db, [named(vault)], range)).get(named(vault));
          const reserves = (await readReservePoints(db, [named(reserve)], range)).get(named(reserve));
          const buckets = [...new Set(timed.map(({ time }) => time - (time % (step * 1_000))))].sort(
            (a, b) => a - b,
          );
          const inBucket = buckets.map((bucket) =>
            timed
              .filter(({ time }) => time >= bucket && time < bucket + step * 1_000)
              .sort((a, b) => a.time - b.time),
          );
          expect(
            vaults?.map((point) => [
              point.bucket.getTime(),
              point.sampledAt.getTime(),
              point.samples,
              plain(point.apyActual),
              plain(point.apyTheoretical),
              plain(point.tvlTokens),
              plain(point.tvlUsd),
              plain(point.allocations.map(({ ratio }) => ratio)),
            ]),
          ).toEqual(
            inBucket.map((group, index) => [
              buckets[index],
              group.at(-1)?.time,
              group.length,
              meanOf(group.map(({ apy }) => apy)),
              meanOf(group.map(({ theoretical }) => theoretical).filter((value) => value !== null)),
              plain(group.at(-1)?.tvl),
              plain(group.at(-1)?.price),
              plain(group.at(-1)?.ratios),
            ]),
          );
          expect(
            reserves?.map((point) => [
              plain(point.meanPriceUsd),
              plain(point.priceUsd),
              plain(point.totalSupply),
              plain(point.borrowedInGroups),
            ]),
          ).toEqual(
            inBucket.map((group) => [
              meanOf(group.map(({ price }) => price).filter((value) => value !== null)),
              plain(group.at(-1)?.price),
              meanOf(group.map(({ tvl }) => tvl)),
              plain(inGroups(...(group.at(-1)?.ratios ?? []))),
            ]),
          );
        }
      }),
      { numRuns: kind.name === 'PostgreSQL' ? 15 : 5 },
    );
  });

  it('is idempotent over any range', async () => {
    const { db } = history;
    const ids = await allAddressIds(db);
    const before = await everyPoint(db);
    expect(before.length).toBeGreaterThan(50);
    const all = { start: at('2019-12-01'), end: at('2021-01-01') };
    expect(await rollUp(db, ids, all)).toBe(0);
    expect(
      await rollUp(db, ids, { start: at('2020-01-05T10:17:00Z'), end: at('2020-01-05T10:18:00Z') }),
    ).toBe(0);
    expect(await everyPoint(db)).toEqual(before);
  });

  it('restores lost hours and days from minutes', async () => {
    const { db } = history;
    const before = await everyPoint(db);
    await db.run('DELETE FROM vault_point WHERE step = 86400');
    await db.run('DELETE FROM reserve_point WHERE step > 60');
    expect(await everyPoint(db)).not.toEqual(before);
    await rollUp(db, await allAddressIds(db), { start: at('2019-12-01'), end: at('2021-01-01') });
    expect(await everyPoint(db)).toEqual(before);
  });

  it('keeps coarser points after the finer ones have expired', async () => {
    const { db, fence } = history;
    for (const minute of ['10:58', '10:59', '11:00', '11:01']) {
      await writeSnapshot(db, fence, fullSnapshot(at(`2022-03-01T${minute}:00.000Z`)));
    }
    await writeHistory(db, fence, HOUR, [fullSnapshot(at('2022-03-01T05:59:00.000Z'))]);
    await writeHistory(db, fence, DAY, [fullSnapshot(at('2022-02-01T23:59:00.000Z'))]);
    const span = { start: at('2022-01-01'), end: at('2022-04-01') };
    const points = async (step: Step) =>
      plain((await readVaultPoints(db, [named('vault')], { ...span, step })).get(named('vault')));
    const before = { hours: await points(HOUR), days: await points(DAY) };
    // The minutes of the first hour expire, those of the second stay.
    await applyRetention(
      db,
      fence,
      { minuteDays: 1, hourDays: 30, dayDays: null },
      at('2022-03-02T11:00:30.000Z'),
    );
    expect(await points(MINUTE)).toHaveLength(2);
    const ids = await allAddressIds(db);
    expect(await rollUp(db, ids, span)).toBe(0);
    expect({ hours: await points(HOUR), days: await points(DAY) }).toEqual(before);
    // A late minute of an expired hour must not replace the whole hour.
    await writeSnapshot(db, fence, fullSnapshot(at('2022-03-01T10:30:00.000Z')));
    expect({ hours: await points(HOUR), days: await points(DAY) }).toEqual(before);
    await applyRetention(
      db,
      fence,
      { minuteDays: 1, hourDays: 1, dayDays: null },
      at('2022-03-05T00:00:00.000Z'),
    );
    expect(await points(HOUR)).toEqual([]);
    expect(await rollUp(db, ids, span)).toBe(0);
    expect(await points(DAY)).toEqual(before.days);
  });

  it('puts samples into UTC buckets in any session time zone', async () => {
    const { db, fence } = history;
    // An offset of 45 minutes shifts every hour, one across midnight every day.
    const inZone: typeof db = {
      ...db,
      transaction: (work) =>
        db.transaction(async (sql) => {
          await sql.run(`SET LOCAL TimeZone = 'Asia/Kathmandu'`);
          return await work(sql);
        }),
    };
    for (const iso of ['2023-06-30T23:59:59.999Z', '2023-07-01T00:00:00.000Z', '2023-07-01T18:20:00.000Z']) {
      const prices = [priceSample('zoned', { priceUsd: d('1') })];
      await writeSnapshot(inZone, fence, snapshot(at(iso), { prices }));
    }
    const labels = (step: Step) =>
      inZone.transaction(async (sql) => {
        const range = { start: at('2023-06-30'), end: at('2023-07-02'), step };
        return (await readPricePoints(sql, [named('zoned')], range))
          .get(named('zoned'))
          ?.map(({ bucket }) => bucket.toISOString());
      });
    expect(await labels(MINUTE)).toEqual([
      '2023-06-30T23:59:00.000Z',
      '2023-07-01T00:00:00.000Z',
      '2023-07-01T18:20:00.000Z',
    ]);
    expect(await labels(HOUR)).toEqual([
      '2023-06-30T23:00:00.000Z',
      '2023-07-01T00:00:00.000Z',
      '2023-07-01T18:00:00.000Z',
    ]);
    expect(await labels(DAY)).toEqual(['2023-06-30T00:00:00.000Z', '2023-07-01T00:00:00.000Z']);
  });
});
