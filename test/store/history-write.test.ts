import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRewardPoints } from '../../src/store/history/read-rewards.ts';
import { DAY, HOUR, MINUTE, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory, writeSnapshot } from '../../src/store/history/write-snapshot.ts';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import { databases } from '../support/databases/test-databases.ts';
import { everyPoint, type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import {
  readMarketPoints,
  readPricePoints,
  readReservePoints,
  readVaultPoints,
} from '../support/history/read-points.ts';
import {
  at,
  d,
  fullSnapshot,
  marketSample,
  named,
  plain,
  priceSample,
  reserveConfig,
  reserveSample,
  rewardSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';

describe.each(databases())('writing history on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  const dayOf = (iso: string, step: Step) => ({
    start: at(iso),
    end: new Date(at(iso).getTime() + 86_400_000),
    step,
  });

  it('returns the values of a single snapshot at every step', async () => {
    const { db, fence } = history;
    const written = fullSnapshot(at('2026-01-01T10:20:30.123Z'));
    expect(await writeSnapshot(db, fence, written)).toBe(true);
    for (const [step, bucket] of [
      [MINUTE, '2026-01-01T10:20:00.000Z'],
      [HOUR, '2026-01-01T10:00:00.000Z'],
      [DAY, '2026-01-01T00:00:00.000Z'],
    ] as const) {
      const range = dayOf('2026-01-01', step);
      const time = { bucket, samples: 1, slot: written.slot, sampledAt: '2026-01-01T10:20:30.123Z' };
      const vaults = await readVaultPoints(db, [named('vault')], range);
      const { vault, ...vaultValues } = vaultSample('vault');
      expect(plain(vaults.get(vault))).toEqual([{ ...time, ...(plain(vaultValues) as object) }]);
      const reserves = await readReservePoints(db, [named('reserve-a')], range);
      const { reserve, ...reserveValues } = reserveSample('reserve-a');
      expect(plain(reserves.get(reserve))).toEqual([
        { ...time, ...(plain(reserveValues) as object), meanPriceUsd: '1.0001' },
      ]);
      const markets = await readMarketPoints(db, [named('market')], range);
      const { market, ...marketValues } = marketSample('market');
      expect(plain(markets.get(market))).toEqual([{ ...time, ...(plain(marketValues) as object) }]);
      const prices = await readPricePoints(db, [named('sol')], range);
      const { mint, ...priceValues } = priceSample('sol');
      expect(plain(prices.get(mint))).toEqual([{ ...time, ...(plain(priceValues) as object) }]);
      const [rewards] = await readRewardPoints(db, [rewardSample()], range);
      expect(plain(rewards)).toEqual([{ ...time, ...(plain(rewardSample()) as object) }]);
    }
  });

  it('keeps the first of two snapshots of a minute, and is idempotent', async () => {
    const { db, fence } = history;
    const first = snapshot(at('2026-01-03T00:00:10.000Z'), {
      prices: [priceSample('twice', { priceUsd: d('1') })],
    });
    const second = snapshot(at('2026-01-03T00:00:50.000Z'), {
      prices: [priceSample('twice', { priceUsd: d('2') })],
    });
    expect(await writeSnapshot(db, fence, first)).toBe(true);
    const before = await everyPoint(db);
    expect(await writeSnapshot(db, fence, first)).toBe(false);
    expect(await writeSnapshot(db, fence, second)).toBe(false);
    expect(await everyPoint(db)).toEqual(before);
  });

  it('rejects the fencing token of an old leader and writes nothing of its snapshot', async () => {
    const { db } = history;
    const old = history.fence;
    const before = await everyPoint(db);
    const fence = await takeFence(db, 'another');
    history = { ...history, fence };
    expect(fence).toBe(old + 1n);
    const late = fullSnapshot(at('2026-01-04T00:00:00.000Z'));
    const refusal = { code: 'NOT_LEADER', context: { fence: String(old), current: String(fence) } };
    await expect(writeSnapshot(db, old, late)).rejects.toMatchObject(refusal);
    await expect(writeHistory(db, old, DAY, [late])).rejects.toMatchObject(refusal);
    expect(await everyPoint(db)).toEqual(before);
  });

  it('stores a sample of an earlier minute in its bucket when the clock goes back', async () => {
    const { db, fence } = history;
    const write = (iso: string, price: string) =>
      writeSnapshot(db, fence, snapshot(at(iso), { prices: [priceSample('back', { priceUsd: d(price) })] }));
    await write('2026-01-05T10:30:00.000Z', '3');
    await write('2026-01-05T10:10:00.000Z', '1');
    await write('2026-01-05T09:59:00.000Z', '0.5');
    const prices = async (step: Step) =>
      (await readPricePoints(db, [named('back')], dayOf('2026-01-05', step)))
        .get(named('back'))
        ?.map(({ priceUsd, samples }) => [plain(priceUsd), samples]);
    expect(await prices(MINUTE)).toEqual([
      ['0.5', 1],
      ['1', 1],
      ['3', 1],
    ]);
    expect(await prices(HOUR)).toEqual([
      ['0.5', 1],
      ['3', 2],
    ]);
    expect(await prices(DAY)).toEqual([['3', 3]]);
  });

  it('averages only the samples with a known value', async () => {
    const { db, fence } = history;
    const write = (minute: number, priceUsd: Rational | null, apyTheoretical: Rational | null) =>
      writeSnapshot(
        db,
        fence,
        snapshot(new Date(at('2026-01-06T00:00:00.000Z').getTime() + minute * 60_000), {
          reserves: [reserveSample('unpriced', { priceUsd })],
          vaults: [
            vaultSample('unweighed', {
              apyTheoretical,
              tvlUsd: null,
              holders: null,
              allocations: [],
              rewards: [],
            }),
          ],
        }),
      );
    await write(0, d('1'), null);
    await write(1, d('2'), null);
    await write(2, null, null);
    const range = dayOf('2026-01-06', HOUR);
    const [reserve] = (await readReservePoints(db, [named('unpriced')], range)).get(named('unpriced')) ?? [];
    expect(plain({ mean: reserve?.meanPriceUsd, last: reserve?.priceUsd, n: reserve?.samples })).toEqual({
      mean: '1.5',
      last: null,
      n: 3,
    });
    const [vault] = (await readVaultPoints(db, [named('unweighed')], range)).get(named('unweighed')) ?? [];
    expect(vault).toMatchObject({
      apyTheoretical: null,
      tvlUsd: null,
      holders: null,
      allocations: [],
      rewards: [],
    });
    await write(63, d('4'), d('0.25'));
    const day = (await readVaultPoints(db, [named('unweighed')], dayOf('2026-01-06', DAY))).get(
      named('unweighed'),
    );
    expect(plain(day?.[0]?.apyTheoretical)).toBe('0.25');
  });

  it('stores 60 digits before the point and 30 after it, rounded half-even, and sums them exactly', async () => {
    const { db, fence } = history;
    const long = `${'9'.repeat(60)}.${'123456789'.repeat(4).slice(0, 30)}`;
    const half = d(`0.${'0'.repeat(29)}25`);
    const write = (minute: number, borrowApy: Rational) =>
      writeSnapshot(
        db,
        fence,
        snapshot(new Date(at('2026-01-07T00:00:00.000Z').getTime() + minute * 60_000), {
          reserves: [
            reserveSample('exact', {
              totalSupply: d(long),
              exchangeRate: half,
              borrowApy,
              priceUsd: d(`-${long}`),
            }),
          ],
        }),
      );
    await write(0, Rational.of(1n, 3n));
    await write(1, d(long));
    const read = async (step: Step) =>
      (await readReservePoints(db, [named('exact')], dayOf('2026-01-07', step))).get(named('exact')) ?? [];
    const [minute] = await read(MINUTE);
    expect(plain(minute?.borrowApy)).toBe(`0.${'3'.repeat(30)}`);
    const [day] = await read(DAY);
    expect(plain(day?.totalSupply)).toBe(long);
    expect(plain(day?.priceUsd)).toBe(`-${long}`);
    expect(plain(day?.exchangeRate)).toBe(`0.${'0'.repeat(29)}2`);
    expect(day?.borrowApy.mul(integer(2)).equals(d(long).add(d(`0.${'3'.repeat(30)}`)))).toBe(true);
  });

  it('returns the configuration that was in force', async () => {
    const { db, fence } = history;
    const configs = ['Active', 'Obsolete', 'Active'].map((status) => reserveConfig({ status }));
    for (const [index, config] of configs.entries()) {
      const sampledAt = new Date(at('2026-01-08T00:00:00.000Z').getTime() + index * 60_000);
      await writeSnapshot(
        db,
        fence,
        snapshot(sampledAt, { reserves: [reserveSample('configured', { config })] }),
      );
    }
    const points = (await readReservePoints(db, [named('configured')], dayOf('2026-01-08', MINUTE))).get(
      named('configured'),
    );
    expect(points?.map(({ config }) => config)).toEqual(configs);
    const [kept] = await db.rows(
      `SELECT count(*)::integer AS kept FROM reserve_config c JOIN subject s ON s.id = c.reserve_id WHERE s.address = $1`,
      [named('configured')],
    );
    expect(kept).toEqual({ kept: 2 });
  });

  it('distinguishes campaigns of one reserve, of a pair and of another source', async () => {
    const { db, fence } = history;
    const a = named('campaign-a');
    const b = named('campaign-b');
    const rewards = [
      rewardSample({ depositReserve: a, borrowReserve: null, apy: d('0.1') }),
      rewardSample({ depositReserve: null, borrowReserve: a, apy: d('0.2') }),
      rewardSample({ depositReserve: a, borrowReserve: b, apy: d('0.3') }),
      rewardSample({ depositReserve: a, borrowReserve: b, apy: null, source: 'Season2' }),
      rewardSample({ depositReserve: a, borrowReserve: b, apy: d('0.5'), rewardMint: named('other-mint') }),
    ];
    await writeSnapshot(db, fence, snapshot(at('2026-01-09T05:00:00.000Z'), { rewards }));
    const pairs = [
      { depositReserve: a, borrowReserve: null },
      { depositReserve: null, borrowReserve: a },
      { depositReserve: a, borrowReserve: b },
      { depositReserve: b, borrowReserve: null },
      { depositReserve: named('never-seen'), borrowReserve: null },
    ];
    const lists = await readRewardPoints(db, pairs, dayOf('2026-01-09', HOUR));
    expect(lists.map((list) => list.map(({ apy }) => plain(apy)).sort())).toEqual([
      ['0.1'],
      ['0.2'],
      ['0.3', '0.5', null],
      [],
      [],
    ]);
    expect(lists[1]?.[0]).toMatchObject({ depositReserve: null, borrowReserve: a, market: named('market') });
  });

  it('bulk-loads hours idempotently, and weighs them by the time they cover', async () => {
    const { db, fence } = history;
    const hour = (index: number, apy: string) =>
      snapshot(new Date(at('2026-01-10T00:59:59.999Z').getTime() + index * 3_600_000), {
        vaults: [vaultSample('loaded', { apyActual: d(apy) })],
      });
    const hours = Array.from({ length: 23 }, (_, index) => hour(index, '0.1'));
    await writeHistory(db, fence, HOUR, hours);
    const before = await everyPoint(db);
    await writeHistory(db, fence, HOUR, hours);
    expect(await everyPoint(db)).toEqual(before);
    // The last hour of the day is recorded minute by minute.
    const minutes = Array.from({ length: 60 }, (_, minute) =>
      snapshot(new Date(at('2026-01-10T23:00:00.000Z').getTime() + minute * 60_000), {
        vaults: [vaultSample('loaded', { apyActual: d('0.34') })],
      }),
    );
    await writeHistory(db, fence, MINUTE, minutes);
    const [day] =
      (await readVaultPoints(db, [named('loaded')], dayOf('2026-01-10', DAY))).get(named('loaded')) ?? [];
    // (23 hours of 0.1 and one of 0.34) / 24
    expect(plain([day?.apyActual, day?.samples])).toEqual(['0.11', 1_440]);
  });

  it('replaces a loaded point by a more complete one, never by a less complete one', async () => {
    const { db, fence } = history;
    const load = (iso: string, apy: string) =>
      writeHistory(db, fence, DAY, [
        snapshot(at(iso), { vaults: [vaultSample('reloaded', { apyActual: d(apy) })] }),
      ]);
    const apy = async () =>
      plain(
        (await readVaultPoints(db, [named('reloaded')], dayOf('2026-01-12', DAY))).get(named('reloaded'))?.[0]
          ?.apyActual,
      );
    await load('2026-01-12T12:00:00.000Z', '0.1');
    await load('2026-01-12T23:59:00.000Z', '0.2');
    expect(await apy()).toBe('0.2');
    await load('2026-01-12T23:59:00.000Z', '0.3');
    expect(await apy()).toBe('0.3');
    await load('2026-01-12T06:00:00.000Z', '0.4');
    expect(await apy()).toBe('0.3');
    // One recorded minute does not replace a loaded day.
    await writeSnapshot(
      db,
      fence,
      snapshot(at('2026-01-12T23:30:00.000Z'), {
        vaults: [vaultSample('reloaded', { apyActual: d('0.9') })],
      }),
    );
    expect(await apy()).toBe('0.3');
  });

  it('loads several snapshots of one bucket, of parts of the platform, and an empty list', async () => {
    const { db, fence } = history;
    await writeHistory(db, fence, HOUR, []);
    const price = (iso: string, name: string, priceUsd: string) =>
      snapshot(at(iso), { prices: [priceSample(name, { priceUsd: d(priceUsd) })] });
    await writeHistory(db, fence, HOUR, [
      price('2026-01-14T10:40:00.000Z', 'part-a', '2'),
      price('2026-01-14T10:10:00.000Z', 'part-a', '1'),
      price('2026-01-14T10:20:00.000Z', 'part-b', '3'),
    ]);
    const points = await readPricePoints(db, [named('part-a'), named('part-b')], dayOf('2026-01-14', HOUR));
    expect([...points.values()].map((list) => list.map(({ priceUsd }) => plain(priceUsd)))).toEqual([
      ['2'],
      ['3'],
    ]);
  });
});
