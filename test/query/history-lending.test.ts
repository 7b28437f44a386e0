import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import type { ObligationEntry, Snapshot } from '../../src/store/history/samples.ts';
import { MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import {
  d,
  marketSample,
  reserveConfig,
  reserveSample,
  rewardSample,
  snapshot,
} from '../support/history/samples.ts';

let localChain: TestChain;
let world: HistoryWorld;
beforeAll(async () => {
  localChain = new TestChain();
  world = await startHistoryWorld(localChain);
});
afterAll(() => world?.stop());
beforeEach(() => world.forget());

type Address = ObligationEntry['obligation'];
const SOL = 'So11111111111111111111111111111111111111112' as Address;
const NO_ADDRESS = '11111111111111111111111111111111';
const HOUR_MS = 3_600_000;

const addresses = () => world.localChain.addresses as unknown as Readonly<Record<string, Address>>;
const address = (name: string): Address => addresses()[name] ?? SOL;
const ago = (ms: number) => world.ago(ms);

/** Minutes of the hour before now. */
async function write(parts: readonly Partial<Snapshot>[], from = ago(HOUR_MS)) {
  const { db, fence } = world.history;
  const snapshots = parts.map((part, i) => snapshot(new Date(from.getTime() + i * 60_000), part));
  await writeHistory(db, fence, MINUTE, snapshots);
}

describe('a reserve', () => {
  it('has means of rates and totals, last values of the rest, and USD values of the published amounts', async () => {
    const [reserve, market] = [address('depositReserve'), address('market')];
    const config = reserveConfig({ market });
    await write(
      ['100', '100', '101'].map((totalSupply, i) => ({
        reserves: [
          reserveSample('r', {
            reserve,
            config,
            totalSupply: d(totalSupply),
            totalBorrows: d(String(10 * i)),
            supplyApy: d(`0.0${i + 1}`),
            priceUsd: i === 0 ? null : d(`1.${i}`),
            exchangeRate: d(`0.9${i}`),
            cumulativeBorrowRate: null,
          }),
        ],
      })),
    );
    const { body } = await world.get(`/svc-market/${market}/reserves/${reserve}/metrics/history`);
    const totalSupply = `100.${'3'.repeat(31)}`;
    expect(body).toMatchObject({
      reserve,
      market,
      history: [
        {
          timestamp: ago(HOUR_MS).toISOString(),
          metrics: {
            totalSupply,
            totalBorrows: '10',
            supplyInterestAPY: 0.02,
            assetPriceUSD: '1.15',
            assetOraclePriceUSD: '1.2',
            depositTvl: toDecimalString(parseDecimal(totalSupply).mul(d('1.2'))),
            borrowTvl: '12',
            exchangeRate: '0.92',
          },
        },
      ],
    });
    const graph = await world.query(
      `query ($reserve: Address!) { reserve(address: $reserve) { metricsHistory(interval: HOUR) { points {
        supplied suppliedUsd utilization cumulativeBorrowRate meanPriceUsd config { maxLtv borrowFactorPct }
      } } } }`,
      { reserve },
    );
    expect(graph.data).toEqual({
      reserve: {
        metricsHistory: {
          points: [
            {
              supplied: totalSupply,
              suppliedUsd: toDecimalString(parseDecimal(totalSupply).mul(d('1.2'))),
              utilization: toDecimalString(d('10').div(parseDecimal(totalSupply))),
              cumulativeBorrowRate: null,
              meanPriceUsd: '1.15',
              config: { maxLtv: '0.8', borrowFactorPct: 100 },
            },
          ],
        },
      },
    });
  });

  it('has no bucket on REST without a price', async () => {
    const [reserve, market] = [address('depositReserve'), address('market')];
    const sample = { reserve, config: reserveConfig({ market }), priceUsd: null };
    await write([{ reserves: [reserveSample('r', sample)] }]);
    const { body } = await world.get(`/svc-market/${market}/reserves/${reserve}/metrics/history`);
    expect(body).toEqual({ reserve, market, history: [] });
  });

  it('has no history in another market, and minutes, hours and days in its own', async () => {
    const [reserve, market] = [address('depositReserve'), address('market')];
    await write(
      Array.from({ length: 3 }, () => ({
        reserves: [reserveSample('r', { reserve, config: reserveConfig({ market }) })],
      })),
    );
    const count = async (of: string, frequency: string) => {
      const url = `/svc-market/${of}/reserves/${reserve}/metrics/history?frequency=${frequency}`;
      return ((await world.get(url)).body as { history: unknown[] }).history.length;
    };
    expect(await count(market, 'minute')).toBe(3);
    expect(await count(market, 'hour')).toBe(1);
    expect(await count(market, 'day')).toBe(1);
    expect(await count(address('vault'), 'hour')).toBe(0);
  });
});

describe('a market', () => {
  it('has last values, and zero on REST for what was unknown', async () => {
    const market = address('market');
    await write([
      { markets: [marketSample('m', { market, depositUsd: d('1') })] },
      { markets: [marketSample('m', { market, depositUsd: d('2'), borrowUsd: d('0'), obligations: null })] },
    ]);
    const { body, headers } = await world.get(`/svc-market/${market}/metrics/history`);
    expect(headers.get('x-unknown')).toBe('metrics.obligations');
    expect(body).toEqual([
      {
        market,
        timestamp: ago(HOUR_MS).toISOString(),
        metrics: { depositTVL: '2', borrowTVL: '0', obligations: 0 },
      },
    ]);
  });

  it('has no bucket on REST without a price', async () => {
    const market = address('market');
    await write([{ markets: [marketSample('m', { market, borrowUsd: null })] }]);
    expect((await world.get(`/svc-market/${market}/metrics/history`)).body).toEqual([]);
  });
});

describe('reserves and markets', () => {
  it('have the newest points of a period at the requested interval', async () => {
    const [reserve, market] = [address('depositReserve'), address('market')];
    await write(
      Array.from({ length: 5 }, (_, i) => ({
        reserves: [reserveSample('r', { reserve, priceUsd: d(String(i + 1)) })],
        markets: [marketSample('m', { market, depositUsd: d(String(i + 1)) })],
      })),
    );
    const args = '(last: H24, interval: MINUTE, maxPoints: 2)';
    const answer = await world.query(
      `query ($reserve: Address!, $market: Address!) {
        reserve(address: $reserve) { metricsHistory${args} { interval truncated points { priceUsd } } }
        market(address: $market) { metricsHistory${args} { interval truncated points { suppliedUsd } } }
      }`,
      { reserve, market },
    );
    const series = { interval: 'MINUTE', truncated: true };
    expect(answer).toMatchObject({
      errors: [],
      data: {
        reserve: { metricsHistory: { ...series, points: [{ priceUsd: '4' }, { priceUsd: '5' }] } },
        market: { metricsHistory: { ...series, points: [{ suppliedUsd: '4' }, { suppliedUsd: '5' }] } },
      },
    });
  });
});

describe('rewards of a pair', () => {
  it('are those of exactly that pair; a missing side is null', async () => {
    const [deposit, borrow, market] = [
      address('depositReserve'),
      address('borrowReserve'),
      address('market'),
    ];
    const rewardMint = address('tokenMint');
    const common = { market, rewardMint };
    await write([
      {
        rewards: [
          rewardSample({ ...common, depositReserve: deposit, apy: d('0.01') }),
          rewardSample({ ...common, depositReserve: null, borrowReserve: borrow, apy: null }),
          rewardSample({ ...common, depositReserve: deposit, borrowReserve: borrow, apy: d('0.03') }),
        ],
      },
      { rewards: [rewardSample({ ...common, depositReserve: deposit, apy: d('0.02') })] },
    ]);
    const timestamp = ago(HOUR_MS).toISOString();
    const of = async (left: string, right: string, query = '') =>
      (await world.get(`/klend/${left}/${right}/rewards/history${query}`)).body;
    const entry = (depositReserve: string | null, borrowReserve: string | null, rewardApy: string) => ({
      timestamp,
      depositReserve,
      borrowReserve,
      rewardToken: rewardMint,
      rewardApy,
    });
    expect(await of(deposit, NO_ADDRESS)).toEqual([entry(deposit, null, '0.015')]);
    // Its yield is unknown.
    expect(await of(NO_ADDRESS, borrow)).toEqual([]);
    expect(await of(deposit, borrow)).toEqual([entry(deposit, borrow, '0.03')]);
    expect(await of(borrow, deposit)).toEqual([]);
    expect(await of(NO_ADDRESS, NO_ADDRESS)).toEqual([]);
    expect(await of(deposit, NO_ADDRESS, '?frequency=day')).toEqual([
      { ...entry(deposit, null, '0.015'), timestamp: `${timestamp.slice(0, 10)}T00:00:00.000Z` },
    ]);
    expect(await of(deposit, NO_ADDRESS, `?end=${timestamp}`)).toEqual([]);
  });
});
