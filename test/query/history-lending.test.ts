import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDecimal, toDecimalString } from '../../src/numeric/decimal.ts';
import { writeObligationScan } from '../../src/store/history/obligation-scan.ts';
import type { ObligationEntry, Snapshot } from '../../src/store/history/samples.ts';
import { MINUTE } from '../../src/store/history/steps.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { failures } from '../support/apps/test-app.ts';
import {
  d,
  marketSample,
  priceSample,
  reserveConfig,
  reserveSample,
  rewardSample,
  snapshot,
} from '../support/history/samples.ts';
import { TestLedger } from '../support/ledger/test-ledger.ts';

let ledger: TestLedger;
let world: HistoryWorld;
beforeAll(async () => {
  ledger = new TestLedger();
  world = await startHistoryWorld(ledger);
});
afterAll(() => world?.stop());
beforeEach(() => world.forget());

type Address = ObligationEntry['obligation'];
const SOL = 'So11111111111111111111111111111111111111112' as Address;
const NO_ADDRESS = '11111111111111111111111111111111';
const HOUR_MS = 3_600_000;

const addresses = () => world.ledger.addresses as unknown as Readonly<Record<string, Address>>;
const address = (name: string): Address => addresses()[name] ?? SOL;
const ago = (ms: number) => new Date(world.now.getTime() - ms);

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

describe('a scan of a market', () => {
  const sampledAt = () => ago(10 * 60_000);
  const entry = (obligation: Address, i: number, healthFactor: string | null): ObligationEntry => ({
    obligation,
    owner: address('wallet'),
    tag: i % 2,
    depositReserves: [address('depositReserve')],
    borrowReserves: healthFactor === null ? [] : [address('borrowReserve')],
    depositUsd: d(String(100 + i)),
    borrowUsd: d(String(i)),
    healthFactor: healthFactor === null ? null : d(healthFactor),
  });

  /** Obligations of the market, in the order of their addresses. */
  const obligations = () =>
    world.ledger.demo.world.obligations
      .filter(({ exists, market }) => exists && market.address === address('market'))
      .map((each) => each.address as Address)
      .slice(0, 7)
      .sort((a, b) => (a < b ? -1 : 1));

  async function scan(at: Date, leverage: boolean): Promise<void> {
    const market = address('market');
    await writeObligationScan(world.history.db, world.history.fence, market, {
      sampledAt: at,
      entries: obligations().map((each, i) => entry(each, i, i === 6 ? null : `1.${9 - i}`)),
      leverage: leverage
        ? [
            {
              market,
              depositReserve: address('depositReserve'),
              borrowReserve: address('borrowReserve'),
              tag: 1,
              obligations: 3,
              avgLeverage: d('2.5'),
              deposited: d('10'),
              borrowed: d('900'),
              depositedUsd: d('1500.5'),
              borrowedUsd: d('900.25'),
            },
          ]
        : [],
    });
  }

  it('reports leveraged positions at the prices of the scan', async () => {
    await write([{ prices: [priceSample('sol', { mint: SOL, priceUsd: d('150.05') })] }], sampledAt());
    expect((await world.get(`/svc-market/${address('market')}/leverage/metrics`)).body).toEqual([]);
    await scan(new Date(sampledAt().getTime() + 30_000), true);
    const { body } = await world.get(`/svc-market/${address('market')}/leverage/metrics`);
    expect(body).toEqual([
      {
        avgLeverage: '2.5',
        totalBorrowed: '900',
        totalDeposited: '10',
        totalBorrowedUsd: '900.25',
        totalDepositedUsd: '1500.5',
        totalObligations: '3',
        tvl: '600.25',
        updatedOn: new Date(sampledAt().getTime() + 30_000).toISOString(),
        depositReserve: address('depositReserve'),
        borrowReserve: address('borrowReserve'),
        tag: 'Multiply',
      },
    ]);
    const { data } = await world.query(
      `query ($market: Address!) { market(address: $market) { leverage {
        tag tvlUsd deposited { amount baseUnits usd sol token { symbol } } depositReserve { address }
      } } }`,
      { market: address('market') },
    );
    expect(data).toEqual({
      market: {
        leverage: [
          {
            tag: 'MULTIPLY',
            tvlUsd: '600.25',
            deposited: {
              amount: '10',
              baseUnits: '10000000000',
              usd: '1500.5',
              sol: '10',
              token: { symbol: 'SOL' },
            },
            depositReserve: { address: address('depositReserve') },
          },
        ],
      },
    });
  });

  interface Page {
    readonly obligations: {
      readonly totalCount: number;
      readonly indexedAt: string | null;
      readonly nodes: readonly { readonly address: string }[];
      readonly pageInfo: Record<'hasNextPage' | 'hasPreviousPage', boolean> &
        Record<'startCursor' | 'endCursor', string | null>;
    };
  }

  const page = (args: string, market: string = address('market')) =>
    world.query<Page>(
      `query ($market: Address!, $reserve: Address!) { obligations(scope: { market: $market }, ${args}) {
        totalCount indexedAt nodes { address } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } }`.replace(
        '($market: Address!, $reserve: Address!)',
        args.includes('$reserve') ? '($market: Address!, $reserve: Address!)' : '($market: Address!)',
      ),
      { market, reserve: address('borrowReserve') },
    );
  const found = async (args: string) => {
    const { data, errors } = await page(args);
    expect(errors).toEqual([]);
    return data.obligations.nodes.map((node) => node.address);
  };

  it('lists all obligations of a market, filtered and in order, with the time of the index', async () => {
    await scan(sampledAt(), false);
    const all = obligations();
    expect(await found('first: 20')).toEqual(all);
    expect(await found('orderBy: { field: HEALTH, direction: ASC }')).toEqual([
      ...all.slice(0, 6).reverse(),
      all[6],
    ]);
    expect(await found('filter: { tag: MULTIPLY }')).toEqual(all.filter((_, i) => i % 2 === 1));
    expect(await found('filter: { healthBelow: "1.6" }')).toEqual(all.slice(4, 6));
    expect(await found('filter: { borrowReserve: $reserve }')).toEqual(all.slice(0, 6));
    expect(await found('filter: { depositReserve: $reserve }')).toEqual([]);
    const { data } = await page('first: 1, orderBy: { field: DEPOSITED, direction: DESC }');
    expect(data.obligations).toMatchObject({
      totalCount: 7,
      indexedAt: sampledAt().toISOString(),
      nodes: [{ address: all[6] }],
    });
  });

  it('is paged both ways, and a cursor expires with its index', async () => {
    await scan(sampledAt(), false);
    const all = obligations();
    const forth: (string | undefined)[] = [];
    let cursor = '';
    for (let more = true; more; ) {
      const { data } = await page(`first: 3${cursor && `, after: "${cursor}"`}`);
      forth.push(...data.obligations.nodes.map((node) => node?.address));
      expect(data.obligations.pageInfo.hasPreviousPage).toBe(cursor !== '');
      more = data.obligations.pageInfo.hasNextPage;
      cursor = data.obligations.pageInfo.endCursor ?? '';
    }
    expect(forth).toEqual(all);
    expect(await found('last: 2')).toEqual(all.slice(5));
    expect(await found(`last: 2, before: "${cursor}"`)).toEqual(all.slice(4, 6));
    expect(failures(await page(`first: 2, after: "${cursor}", filter: { tag: MULTIPLY }`))).toEqual([
      'obligations: CURSOR_INVALID',
    ]);
    await scan(ago(60_000), false);
    expect(failures(await page(`first: 2, after: "${cursor}"`))).toEqual(['obligations: CURSOR_INVALID']);
  });

  it('leaves out obligations that were closed since, and is paged past them', async () => {
    await scan(sampledAt(), false);
    const all = obligations();
    const closed = all.slice(2, 4);
    for (const each of closed) ledger.place(each, null);
    try {
      const { data, errors, extensions } = await page('first: 3');
      expect(errors).toEqual([]);
      expect(data.obligations.nodes.map(({ address: each }) => each)).toEqual(all.slice(0, 2));
      expect(data.obligations.totalCount).toBe(7);
      expect(extensions).toMatchObject({
        warnings: [{ code: 'ACCOUNT_NOT_FOUND', account: closed[0], path: ['obligations'] }],
      });
      const next = await page(`first: 1, after: "${data.obligations.pageInfo.endCursor}"`);
      expect(next.data.obligations).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } });
      const after = next.data.obligations.pageInfo.endCursor;
      expect(await found(`first: 9, after: "${after}"`)).toEqual(all.slice(4));
    } finally {
      ledger.restore();
    }
  });

  it('that has never run is an empty list, and an unknown market is an error', async () => {
    const { data } = await page('first: 5');
    expect(data.obligations).toMatchObject({ totalCount: 0, indexedAt: null, nodes: [] });
    expect(failures(await page('first: 5', address('vault')))).toEqual([
      'obligations: KLEND_MARKET_NOT_FOUND',
    ]);
  });
});
