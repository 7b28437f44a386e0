import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  type Moment,
  type PositionWorld,
  SOMEONE,
  startPositionWorld,
} from '../support/apps/position-history-app.ts';
import { d } from '../support/history/samples.ts';

let world: PositionWorld;
beforeAll(async () => {
  world = await startPositionWorld();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  await world.forgetEvents();
});

type Point = Readonly<Record<string, string>>;

async function get(path: string): Promise<readonly Point[]> {
  const { status, body } = await world.get(path);
  expect([status, body]).toEqual([200, body]);
  return body as readonly Point[];
}
const ofPosition = (query = '') =>
  get(`/kvaults/users/${SOMEONE}/vaults/${world.vault}/metrics/history${query}`);
const ofUser = (query = '') => get(`/kvaults/users/${SOMEONE}/metrics/history${query}`);

/** At the last second of whole buckets up to the View's time. */
const ends = (count: number, width: number, moment: (i: number) => Omit<Moment, 'at'>): Moment[] =>
  Array.from({ length: count }, (_, i) => ({ at: world.ago((count - 1 - i) * width + 1), ...moment(i) }));

const VAULT = {
  apyActual: d('0.05'),
  apyFarmRewards: d('0.01'),
  apyIncentives: d('0.002'),
  apyReservesIncentives: d('0.003'),
  sharesIssued: d('1000'),
  interestPerSecond: d('0.5'),
};

/** Four days, each worth a tenth of a token more per share; 100 shares since the first noon, 50 since the third. */
async function fourDays(): Promise<void> {
  const moment = (i: number) => ({
    tokenUsd: '2',
    solUsd: '100',
    tokensPerShare: ['1', '1.1', '1.2', '1.3', '1.4'][i] ?? '1',
    vault: VAULT,
  });
  await world.record(DAY, ends(5, DAY, moment));
  await world.record(
    HOUR,
    ends(4 * 24, HOUR, (i) => ({ ...moment(0), tokensPerShare: (1.0 + (i + 1) / 240).toFixed(12) })),
  );
  await world.happened([
    { kind: 'deposit', at: world.ago(4 * DAY), tokens: 100, shares: 100 },
    { kind: 'withdraw', at: world.ago(2 * DAY), tokens: 60, shares: 50 },
  ]);
}

/** The end of what is past: a point at `end` is in the answer, and the current one shows the current state. */
const beforeNow = () => new Date(world.now.getTime() - 1).toISOString();

describe('a position over time', () => {
  it('is hourly up to 31 days, with the current state in the current bucket', async () => {
    await fourDays();
    const points = await ofPosition();
    expect(points).toHaveLength(4 * 24 + 1);
    expect(points[0]?.createdOn).toBe(world.ago(4 * DAY).toISOString());
    expect(points.at(-1)?.createdOn).toBe(world.now.toISOString());
    const shares = points.map(({ sharesAmount }) => sharesAmount);
    expect(shares.slice(0, 48).every((each) => each === '100')).toBe(true);
    expect(shares.slice(48).every((each) => each === '50')).toBe(true);
    // 23 hours in, at the end of the first hour of the second day.
    expect(points[24]).toMatchObject({
      usdAmount: String(2 * 100 * Number((1.0 + 25 / 240).toFixed(12))),
      apy: '0.065',
      apyTheoretical: '0.06',
      apyActual: '0.05',
      apyFarmRewards: '0.01',
      apyReservesIncentives: '0.003',
      apyIncentives: '0.002',
      interestEarnedPerSecond: '0.05',
      interestEarnedPerSecondUsd: '0.1',
      interestEarnedPerSecondSol: '0.001',
    });
    const { data } = await world.query<{ vault: { sharePriceUsd: string; currentApy: { total: string } } }>(
      'query ($vault: Address!) { vault(address: $vault) { sharePriceUsd currentApy { total } } }',
      { vault: world.vault },
    );
    expect(Number(points.at(-1)?.usdAmount)).toBeCloseTo(50 * Number(data.vault.sharePriceUsd), 9);
    expect(points.at(-1)?.apy).toBe(data.vault.currentApy.total);
  });

  it('accumulates interest from the shares held while the share price grew', async () => {
    await fourDays();
    const points = await ofPosition(`?end=${beforeNow()}`);
    const last = points.at(-1);
    // 100 shares over two days and 50 over two more, each a tenth of a token per share and day.
    const tokens = Number(last?.cumulativeInterestEarned);
    expect(tokens).toBeCloseTo(100 * 0.2 + 50 * 0.2, 3);
    expect(Number(last?.cumulativeInterestEarnedUsd)).toBeCloseTo(2 * tokens, 9);
    expect(Number(last?.cumulativeInterestEarnedSol)).toBeCloseTo((2 * tokens) / 100, 9);
  });

  it('has the same total interest for every interval', async () => {
    await fourDays();
    const ask = async (interval: string) => {
      const answer = await world.query<{
        wallet: { metricsHistory: { interval: string; points: readonly { interest: { usd: string } }[] } };
      }>(
        `query ($wallet: Address!) { wallet(address: $wallet) { metricsHistory(interval: ${interval}) {
          interval points { interest { usd } } } } }`,
        { wallet: SOMEONE },
      );
      expect(answer.errors).toEqual([]);
      return answer.data.wallet.metricsHistory;
    };
    const [hours, days] = [await ask('HOUR'), await ask('DAY')];
    expect([hours.interval, days.interval]).toEqual(['HOUR', 'DAY']);
    expect(Number(hours.points.at(-1)?.interest.usd)).toBeCloseTo(
      Number(days.points.at(-1)?.interest.usd),
      9,
    );
  });

  it('of a period up to now has its newest points at the requested interval', async () => {
    await fourDays();
    interface Series {
      readonly interval: string;
      readonly truncated: boolean;
      readonly complete: boolean;
      readonly points: readonly { readonly timestamp: string; readonly value: { readonly usd: string } }[];
    }
    const ask = async (args: string) => {
      const series = `metricsHistory${args} { interval truncated complete points { timestamp value { usd } } }`;
      const answer = await world.query<{
        wallet: { metricsHistory: Series; vaultPosition: { metricsHistory: Series } };
      }>(
        `query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) {
          ${series} vaultPosition(vault: $vault) { ${series} } } }`,
        { wallet: SOMEONE, vault: world.vault },
      );
      expect(answer.errors).toEqual([]);
      const { metricsHistory, vaultPosition } = answer.data.wallet;
      expect(vaultPosition.metricsHistory).toEqual(metricsHistory);
      return metricsHistory;
    };
    const hours = (count: number) =>
      Array.from({ length: count }, (_, i) => world.ago((count - 1 - i) * HOUR).toISOString());
    const all = await ask('(interval: HOUR)');
    expect([all.points.length, all.truncated]).toEqual([4 * 24 + 1, false]);
    // Nothing is left out where the position itself has no older points.
    expect((await ask(`(interval: HOUR, maxPoints: ${4 * 24 + 1})`)).truncated).toBe(false);
    const newest = await ask('(interval: HOUR, maxPoints: 3)');
    expect([newest.interval, newest.truncated, newest.complete]).toEqual(['HOUR', true, false]);
    expect(newest.points.map(({ timestamp }) => timestamp)).toEqual(hours(3));
    expect(newest.points).toEqual(all.points.slice(-3));
    // 50 shares, one hour before the current one, at 1 + 95 / 240 and 2 dollars.
    expect(Number(newest.points[0]?.value.usd)).toBeCloseTo(2 * 50 * (1 + 95 / 240), 9);
    const day = await ask('(last: H24, interval: HOUR)');
    expect(day.points.map(({ timestamp }) => timestamp)).toEqual(hours(25));
    expect(day.truncated).toBe(false);
  });

  it('is daily beyond 31 days, and starts with the first event', async () => {
    await world.record(
      DAY,
      ends(60, DAY, () => ({ tokenUsd: '1', solUsd: '100', vault: VAULT })),
    );
    await world.happened([{ kind: 'deposit', at: world.ago(40 * DAY - HOUR), tokens: 10, shares: 10 }]);
    const points = await ofPosition();
    expect(points).toHaveLength(41);
    expect(points[0]?.createdOn).toBe(world.ago(40 * DAY).toISOString());
    const part = await ofPosition(`?start=${world.ago(10 * DAY).toISOString()}&end=${beforeNow()}`);
    expect(part.map(({ sharesAmount }) => sharesAmount)).toEqual(Array.from({ length: 10 }, () => '10'));
  });

  it('has shares but no USD value without a recorded price', async () => {
    await world.record(
      DAY,
      ends(3, DAY, () => ({ tokenUsd: null, solUsd: null, vault: VAULT })),
    );
    await world.happened([{ kind: 'deposit', at: world.ago(2.5 * DAY), tokens: 10, shares: 10 }]);
    const answer = await world.query<{
      wallet: {
        metricsHistory: { complete: boolean; points: readonly { value: { usd: string | null } }[] };
      };
    }>(
      `query ($wallet: Address!) { wallet(address: $wallet) { metricsHistory(interval: DAY) {
        complete points { value { usd } } } } }`,
      { wallet: SOMEONE },
    );
    expect(answer.errors).toEqual([]);
    const { points } = answer.data.wallet.metricsHistory;
    expect(points.slice(0, -1).map(({ value }) => value.usd)).toEqual([null, null, null]);
    expect(Number(points.at(-1)?.value.usd)).toBeGreaterThan(0);
    // REST has no null, so it omits the buckets without a price. The current one has a price.
    const rest = await ofPosition();
    expect(rest.map(({ createdOn, sharesAmount }) => [createdOn, sharesAmount])).toEqual([
      [world.now.toISOString(), '10'],
    ]);
  });

  it('is not complete where prices are missing, and invents none', async () => {
    // Four whole days: no price at all, SOL alone, then both.
    const prices: readonly (readonly [string | null, string | null])[] = [
      [null, null],
      [null, '100'],
      ['2', '100'],
      ['2', '100'],
      ['2', '100'],
    ];
    await world.record(
      DAY,
      ends(5, DAY, (i) => ({
        tokenUsd: prices[i]?.[0] ?? null,
        solUsd: prices[i]?.[1] ?? null,
        tokensPerShare: '1',
        vault: VAULT,
      })),
    );
    await world.happened([{ kind: 'deposit', at: world.ago(4 * DAY), tokens: 10, shares: 10 }]);
    await world.read(SOMEONE, true);
    interface Answered {
      readonly complete: boolean;
      readonly points: readonly { value: { usd: string | null; sol: string | null } }[];
    }
    const ask = async (range: string) => {
      const answer = await world.query<{
        wallet: { metricsHistory: Answered; vaultPosition: { metricsHistory: Answered } };
      }>(
        `query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) {
          metricsHistory(interval: DAY, range: { ${range} }) { complete points { value { usd sol } } }
          vaultPosition(vault: $vault) { metricsHistory(interval: DAY, range: { ${range} }) {
            complete points { value { usd sol } } } } } }`,
        { wallet: SOMEONE, vault: world.vault },
      );
      expect(answer.errors).toEqual([]);
      const { metricsHistory, vaultPosition } = answer.data.wallet;
      expect(vaultPosition.metricsHistory).toEqual(metricsHistory);
      return metricsHistory;
    };
    const end = `end: "${world.now.toISOString()}"`;
    const all = await ask(end);
    // 10 shares of one token each at 2 USD are 20 USD, a fifth of a SOL at 100.
    const known = { value: { usd: '20', sol: '0.2' } };
    const unknown = { value: { usd: null, sol: null } };
    expect(all).toEqual({ complete: false, points: [unknown, known, known, known] });
    const later = await ask(`start: "${world.ago(3 * DAY).toISOString()}", ${end}`);
    expect(later.points).toEqual([known, known, known]);
  });

  it('is empty for a wallet that never had one', async () => {
    expect([await ofPosition(), await ofUser()]).toEqual([[], []]);
  });
});

describe('all positions of a wallet over time', () => {
  it('are the sum over its vaults', async () => {
    await fourDays();
    const [all, one] = [await ofUser(), await ofPosition()];
    expect(all.map(({ createdOn, usdAmount }) => [createdOn, usdAmount])).toEqual(
      one.map(({ createdOn, usdAmount }) => [createdOn, usdAmount]),
    );
    expect(all[10]?.weightedApy).toBe('0.065');
    expect(all[10]?.cumulativeInterestEarnedUsd).toBe(one[10]?.cumulativeInterestEarnedUsd);
  });

  it('are complete once everything is read and recorded', async () => {
    await fourDays();
    const ask = async () => {
      const answer = await world.query<{
        wallet: { metricsHistory: { complete: boolean; recordedSince: string } };
      }>(
        'query ($wallet: Address!) { wallet(address: $wallet) { metricsHistory { complete recordedSince } } }',
        { wallet: SOMEONE },
      );
      return answer.data.wallet.metricsHistory;
    };
    expect((await ask()).complete).toBe(false);
    await world.read(SOMEONE, true);
    expect(await ask()).toEqual({ complete: true, recordedSince: world.ago(4 * DAY).toISOString() });
  });

  it('end with the current positions of the localnet', async () => {
    const { wallet } = world.localChain.addresses;
    await world.ingest([wallet]);
    const answer = await world.query<{
      wallet: {
        metricsHistory: { points: readonly { value: { usd: string; sol: string } }[] };
        vaultPositions: { nodes: readonly { value: { usd: string; sol: string } }[] };
      };
    }>(
      `query ($wallet: Address!) { wallet(address: $wallet) {
        metricsHistory { points { value { usd sol } } } vaultPositions(first: 100) { nodes { value { usd sol } } } } }`,
      { wallet },
    );
    expect(answer.errors).toEqual([]);
    const { metricsHistory, vaultPositions } = answer.data.wallet;
    const sum = vaultPositions.nodes.reduce((total, { value }) => total + Number(value.usd), 0);
    expect(vaultPositions.nodes.length).toBeGreaterThan(0);
    expect(Number(metricsHistory.points.at(-1)?.value.usd)).toBeCloseTo(sum, 4);
  });
});

describe('the allocation volume of a vault', () => {
  const ask = (query = '') => get(`/kvaults/vaults/${world.vault}/allocation-volume/history${query}`);

  it('is the volume to and from reserves, by UTC day, at the prices at that time', async () => {
    await world.record(
      DAY,
      ends(6, DAY, (i) => ({ tokenUsd: String(i + 1), solUsd: '100' })),
    );
    await world.happened([
      { kind: 'deposit', at: world.ago(3 * DAY), tokens: 500, shares: 500 },
      { kind: 'invest', at: world.ago(3 * DAY), tokens: 100, shares: 0, reserveTokens: 100 },
      { kind: 'withdraw', at: world.ago(2.5 * DAY), tokens: 60, shares: 50, reserveTokens: -20 },
      { kind: 'invest', at: world.ago(1.5 * DAY), tokens: 10, shares: 0, reserveTokens: -10 },
    ]);
    const start = world.ago(4 * DAY).toISOString();
    const days = await ask(`?start=${start}`);
    expect(days).toEqual([
      { timestamp: world.ago(4 * DAY).toISOString(), volumeUsd: '0' },
      { timestamp: world.ago(3 * DAY).toISOString(), volumeUsd: String(120 * 3) },
      { timestamp: world.ago(2 * DAY).toISOString(), volumeUsd: String(10 * 4) },
      { timestamp: world.ago(1 * DAY).toISOString(), volumeUsd: '0' },
      { timestamp: world.now.toISOString(), volumeUsd: '0' },
    ]);
    expect((await ask()).length).toBe(366);
  });

  it('rejects more than a calendar year', async () => {
    for (const query of [
      '?start=2025-01-01&end=2026-01-02',
      '?start=2025-05-01',
      '?start=2026-01-02&end=2026-01-01',
    ]) {
      const { status, body } = await world.get(
        `/kvaults/vaults/${world.vault}/allocation-volume/history${query}`,
      );
      expect([query, status, (body as { details: { path: string[] }[] }).details[0]?.path]).toEqual([
        query,
        400,
        ['start'],
      ]);
    }
    expect(await ask('?start=2024-02-29&end=2025-02-28')).toHaveLength(365);
    expect(await ask('?start=2025-01-01&end=2026-01-01')).toHaveLength(365);
    const answer = await world.query(
      `query ($vault: Address!) { vault(address: $vault) { allocationVolume(range: { start: "2020-01-01" }) { complete } } }`,
      { vault: world.vault },
    );
    expect(answer.errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_REQUEST']);
  });

  it('is unknown, and absent on REST, on a day without a price', async () => {
    await world.happened([
      { kind: 'invest', at: world.ago(3 * DAY), tokens: 100, shares: 0, reserveTokens: 100 },
    ]);
    const answer = await world.query<{
      vault: { allocationVolume: { complete: boolean; points: readonly { volumeUsd: string | null }[] } };
    }>(
      `query ($vault: Address!) { vault(address: $vault) { allocationVolume(range: { start: "${world.ago(3 * DAY).toISOString()}" }) { complete points { volumeUsd } } } }`,
      { vault: world.vault },
    );
    expect(answer.data.vault.allocationVolume).toEqual({
      complete: false,
      points: [{ volumeUsd: null }, ...Array.from({ length: 3 }, () => ({ volumeUsd: '0' }))],
    });
    const rest = await ask(`?start=${world.ago(3 * DAY).toISOString()}`);
    expect(rest.map(({ timestamp }) => timestamp)).toEqual(
      [2, 1, 0].map((days) => world.ago(days * DAY).toISOString()),
    );
  });
});
