import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';

const PRICE: Shape = {
  fields: {
    price: 'decimal',
    mint: 'address',
    maxAgeInSeconds: 'integerString',
    timestamp: 'integerString',
    name: 'label',
  },
};

const AVERAGED: Shape = {
  fields: { current: 'decimal', avg7d: { nullable: 'decimal' }, avg30d: { nullable: 'decimal' } },
};
const CAP = { capacity: { nullable: 'decimal' }, currentTotal: 'decimal' } as const;

const STATS: Shape = {
  fields: {
    token: 'address',
    status: { oneOf: ['Active', 'Obsolete', 'Hidden'] },
    supplyApy: AVERAGED,
    borrowApy: AVERAGED,
    supplyApyBreakdown: { fields: { lending: 'decimal', incentives: 'decimal' } },
    supplyRewardApys: { list: { fields: { rewardToken: 'address', apy: 'decimal' } } },
    underlyingApy: {
      nullable: {
        fields: { current: 'decimal', sourceType: 'label', sourceMint: 'address', observedAt: 'date' },
      },
    },
    liquidityAvailableUsd: 'decimal',
    actualAvailableLiquidity: 'decimal',
    depositLimit: 'decimal',
    borrowCaps: {
      fields: {
        debtOutsideElevationGroup: { fields: CAP },
        debtAgainstCollateral: {
          list: { fields: { collateralReserve: 'address', elevationGroup: 'integer', ...CAP } },
        },
      },
    },
  },
};

const COLLATERAL: Shape = {
  fields: {
    lendingMarket: 'address',
    lendingMarketName: 'label',
    name: 'label',
    collateralReserve: 'address',
    collateralMint: 'address',
    debtCategory: { oneOf: ['Stablecoin assets', 'SOL assets', 'Other assets'] },
    borrowReserves: { list: 'address' },
    borrowReserveTerms: {
      list: {
        fields: {
          reserve: 'address',
          elevationGroup: 'integer',
          maxLtv: 'decimal',
          liquidationLtv: 'decimal',
        },
      },
    },
    collateralBackingDebtUsd: 'decimal',
    debtAgainstCollateralUsd: 'decimal',
  },
};

const TERMS = '/markets/collateral-reserves';
const BATCH = '/reserves/batch/stats';
const wrong = { status: 400, code: 'BAD_REQUEST' };

export const RESERVE_STATS_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: '/oracles/prices',
    answer: { list: PRICE },
    asks: () => [{ url: '/oracles/prices' }, { url: '/oracles/prices?markets=main' }],
    refusals: () => [
      { name: 'another word', ask: { url: '/oracles/prices?markets=some' }, ...wrong, at: 'markets' },
    ],
  },
  {
    method: 'get',
    path: TERMS,
    answer: { fields: { collateralReserves: { list: COLLATERAL } } },
    asks: ({ markets }) => [
      { url: TERMS },
      ...markets.map((market) => ({ url: `${TERMS}?market=${market}` })),
    ],
    refusals: ({ addresses }) => [
      { name: 'no market', ask: { url: `${TERMS}?market=nonsense` }, ...wrong, at: 'market' },
      {
        name: 'unknown market',
        ask: { url: `${TERMS}?market=${addresses.wallet}` },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
    ],
  },
  {
    method: 'get',
    path: '/reserves/{pubkey}/stats',
    answer: STATS,
    asks: ({ reserves }) => reserves.map(({ address }) => ({ url: `/reserves/${address}/stats` })),
    refusals: ({ addresses }) => [
      { name: 'no address', ask: { url: '/reserves/nonsense/stats' }, ...wrong, at: 'pubkey' },
      {
        name: 'unknown reserve',
        ask: { url: `/reserves/${addresses.wallet}/stats` },
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
    ],
  },
  {
    method: 'get',
    path: BATCH,
    answer: { map: STATS },
    asks: ({ markets, reserves }) => [
      ...markets.map((market) => ({ url: `${BATCH}?market=${market}` })),
      {
        url: `${BATCH}?reserve=${reserves
          .slice(0, 100)
          .map(({ address }) => address)
          .join(',')}`,
      },
    ],
    refusals: ({ addresses: { wallet, market, depositReserve }, reserves }) => [
      { name: 'neither', ask: { url: BATCH }, ...wrong, at: 'reserve' },
      { name: 'no market', ask: { url: `${BATCH}?market=nonsense` }, ...wrong, at: 'market' },
      {
        name: 'more than a hundred',
        ask: { url: `${BATCH}?reserve=${new Array(101).fill(depositReserve).join(',')}` },
        ...wrong,
        at: 'reserve',
      },
      {
        name: 'a reserve of another market',
        ask: {
          url: `${BATCH}?market=${market}&reserve=${depositReserve},${reserves.find((each) => each.market !== market)?.address}`,
        },
        ...wrong,
        at: 'reserve',
      },
      {
        name: 'unknown market',
        ask: { url: `${BATCH}?market=${wallet}` },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      {
        name: 'unknown reserve',
        ask: { url: `${BATCH}?reserve=${depositReserve},${wallet}` },
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
    ],
  },
];
