import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { exact } from '../../../packages/protocol/test/support/numbers.ts';
import { type Amount, NO_ADDRESS, type NullRule, type ParityRow } from './parity-row.ts';

interface GraphPrice {
  readonly token: { readonly mint: string; readonly symbol: string };
  readonly price: { readonly usd: string; readonly asOf: string };
  readonly maxAgeSeconds: string;
}

interface GraphMarket {
  readonly address: string;
  readonly lookupTable: { readonly address: string } | null;
  readonly prices: readonly GraphPrice[];
}

const PRICES = `prices { token { mint symbol } price { usd asOf } maxAgeSeconds }`;

const restPrices = (prices: readonly GraphPrice[]) =>
  prices.map(({ token, price, maxAgeSeconds }) => ({
    price: price.usd,
    mint: token.mint,
    maxAgeInSeconds: maxAgeSeconds,
    timestamp: String(Date.parse(price.asOf) / 1_000),
    name: token.symbol,
  }));

interface Cap {
  readonly capacity: Amount | null;
  readonly currentTotal: Amount;
}

interface Averages {
  readonly supply: string;
  readonly borrow: string;
}

interface GraphReserve {
  readonly address: string;
  readonly token: { readonly mint: string };
  readonly status: string;
  readonly supplyApy: {
    readonly base: string;
    readonly farmRewards: string;
    readonly reserveRewards: string;
    readonly incentives: string;
    readonly rewards: readonly { readonly token: { readonly mint: string }; readonly apy: string }[];
  };
  readonly borrowApy: { readonly base: string };
  readonly days7: Averages | null;
  readonly days30: Averages | null;
  readonly underlyingApy: {
    readonly apy: string;
    readonly observedAt: string;
    readonly token: { readonly mint: string };
  } | null;
  readonly available: Amount;
  readonly borrowable: Amount;
  readonly limits: { readonly deposit: Amount };
  readonly borrowCaps: {
    readonly outsideElevationGroups: Cap;
    readonly againstCollateral: readonly (Cap & {
      readonly collateralReserve: { readonly address: string };
      readonly elevationGroup: number;
    })[];
  };
}

const CAP = 'capacity { amount } currentTotal { amount }';
const STATS = `address token { mint } status
  supplyApy { base farmRewards reserveRewards incentives rewards { token { mint } apy } } borrowApy { base }
  days7: averageInterestApy(over: D7) { supply borrow } days30: averageInterestApy(over: D30) { supply borrow }
  underlyingApy { apy observedAt token { mint } }
  available { usd } borrowable { amount } limits { deposit { amount } }
  borrowCaps {
    outsideElevationGroups { ${CAP} } againstCollateral { collateralReserve { address } elevationGroup ${CAP} }
  }`;

const restCap = ({ capacity, currentTotal }: Cap) => ({
  capacity: capacity?.amount ?? null,
  currentTotal: currentTotal.amount,
});

function restStats(rule: NullRule, reserve: GraphReserve) {
  const { supplyApy, borrowApy, days7, days30, underlyingApy, borrowCaps } = reserve;
  return {
    token: reserve.token.mint,
    status: `${reserve.status.slice(0, 1)}${reserve.status.slice(1).toLowerCase()}`,
    supplyApy: {
      current: supplyApy.base,
      avg7d: days7?.supply ?? null,
      avg30d: days30?.supply ?? null,
    },
    borrowApy: {
      current: borrowApy.base,
      avg7d: days7?.borrow ?? null,
      avg30d: days30?.borrow ?? null,
    },
    supplyApyBreakdown: {
      lending: supplyApy.base,
      incentives: toDecimalString(
        exact(supplyApy.farmRewards).add(exact(supplyApy.reserveRewards)).add(exact(supplyApy.incentives)),
      ),
    },
    supplyRewardApys: supplyApy.rewards.map(({ token, apy }) => ({ rewardToken: token.mint, apy })),
    underlyingApy: underlyingApy && {
      current: underlyingApy.apy,
      sourceType: 'yield-feed',
      sourceMint: underlyingApy.token.mint,
      observedAt: underlyingApy.observedAt,
    },
    liquidityAvailableUsd: rule.decimal(reserve.available.usd),
    actualAvailableLiquidity: reserve.borrowable.amount,
    depositLimit: reserve.limits.deposit.amount,
    borrowCaps: {
      debtOutsideElevationGroup: restCap(borrowCaps.outsideElevationGroups),
      debtAgainstCollateral: borrowCaps.againstCollateral.map(
        ({ collateralReserve, elevationGroup, ...cap }) => ({
          collateralReserve: collateralReserve.address,
          elevationGroup,
          ...restCap(cap),
        }),
      ),
    },
  };
}

export const RESERVE_STATS_PARITY: readonly ParityRow[] = [
  {
    path: '/oracles/prices',
    cases: () => [
      { url: '/oracles/prices', variables: {} },
      { url: '/oracles/prices?markets=all', variables: { all: true } },
    ],
    async twin(graph, { all }) {
      const filter = all ? '' : ', filter: { primary: true }';
      const { markets } = await graph<{ markets: { nodes: readonly GraphMarket[] } }>(
        `{ markets(first: ${all ? 100 : 1}${filter}) { nodes {
          address name description isPrimary isCurated lookupTable { address } ${PRICES}
        } } }`,
      );
      if (!all) return markets.nodes.flatMap(({ prices }) => restPrices(prices));
      return markets.nodes.map(({ address, lookupTable, prices, ...facts }) => ({
        lendingMarket: address,
        ...facts,
        lookupTable: lookupTable?.address ?? NO_ADDRESS,
        prices: restPrices(prices),
      }));
    },
  },
  {
    path: '/reserves/{pubkey}/stats',
    cases: ({ reserves }) =>
      reserves.map(({ address }) => ({ url: `/reserves/${address}/stats`, variables: { address } })),
    async twin(graph, variables, rule) {
      const document = `query ($address: Address!) { reserve(address: $address) { ${STATS} } }`;
      return restStats(rule, (await graph<{ reserve: GraphReserve }>(document, variables)).reserve);
    },
  },
  {
    path: '/reserves/batch/stats',
    cases: ({ markets }) =>
      markets.map((market) => ({ url: `/reserves/batch/stats?market=${market}`, variables: { market } })),
    async twin(graph, variables, rule) {
      const document = `query ($market: Address!) { reserves(filter: { market: $market }, first: 100) { nodes { ${STATS} } } }`;
      const { reserves } = await graph<{ reserves: { nodes: readonly GraphReserve[] } }>(document, variables);
      return Object.fromEntries(reserves.nodes.map((each) => [each.address, restStats(rule, each)]));
    },
  },
];
