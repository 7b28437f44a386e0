import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VaultSample } from '../../src/store/history/samples.ts';
import { DAY, HOUR, MINUTE, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, reserveSample, snapshot, vaultSample } from '../support/history/samples.ts';

let world: HistoryWorld;
beforeAll(async () => {
  world = await startHistoryWorld();
});
afterAll(() => world?.stop());
beforeEach(() => world.forget());

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const vault = () => world.localChain.addresses.vault;
/** So long before the View's time, which is a midnight. */
const ago = (ms: number) => world.ago(ms);

/** A sample of the vault at each instant. */
async function write(
  step: Step,
  instants: readonly Date[],
  change: (i: number) => Partial<VaultSample> = () => ({}),
) {
  const snapshots = instants.map((at, i) =>
    snapshot(at, { vaults: [vaultSample('v', { vault: vault(), ...change(i) })] }),
  );
  await writeHistory(world.history.db, world.history.fence, step, snapshots);
}

/** The ends of so many whole hours or days up to an instant, the oldest first. */
const ends = (count: number, width: number, upTo: Date) =>
  Array.from({ length: count }, (_, i) => new Date(upTo.getTime() - (count - 1 - i) * width - 1_000));

interface Series {
  readonly interval: string;
  readonly recordedSince: string | null;
  readonly complete: boolean;
  readonly truncated: boolean;
  readonly points: readonly { readonly timestamp: string }[];
}

async function series(args = '', fields = 'timestamp'): Promise<Series> {
  const answer = await world.query<{ vault: { metricsHistory: Series } }>(
    `query ($vault: Address!) { vault(address: $vault) { metricsHistory${args} {
      interval recordedSince complete truncated points { ${fields} }
    } } }`,
    { vault: vault() },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.vault.metricsHistory;
}

const range = (start: Date | string, end?: Date | string) => {
  const text = (each: Date | string) => JSON.stringify(typeof each === 'string' ? each : each.toISOString());
  return `range: { start: ${text(start)}${end === undefined ? '' : `, end: ${text(end)}`} }`;
};

const labels = ({ points }: Series) => points.map(({ timestamp }) => timestamp);

describe('a range', () => {
  it('includes its start and the current bucket, and excludes its end', async () => {
    await write(HOUR, [...ends(6, HOUR_MS, world.now), world.now]);
    const hours = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, i) => ago((from - i) * HOUR_MS).toISOString());
    expect(labels(await series())).toEqual(hours(6, 0));
    expect(labels(await series(`(${range(ago(4 * HOUR_MS), ago(2 * HOUR_MS))})`))).toEqual(hours(4, 3));
    expect(labels(await series(`(${range(new Date(ago(4 * HOUR_MS).getTime() + 1))})`))).toEqual(hours(3, 0));
    expect(labels(await series(`(${range(ago(HOUR_MS), world.now)})`))).toEqual(hours(1, 1));
    expect(labels(await series(`(${range(ago(HOUR_MS), new Date(8e12))})`))).toEqual(hours(1, 0));
  });

  it('is empty if it has no length or nothing is recorded in it', async () => {
    expect(await series()).toEqual({
      interval: 'HOUR',
      recordedSince: null,
      complete: false,
      truncated: false,
      points: [],
    });
    await write(HOUR, ends(3, HOUR_MS, world.now));
    const nothing = await series(`(${range(ago(HOUR_MS), ago(HOUR_MS))})`);
    expect([nothing.points, nothing.complete]).toEqual([[], true]);
    const before = await series(`(${range(ago(9 * DAY_MS), ago(8 * DAY_MS))})`);
    expect([before.points, before.complete]).toEqual([[], false]);
    expect(before.recordedSince).toBe(ago(3 * HOUR_MS).toISOString());
  });

  it.each(['{ start: "2026-02-01", end: "2026-01-01" }', '{ start: "2200-01-01" }', '{ end: "1960-01-01" }'])(
    'that starts after its end is rejected: %s',
    async (wrong) => {
      const answer = await world.query(
        `query ($vault: Address!) { vault(address: $vault) { metricsHistory(range: ${wrong}) { complete } } }`,
        { vault: vault() },
      );
      expect(answer.errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_REQUEST']);
      expect(answer.data).toEqual({ vault: { metricsHistory: null } });
    },
  );

  it('accepts any time zone, a date alone and milliseconds', async () => {
    await write(HOUR, ends(30, HOUR_MS, world.now));
    const wanted = labels(await series(`(${range(ago(DAY_MS))})`));
    expect(wanted).toHaveLength(24);
    const iso = ago(DAY_MS).toISOString();
    const shifted = new Date(ago(DAY_MS).getTime() + 2 * HOUR_MS).toISOString().slice(0, 19);
    for (const spelling of [
      iso.slice(0, 10),
      `${iso.slice(0, 16)}Z`,
      iso.slice(0, 19),
      `${shifted}+02:00`,
      `${shifted}.000+0200`,
      String(ago(DAY_MS).getTime()),
    ]) {
      expect(labels(await series(`(${range(spelling)})`)), spelling).toEqual(wanted);
    }
  });

  it.each(['yesterday', '2026-02-30', '2026-13-01', '2026-01-01T25:00Z', '1.5', '9'.repeat(30)])(
    'refuses %s',
    async (wrong) => {
      const { errors } = await world.query(
        `query ($vault: Address!) { vault(address: $vault) { metricsHistory(range: { start: "${wrong}" }) { complete } } }`,
        { vault: vault() },
      );
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_REQUEST']);
    },
  );
});

describe('a period up to now', () => {
  it.each([
    ['H24', 1, 'HOUR', 25],
    ['D7', 7, 'DAY', 8],
    ['D30', 30, 'DAY', 31],
    ['D90', 90, 'DAY', 91],
    ['D180', 180, 'DAY', 181],
    ['D365', 365, 'DAY', 366],
  ] as const)('%s is the range that starts %i days before the View', async (last, days, interval, points) => {
    await write(DAY, [...ends(400, DAY_MS, world.now), world.now]);
    await write(HOUR, [...ends(48, HOUR_MS, world.now), world.now]);
    const relative = await series(`(last: ${last}, interval: ${interval})`);
    expect(relative).toEqual(await series(`(${range(ago(days * DAY_MS))}, interval: ${interval})`));
    // The View is at midnight, where one more bucket begins.
    expect([relative.points.length, relative.complete, relative.truncated]).toEqual([points, true, false]);
    expect(labels(relative)[0]).toBe(ago(days * DAY_MS).toISOString());
  });

  it('is not complete where recording began later', async () => {
    await write(DAY, [...ends(10, DAY_MS, world.now), world.now]);
    const { points, complete, truncated } = await series('(last: D30, interval: DAY)');
    expect([points.length, complete, truncated]).toEqual([11, false, false]);
  });

  it('chooses the interval like a range, and is all of history when null', async () => {
    await write(HOUR, ends(40 * 24, HOUR_MS, world.now));
    expect((await series('(last: D30, maxPoints: 1000)')).interval).toBe('HOUR');
    expect((await series('(last: D30)')).interval).toBe('DAY');
    expect((await series('(last: D90, maxPoints: 1000)')).interval).toBe('DAY');
    expect(await series('(last: null)')).toEqual(await series());
  });

  it.each(['range: {}', 'range: { start: "2026-01-01" }'])('is rejected together with %s', async (both) => {
    const answer = await world.query(
      `query ($vault: Address!) { vault(address: $vault) { metricsHistory(last: D7, ${both}) { complete } } }`,
      { vault: vault() },
    );
    expect(answer.errors.map(({ message, extensions }) => [message, extensions?.code])).toEqual([
      [expect.stringContaining('Pass either `range` or `last`, not both.'), 'BAD_REQUEST'],
    ]);
    expect(answer.data).toEqual({ vault: { metricsHistory: null } });
  });
});

describe('the interval', () => {
  it('is hours up to 31 recorded days, and days beyond', async () => {
    await write(HOUR, ends(31 * 24, HOUR_MS, world.now));
    expect((await series('(maxPoints: 1000)')).interval).toBe('HOUR');
    expect((await series(`(maxPoints: 1000, ${range('1970-01-01')})`)).points).toHaveLength(31 * 24);
    await write(HOUR, [new Date(ago(31 * DAY_MS).getTime() - 1_000)]);
    const days = await series('(maxPoints: 1000)');
    expect([days.interval, days.points.length]).toEqual(['DAY', 32]);
    const month = await series(`(maxPoints: 1000, ${range(ago(31 * DAY_MS))})`);
    expect([month.interval, month.points.length]).toEqual(['HOUR', 31 * 24]);
  });

  it('is days where hours are no longer retained', async () => {
    await write(DAY, ends(200, DAY_MS, ago(10 * DAY_MS)));
    await write(HOUR, ends(10 * 24, HOUR_MS, world.now));
    expect((await series(`(${range(ago(9 * DAY_MS))})`)).interval).toBe('HOUR');
    const old = await series(`(${range(ago(100 * DAY_MS), ago(80 * DAY_MS))})`);
    expect([old.interval, old.points.length, old.complete]).toEqual(['DAY', 20, true]);
    const asked = await series(`(interval: HOUR, ${range(ago(100 * DAY_MS), ago(80 * DAY_MS))})`);
    expect([asked.interval, asked.points.length, asked.complete]).toEqual(['HOUR', 0, false]);
  });

  it('is the requested one, with its newest points when there are more than `maxPoints`', async () => {
    await write(MINUTE, ends(180, MINUTE_MS, world.now));
    await write(HOUR, ends(30, HOUR_MS, ago(3 * HOUR_MS)));
    const ofInterval = async (args: string) => {
      const { interval, points, truncated } = await series(`(${args})`);
      return [interval, points.length, truncated];
    };
    expect(await ofInterval('interval: MINUTE')).toEqual(['MINUTE', 180, false]);
    expect(await ofInterval('interval: MINUTE, maxPoints: 180')).toEqual(['MINUTE', 180, false]);
    expect(await ofInterval('interval: MINUTE, maxPoints: 179')).toEqual(['MINUTE', 179, true]);
    expect(await ofInterval('interval: HOUR, maxPoints: 33')).toEqual(['HOUR', 33, false]);
    expect(await ofInterval('interval: HOUR, maxPoints: 32')).toEqual(['HOUR', 32, true]);
    expect(await ofInterval('interval: DAY')).toEqual(['DAY', 2, false]);
    expect(await ofInterval('interval: DAY, maxPoints: 1')).toEqual(['DAY', 1, true]);
    const newest = await series('(interval: MINUTE, maxPoints: 3)');
    expect(labels(newest)).toEqual([3, 2, 1].map((minutes) => ago(minutes * MINUTE_MS).toISOString()));
    expect(newest.complete).toBe(false);
    const earlier = await series(
      `(interval: MINUTE, maxPoints: 2, ${range(ago(HOUR_MS), ago(HOUR_MS / 2))})`,
    );
    expect(labels(earlier)).toEqual([32, 31].map((minutes) => ago(minutes * MINUTE_MS).toISOString()));
  });

  it('keeps the newest points that are recorded where some buckets are missing', async () => {
    await write(
      HOUR,
      [5, 4, 2].map((hours) => new Date(ago(hours * HOUR_MS).getTime() - 1_000)),
    );
    const newest = await series('(interval: HOUR, maxPoints: 2)');
    expect(labels(newest)).toEqual([5, 3].map((hours) => ago(hours * HOUR_MS).toISOString()));
    expect(newest.truncated).toBe(true);
  });

  it('samples days evenly and includes the last', async () => {
    await write(DAY, ends(100, DAY_MS, world.now));
    const thin = await series('(maxPoints: 4)');
    expect(labels(thin)).toEqual([76, 51, 26, 1].map((days) => ago(days * DAY_MS).toISOString()));
    expect([thin.interval, thin.complete]).toEqual(['DAY', false]);
    expect(labels(await series('(maxPoints: 1)'))).toEqual([ago(DAY_MS).toISOString()]);
  });

  it.each([0, -1, 5001])('has no %i points', async (maxPoints) => {
    const { errors } = await world.query(
      `query ($vault: Address!) { vault(address: $vault) { metricsHistory(maxPoints: ${maxPoints}) { complete } } }`,
      { vault: vault() },
    );
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['NUMBER_OUT_OF_RANGE']);
  });
});

describe('the metadata of a series', () => {
  it('is complete when no bucket of the range is missing', async () => {
    const hours = ends(48, HOUR_MS, world.now);
    const gap = hours[20];
    await write(HOUR, [...hours.filter((each) => each !== gap), world.now]);
    expect((await series()).complete).toBe(false);
    const behind = `(${range(ago(20 * HOUR_MS))})`;
    expect((await series(behind)).complete).toBe(true);
    expect((await series(`(${range(ago(30 * HOUR_MS))})`)).complete).toBe(false);
    expect((await series(`(${range(ago(60 * HOUR_MS), ago(30 * HOUR_MS))})`)).complete).toBe(false);
    expect((await series(`(${range(ago(48 * HOUR_MS), ago(30 * HOUR_MS))})`)).complete).toBe(true);
    if (gap !== undefined) await write(HOUR, [gap]);
    expect((await series()).complete).toBe(true);
    expect((await series(`(${range('1970-01-01')})`)).complete).toBe(false);
  });

  it('is not complete without the current bucket', async () => {
    await write(HOUR, ends(5, HOUR_MS, world.now));
    expect((await series(`(${range(ago(3 * HOUR_MS))})`)).complete).toBe(false);
    expect((await series(`(${range(ago(3 * HOUR_MS), world.now)})`)).complete).toBe(true);
  });

  it('has `recordedSince` to the minute, and later to the hour', async () => {
    const first = new Date(ago(5 * HOUR_MS).getTime() + 17 * MINUTE_MS);
    await write(MINUTE, [first, ago(2 * HOUR_MS)]);
    expect((await series()).recordedSince).toBe(first.toISOString());
    expect((await series('(interval: DAY)')).recordedSince).toBe(first.toISOString());
    await world.history.db.run(
      `DELETE FROM vault_point WHERE step = ${MINUTE} AND bucket < $1::timestamptz`,
      [ago(4 * HOUR_MS).toISOString()],
    );
    expect((await series()).recordedSince).toBe(ago(5 * HOUR_MS).toISOString());
  });
});

describe('numbers', () => {
  const at = (minute: number) => new Date(ago(HOUR_MS).getTime() + minute * MINUTE_MS);

  it('are means for yields, last values for the rest, and add up', async () => {
    const yields = ['0.01', '0.02', '0.06'];
    await write(MINUTE, [at(0), at(1), at(2)], (i) => ({
      apyActual: d(yields[i] ?? '0'),
      apyFarmRewards: d(String(i)),
      tvlUsd: d(String(100 + i)),
      sharePriceUsd: d(`1.${i + 1}`),
      apyTheoretical: i === 1 ? null : d('0.5'),
    }));
    const { points } = await series(
      '(interval: HOUR)',
      'timestamp totalValueUsd sharePriceUsd theoreticalBaseApy apy { total base farmRewards reserveRewards incentives }',
    );
    expect(points).toEqual([
      {
        timestamp: ago(HOUR_MS).toISOString(),
        totalValueUsd: '102',
        sharePriceUsd: '1.3',
        theoreticalBaseApy: '0.5',
        apy: { base: '0.03', farmRewards: '1', reserveRewards: '0.002', incentives: '0', total: '1.032' },
      },
    ]);
  });

  it('without a finite decimal form are rounded once, and parts still add up exactly', async () => {
    await write(MINUTE, [at(0), at(1), at(2)], (i) => ({
      apyActual: d(['0.1', '0', '0'][i] ?? '0'),
      apyIncentives: d(['0.2', '0', '0'][i] ?? '0'),
      apyFarmRewards: d('0'),
      apyReservesIncentives: d('0'),
    }));
    const { points } = await series('(interval: HOUR)', 'apy { total base incentives }');
    expect(points).toEqual([
      {
        apy: {
          base: `0.0${'3'.repeat(34)}`,
          incentives: `0.0${'6'.repeat(33)}7`,
          total: '0.1',
        },
      },
    ]);
  });

  it('of the reserves of a vault come from the same bucket', async () => {
    const [first = '', second = ''] = world.localChain.worldChain.world.reserves.map(
      ({ address }) => address,
    );
    const allocations = [
      { reserve: first as VaultSample['vault'], ratio: d('0.75') },
      { reserve: second as VaultSample['vault'], ratio: d('0.25') },
    ];
    const rewards = [{ mint: world.localChain.addresses.tokenMint as VaultSample['vault'], apy: d('0.004') }];
    await writeHistory(
      world.history.db,
      world.history.fence,
      MINUTE,
      [at(0), at(1)].map((instant, i) =>
        snapshot(instant, {
          vaults: [vaultSample('v', { vault: vault(), allocations })],
          reserves: [
            reserveSample('r', {
              reserve: first as VaultSample['vault'],
              supplyApy: d(`0.0${4 + 2 * i}`),
              rewards,
            }),
          ],
        }),
      ),
    );
    world.statements.length = 0;
    const { points } = await series(
      '(interval: HOUR)',
      'reserves { reserveAddress share supplyInterestApy rewardsApy rewards { apy token { mint } } }',
    );
    expect(points).toEqual([
      {
        reserves: [
          {
            reserveAddress: first,
            share: '0.75',
            supplyInterestApy: '0.05',
            rewardsApy: '0.004',
            rewards: [{ apy: '0.004', token: { mint: world.localChain.addresses.tokenMint } }],
          },
          { reserveAddress: second, share: '0.25', supplyInterestApy: null, rewardsApy: null, rewards: [] },
        ],
      },
    ]);
    expect(world.statements).toHaveLength(2);
  });

  it('of the reserves of a vault are found for the newest points', async () => {
    const [reserve = ''] = world.localChain.worldChain.world.reserves.map(({ address }) => address);
    const allocations = [{ reserve: reserve as VaultSample['vault'], ratio: d('1') }];
    await writeHistory(
      world.history.db,
      world.history.fence,
      HOUR,
      ends(5, HOUR_MS, world.now).map((instant, i) =>
        snapshot(instant, {
          vaults: [vaultSample('v', { vault: vault(), allocations })],
          reserves: [
            reserveSample('r', { reserve: reserve as VaultSample['vault'], supplyApy: d(`0.0${i + 1}`) }),
          ],
        }),
      ),
    );
    const { points } = await series('(interval: HOUR, maxPoints: 2)', 'reserves { supplyInterestApy }');
    expect(points).toEqual(['0.04', '0.05'].map((apy) => ({ reserves: [{ supplyInterestApy: apy }] })));
  });
});
