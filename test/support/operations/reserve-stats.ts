import type { Shape } from '../contract/field-shapes.ts';
import { LENDING_REWARD } from './lending-rewards.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrong } from './refusals.ts';
import { FIELDS, type GraphReserve, restStats } from './reserve-stats-twin.ts';

const MEAN: Shape = { nullable: 'decimal' };

const AVERAGED: Shape = {
  fields: {
    current: 'decimal',
    avg7d: MEAN,
    avg14d: MEAN,
    avg30d: MEAN,
    avg60d: MEAN,
    avg90d: MEAN,
    avg180d: MEAN,
  },
};

const REWARD: Shape = {
  fields: {
    rewardToken: 'address',
    farm: { nullable: 'address' },
    apy: 'decimal',
    tokensPerSecond: 'decimal',
  },
};

const OUTFLOW: Shape = {
  fields: {
    capacity: 'decimal',
    currentTotal: 'decimal',
    intervalLengthSeconds: 'integer',
    lastIntervalStartTimestamp: 'date',
  },
};

const CAP = { capacity: { nullable: 'decimal' }, currentTotal: 'decimal' } as const;

const STATS: Shape = {
  fields: {
    token: 'address',
    collateralMintAddress: 'address',
    rateType: { oneOf: ['variable', 'fixed'] },
    fixedTerm: { nullable: { fields: { termSeconds: 'integer', apy: 'decimal' } } },
    debtMaturityTimestamp: { nullable: 'date' },
    status: { oneOf: ['Active', 'Obsolete', 'Hidden'] },
    interestRateBasis: { oneOf: ['trueApr', 'legacy'] },
    hostFixedInterestRateBps: 'integer',
    protocolTakeRatePct: 'integer',
    supplyApy: AVERAGED,
    borrowApy: AVERAGED,
    underlyingApy: {
      nullable: {
        fields: { current: 'decimal', sourceType: 'label', sourceMint: 'address', observedAt: 'date' },
      },
    },
    supplyApyBreakdown: {
      fields: {
        lending: 'decimal',
        incentives: 'decimal',
        seasonRewards: 'decimal',
        underlying: 'decimal',
        total: 'decimal',
      },
    },
    borrowApyBreakdown: {
      fields: { borrow: 'decimal', incentives: 'decimal', seasonRewards: 'decimal', total: 'decimal' },
    },
    utilization: {
      fields: { current: 'decimal', avg30d: MEAN, avg90d: MEAN, avg180d: MEAN, avg365d: MEAN },
    },
    autoDeleverage: {
      fields: {
        reserve: {
          fields: {
            enabled: 'boolean',
            marginCallPeriodSecs: 'integer',
            thresholdDecreaseBpsPerDay: 'integer',
            bonusIncreaseBpsPerDay: 'integer',
            minBonusBps: 'integer',
          },
        },
        market: { fields: { enabled: 'boolean', individualMarginCallPeriodSecs: 'integer' } },
      },
    },
    supplyRewardApys: { list: REWARD },
    borrowRewardApys: { list: REWARD },
    pairIncentives: { list: LENDING_REWARD },
    pointsPrograms: { list: 'anything', length: 0 },
    liquidityAvailable: 'decimal',
    liquidityAvailableUsd: 'decimal',
    actualAvailableLiquidity: 'decimal',
    actualAvailableLiquidityUsd: 'decimal',
    utilizationLimitBlockBorrowingAbovePct: 'integer',
    borrowCaps: {
      fields: {
        utilization: { fields: { limitPct: 'integer', currentPct: 'decimal' } },
        netWithdrawal: OUTFLOW,
        globalDebt: { fields: { capacity: 'decimal', currentTotal: 'decimal' } },
        debtOutsideElevationGroup: { fields: CAP },
        debtAgainstCollateral: {
          list: { fields: { collateralReserve: 'address', elevationGroup: 'integer', ...CAP } },
        },
      },
    },
    totalSupply: 'decimal',
    totalSupplyUsd: 'decimal',
    totalBorrow: 'decimal',
    totalBorrowUsd: 'decimal',
    liqLTV: 'decimal',
    maxLTV: 'decimal',
    borrowFactor: 'decimal',
    depositLimit: 'decimal',
    borrowLimit: 'decimal',
    minLiquidationBonus: 'decimal',
    liquidationMaxDebtCloseFactorPct: 'integer',
    limits: { fields: { depositWithdrawalCap: OUTFLOW, debtWithdrawalCap: OUTFLOW } },
    proofOfReserves: { nullable: { fields: { verified: 'boolean', address: 'address' } } },
  },
};

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
