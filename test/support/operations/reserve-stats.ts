import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { exact } from '../../../packages/protocol/test/support/numbers.ts';
import type { Shape } from '../contract/field-shapes.ts';
import type { Amount } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrong } from './refusals.ts';

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

const CAP_FIELDS = 'capacity { amount } currentTotal { amount }';

const FIELDS = `address token { mint } status
  supplyApy { base farmRewards reserveRewards incentives rewards { token { mint } apy } } borrowApy { base }
  days7: averageInterestApy(over: D7) { supply borrow } days30: averageInterestApy(over: D30) { supply borrow }
  underlyingApy { apy observedAt token { mint } }
  available { usd } borrowable { amount } limits { deposit { amount } }
  borrowCaps {
    outsideElevationGroups { ${CAP_FIELDS} } againstCollateral { collateralReserve { address } elevationGroup ${CAP_FIELDS} }
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

const of = (reserve: string) => `/reserves/${reserve}/stats`;
const BATCH = '/reserves/batch/stats';

export const RESERVE_STATS_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: of('{pubkey}'),
    answer: STATS,
    requests: ({ reserves }) => reserves.map(({ address }) => ({ url: of(address), variables: { address } })),
    refusals: ({ addresses }) => [
      badRequest('no address', of('nonsense'), 'pubkey'),
      {
        name: 'unknown reserve',
        ask: { url: of(addresses.wallet) },
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
    ],
    async twin(graph, variables, rule) {
      const document = `query ($address: Address!) { reserve(address: $address) { ${FIELDS} } }`;
      return restStats(rule, (await graph<{ reserve: GraphReserve }>(document, variables)).reserve);
    },
  },
  {
    method: 'get',
    path: BATCH,
    answer: { map: STATS },
    requests: ({ markets, reserves }) => [
      ...markets.map((market) => ({ url: `${BATCH}?market=${market}`, variables: { market } })),
      {
        url: `${BATCH}?reserve=${reserves
          .slice(0, 100)
          .map(({ address }) => address)
          .join(',')}`,
      },
    ],
    refusals: ({ addresses: { wallet, market, depositReserve }, reserves }) => [
      badRequest('neither', BATCH, 'reserve'),
      badRequest('no market', `${BATCH}?market=nonsense`, 'market'),
      badRequest(
        'more than a hundred',
        `${BATCH}?reserve=${new Array(101).fill(depositReserve).join(',')}`,
        'reserve',
      ),
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
    async twin(graph, variables, rule) {
      const document = `query ($market: Address!) { reserves(filter: { market: $market }, first: 100) { nodes { ${FIELDS} } } }`;
      const { reserves } = await graph<{ reserves: { nodes: readonly GraphReserve[] } }>(document, variables);
      return Object.fromEntries(reserves.nodes.map((each) => [each.address, restStats(rule, each)]));
    },
  },
];
