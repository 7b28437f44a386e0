import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';
import { SOURCES, wrongEnv } from './earn-users.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const OTHER_PROGRAM = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd';

const MARKET_CONFIG: Shape = {
  fields: {
    name: 'string',
    isPrimary: 'boolean',
    description: 'string',
    lendingMarket: 'address',
    lookupTable: 'address',
    isCurated: 'boolean',
  },
};

const RESERVE_METRICS: Shape = {
  fields: {
    reserve: 'address',
    liquidityToken: 'label',
    liquidityTokenMint: 'address',
    maxLtv: 'decimal',
    borrowApy: 'decimal',
    supplyApy: 'decimal',
    totalSupply: 'decimal',
    totalBorrow: 'decimal',
    totalBorrowUsd: 'decimal',
    totalSupplyUsd: 'decimal',
  },
};

const LENDING_REWARD: Shape = {
  fields: {
    depositReserve: { nullable: 'address' },
    borrowReserve: { nullable: 'address' },
    market: 'address',
    rewardToken: 'address',
    lastCalculated: 'date',
    apy: 'decimal',
    tokensPerSecond: 'decimal',
    activePositionsUsd: 'decimal',
  },
};

const ACCOUNT_DATA: Shape = {
  fields: {
    market: 'address',
    reserves: { list: { fields: { pubkey: 'address', data: 'base64' } } },
  },
};

const metrics = (market: string) => `/svc-market/${market}/reserves/metrics`;
const ACCOUNTS = '/svc-market/reserves/account-data';
const missing = { status: 500 };
const wrong = { status: 500, code: 'BAD_REQUEST' };

export const MARKET_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: '/klend/rewards',
    answer: { list: LENDING_REWARD },
    asks: () => SOURCES.map((source) => ({ url: `/klend/rewards${source}` })),
    refusals: () => [],
  },
  {
    method: 'get',
    path: '/v2/svc-market',
    answer: { list: MARKET_CONFIG },
    asks: () =>
      ['', `?programId=${KLEND}`, `?programId=${OTHER_PROGRAM}`].map((query) => ({
        url: `/v2/svc-market${query}`,
      })),
    refusals: () => [
      {
        name: 'no program',
        ask: { url: '/v2/svc-market?programId=nonsense' },
        status: 400,
        code: 'BAD_REQUEST',
        at: 'programId',
      },
    ],
  },
  {
    method: 'get',
    path: '/v2/svc-market/{pubkey}',
    answer: MARKET_CONFIG,
    asks: ({ markets }) => [
      ...markets.map((market) => ({ url: `/v2/svc-market/${market}` })),
      ...markets.slice(0, 1).map((market) => ({ url: `/v2/svc-market/${market}?programId=${KLEND}` })),
    ],
    refusals: ({ addresses: { market, vault, emptyWallet } }) => [
      { name: 'no address', ask: { url: '/v2/svc-market/nonsense' }, ...wrong },
      { name: 'no program', ask: { url: `/v2/svc-market/${market}?programId=nonsense` }, ...wrong },
      { name: 'nothing there', ask: { url: `/v2/svc-market/${emptyWallet}` }, ...missing },
      { name: 'a vault', ask: { url: `/v2/svc-market/${vault}` }, ...missing },
      {
        name: 'a market of another program',
        ask: { url: `/v2/svc-market/${market}?programId=${OTHER_PROGRAM}` },
        status: 500,
      },
    ],
  },
  {
    method: 'get',
    path: '/svc-market/{pubkey}/reserves/metrics',
    answer: { list: RESERVE_METRICS },
    asks: ({ markets, addresses }) => [
      ...markets.map((market) => ({ url: metrics(market) })),
      { url: `${metrics(addresses.market)}?env=localnet` },
    ],
    refusals: ({ addresses: { market, vault, emptyWallet } }) => [
      { name: 'no address', ask: { url: metrics('nonsense') }, ...wrong },
      { name: 'nothing there', ask: { url: metrics(emptyWallet) }, ...missing },
      { name: 'a vault', ask: { url: metrics(vault) }, ...missing },
      ...wrongEnv(metrics(market), 500),
    ],
  },
  {
    method: 'get',
    path: ACCOUNTS,
    answer: { list: ACCOUNT_DATA },
    asks: ({ markets }) => [
      ...markets.slice(0, 3).map((market) => ({ url: `${ACCOUNTS}?markets=${market}` })),
      { url: `${ACCOUNTS}?${markets.map((market) => `markets=${market}`).join('&')}` },
      ...markets.slice(0, 1).map((market) => ({ url: `${ACCOUNTS}?markets=${market}&programId=${KLEND}` })),
    ],
    refusals: ({ addresses: { market } }) =>
      (
        [
          ['no market', '', 'markets'],
          ['an empty market', '?markets=', 'markets'],
          ['no address', '?markets=nonsense', 'markets'],
          ['one of two is no address', `?markets=${market}&markets=nonsense`, 'markets'],
          ['no program', `?markets=${market}&programId=nonsense`, 'programId'],
        ] as const
      ).map(([name, query, at]) => ({
        name,
        ask: { url: `${ACCOUNTS}${query}` },
        status: 400,
        code: 'BAD_REQUEST',
        at,
      })),
  },
];
