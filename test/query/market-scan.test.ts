import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { writeObligationScan } from '../../src/store/history/obligation-scan.ts';
import type { ObligationEntry } from '../../src/store/history/samples.ts';
import { MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { failures } from '../support/apps/test-app.ts';
import { d, NO_LOANS, priceSample, snapshot } from '../support/history/samples.ts';

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

const addresses = () => world.localChain.addresses as unknown as Readonly<Record<string, Address>>;
const address = (name: string): Address => addresses()[name] ?? SOL;

describe('a scan of a market', () => {
  const sampledAt = () => world.ago(10 * 60_000);
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
    world.localChain.worldChain.world.obligations
      .filter(({ exists, market }) => exists && market.address === address('market'))
      .map((each) => each.address as Address)
      .slice(0, 7)
      .sort((a, b) => (a < b ? -1 : 1));

  async function scan(at: Date, leverage: boolean): Promise<void> {
    const market = address('market');
    await writeObligationScan(world.history.db, world.history.fence, market, {
      sampledAt: at,
      collateral: [],
      loans: NO_LOANS,
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
    const prices = [priceSample('sol', { mint: SOL, priceUsd: d('150.05') })];
    await writeHistory(world.history.db, world.history.fence, MINUTE, [snapshot(sampledAt(), { prices })]);
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
    await scan(world.ago(60_000), false);
    expect(failures(await page(`first: 2, after: "${cursor}"`))).toEqual(['obligations: CURSOR_INVALID']);
  });

  it('leaves out obligations that were closed since, and is paged past them', async () => {
    await scan(sampledAt(), false);
    const all = obligations();
    const closed = all.slice(2, 4);
    for (const each of closed) localChain.place(each, null);
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
      localChain.restore();
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
