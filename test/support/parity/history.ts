import { NO_ADDRESS, type NullRule, type ParityRow } from './parity-row.ts';

type Text = string | null;

interface Paid {
  readonly apy: string;
  readonly token: { readonly mint: string };
}
const restPaid = ({ apy, token }: Paid) => ({ tokenMint: token.mint, apy });
const PAID = '{ apy token { mint } }';

interface VaultPoint {
  readonly timestamp: string;
  readonly totalValueUsd: Text;
  readonly totalValueSol: Text;
  readonly sharePriceUsd: Text;
  readonly theoreticalBaseApy: Text;
  readonly apy: Readonly<Record<'base' | 'farmRewards' | 'reserveRewards' | 'incentives', string>> & {
    readonly rewards: readonly Paid[];
  };
  readonly interest: string;
  readonly interestUsd: Text;
  readonly interestSol: Text;
  readonly reserves: readonly {
    readonly reserveAddress: string;
    readonly supplyInterestApy: Text;
    readonly rewardsApy: Text;
    readonly share: string;
    readonly rewards: readonly Paid[];
  }[];
}

const VAULT_POINTS = `metricsHistory(range: $range, maxPoints: 1000) { points {
  timestamp totalValueUsd totalValueSol sharePriceUsd theoreticalBaseApy interest interestUsd interestSol
  apy { base farmRewards reserveRewards incentives rewards ${PAID} }
  reserves { reserveAddress supplyInterestApy rewardsApy share rewards ${PAID} }
} }`;
const VAULT = `query ($address: Address!, $range: TimeRange) {
  vault(address: $address) { ${VAULT_POINTS} }
}`;
const VAULTS = `query ($addresses: [Address!]!, $range: TimeRange) {
  vaults(filter: { addresses: $addresses }, first: 3) { nodes { address ${VAULT_POINTS} } }
}`;

const restVaultPoint = (point: VaultPoint, rule: NullRule) => ({
  timestamp: point.timestamp,
  tvl: rule.decimal(point.totalValueUsd),
  solTvl: rule.decimal(point.totalValueSol),
  // Interest alone, where the graph’s total has the rewards too.
  apy: rule.decimal(point.theoreticalBaseApy),
  apyTheoretical: rule.decimal(point.theoreticalBaseApy),
  apyActual: point.apy.base,
  apyFarmRewards: point.apy.farmRewards,
  apyReservesIncentives: point.apy.reserveRewards,
  apyIncentives: point.apy.incentives,
  sharePrice: rule.decimal(point.sharePriceUsd),
  interest: point.interest,
  interestUsd: rule.decimal(point.interestUsd),
  interestSol: rule.decimal(point.interestSol),
  reserves: point.reserves.map(({ reserveAddress, supplyInterestApy, rewardsApy, share, rewards }) => ({
    pubkey: reserveAddress,
    supplyApy: rule.decimal(supplyInterestApy),
    rewardsApy: rule.decimal(rewardsApy),
    allocationRatio: share,
    rewardTokens: rewards.map(restPaid),
  })),
  vaultRewards: point.apy.rewards.map(restPaid),
});

const restVaultPoints = (points: readonly VaultPoint[], rule: NullRule) =>
  rule
    .priced(points, ({ totalValueUsd, totalValueSol }) => [totalValueUsd, totalValueSol])
    .map((point) => restVaultPoint(point, rule));

interface Config {
  readonly status: string;
  readonly symbol: string;
  readonly mint: string;
  readonly decimals: number;
  readonly maxLtv: string;
  readonly liquidationLtv: string;
  readonly borrowFactorPct: number;
  readonly protocolTake: string;
  readonly minLiquidationBonus: string;
  readonly maxLiquidationBonus: string;
  readonly depositLimit: string;
  readonly borrowLimit: string;
  readonly hostFixedRate: string;
  readonly borrowLimitOutsideElevationGroup: string;
  readonly borrowLimitsInElevationGroups: readonly string[];
  readonly borrowCurve: readonly { readonly utilization: string; readonly rate: string }[];
}

interface ReservePoint {
  readonly timestamp: string;
  readonly supplyInterestApy: string;
  readonly borrowInterestApy: string;
  readonly supplied: string;
  readonly borrowed: string;
  readonly available: string;
  readonly suppliedUsd: Text;
  readonly borrowedUsd: Text;
  readonly meanPriceUsd: Text;
  readonly priceUsd: Text;
  readonly exchangeRate: string;
  readonly collateralSupply: string;
  readonly protocolFees: string;
  readonly borrowedOutsideElevationGroup: string;
  readonly borrowedInElevationGroups: readonly string[];
  readonly borrowLimitCrossedAt: Text;
  readonly depositLimitCrossedAt: Text;
  readonly config: Config;
}

const RESERVE = `query ($address: Address!, $range: TimeRange, $interval: Interval) {
  reserve(address: $address) { metricsHistory(range: $range, interval: $interval, maxPoints: 5000) { points {
    timestamp supplyInterestApy borrowInterestApy supplied borrowed available suppliedUsd borrowedUsd meanPriceUsd priceUsd exchangeRate
    collateralSupply protocolFees borrowedOutsideElevationGroup borrowedInElevationGroups borrowLimitCrossedAt
    depositLimitCrossedAt
    config {
      status symbol mint decimals maxLtv liquidationLtv borrowFactorPct protocolTake minLiquidationBonus
      maxLiquidationBonus depositLimit borrowLimit hostFixedRate borrowLimitOutsideElevationGroup
      borrowLimitsInElevationGroups borrowCurve { utilization rate }
    }
  } } }
}`;

const seconds = (date: Text) => (date === null ? 0 : Date.parse(date) / 1_000);

const restReserveMetrics = (point: ReservePoint, rule: NullRule) => ({
  status: point.config.status,
  symbol: point.config.symbol,
  mintAddress: point.config.mint,
  decimals: point.config.decimals,
  loanToValue: Number(point.config.maxLtv),
  liquidationThreshold: Number(point.config.liquidationLtv),
  borrowFactor: point.config.borrowFactorPct,
  protocolTakeRate: Number(point.config.protocolTake),
  minLiquidationBonus: Number(point.config.minLiquidationBonus),
  maxLiquidationBonus: Number(point.config.maxLiquidationBonus),
  borrowInterestAPY: Number(point.borrowInterestApy),
  supplyInterestAPY: Number(point.supplyInterestApy),
  borrowLimitCrossedTimestamp: seconds(point.borrowLimitCrossedAt),
  depositLimitCrossedTimestamp: seconds(point.depositLimitCrossedAt),
  totalSupply: point.supplied,
  totalBorrows: point.borrowed,
  totalLiquidity: point.available,
  depositTvl: rule.decimal(point.suppliedUsd),
  borrowTvl: rule.decimal(point.borrowedUsd),
  assetPriceUSD: rule.decimal(point.meanPriceUsd),
  assetOraclePriceUSD: rule.decimal(point.priceUsd),
  exchangeRate: point.exchangeRate,
  mintTotalSupply: point.collateralSupply,
  reserveDepositLimit: point.config.depositLimit,
  reserveBorrowLimit: point.config.borrowLimit,
  hostFixedInterestRate: point.config.hostFixedRate,
  accumulatedProtocolFees: point.protocolFees,
  borrowOutsideElevationGroup: point.borrowedOutsideElevationGroup,
  borrowLimitOutsideElevationGroup: point.config.borrowLimitOutsideElevationGroup,
  borrowedAgainstCollateralInElevationGroups: point.borrowedInElevationGroups,
  borrowLimitAgainstCollateralInElevationGroups: point.config.borrowLimitsInElevationGroups,
  borrowCurve: point.config.borrowCurve.map(({ utilization, rate }) => [Number(utilization), Number(rate)]),
});

interface MarketPoint {
  readonly timestamp: string;
  readonly suppliedUsd: Text;
  readonly borrowedUsd: Text;
  readonly obligations: number | null;
}

interface Leverage {
  readonly tag: string;
  readonly averageLeverage: string;
  readonly deposited: { readonly amount: string; readonly usd: Text };
  readonly borrowed: { readonly amount: string; readonly usd: Text };
  readonly tvlUsd: Text;
  readonly obligations: number;
  readonly updatedAt: string;
  readonly depositReserve: { readonly address: string };
  readonly borrowReserve: { readonly address: string };
}

interface RewardPoint {
  readonly timestamp: string;
  readonly depositReserve: { readonly address: string } | null;
  readonly borrowReserve: { readonly address: string } | null;
  readonly token: { readonly mint: string };
  readonly apy: Text;
}

/** The same range in GraphQL and REST. */
const RANGES = [
  { query: '', range: undefined },
  {
    query: '?start=2026-05-30T02:00:00%2B02:00&end=1780228800000',
    range: { start: '2026-05-30', end: '2026-05-31T12:00Z' },
  },
] as const;

const inRanges = (url: string, variables: Readonly<Record<string, unknown>>, mark = '?') =>
  RANGES.map(({ query, range }) => ({
    url: `${url}${query.replace('?', mark)}`,
    variables: { ...variables, range },
  }));

export const HISTORY_PARITY: readonly ParityRow[] = [
  {
    path: '/kvaults/vaults/{pubkey}/metrics/history',
    cases: ({ vaults }) =>
      vaults.flatMap(({ address }, i) =>
        inRanges(`/kvaults/vaults/${address}/metrics/history`, { address }).slice(0, i < 3 ? 2 : 1),
      ),
    async twin(graph, variables, rule) {
      const { vault } = await graph<{
        vault: { metricsHistory: { points: readonly VaultPoint[] } };
      }>(VAULT, variables);
      return restVaultPoints(vault.metricsHistory.points, rule);
    },
  },
  {
    path: '/kvaults/vaults/metrics/history',
    sortBy: 'kvault',
    cases: ({ vaults }) => {
      const addresses = vaults.slice(0, 3).map(({ address }) => address);
      const url = `/kvaults/vaults/metrics/history?vaults=${addresses.join(',')}`;
      return inRanges(url, { addresses }, '&').slice(0, 2);
    },
    async twin(graph, variables, rule) {
      const { vaults } = await graph<{
        vaults: {
          nodes: readonly { address: string; metricsHistory: { points: readonly VaultPoint[] } }[];
        };
      }>(VAULTS, variables);
      return vaults.nodes.map(({ address, metricsHistory }) => ({
        kvault: address,
        history: restVaultPoints(metricsHistory.points, rule),
      }));
    },
  },
  {
    path: '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
    cases: ({ reserves }) =>
      reserves.slice(0, 6).flatMap(({ market, address }) =>
        ['MINUTE', 'HOUR', 'DAY'].map((interval) => ({
          url: `/svc-market/${market}/reserves/${address}/metrics/history?frequency=${interval.toLowerCase()}`,
          variables: { market, address, interval },
        })),
      ),
    async twin(graph, { market, ...variables }, rule) {
      const { reserve } = await graph<{
        reserve: { metricsHistory: { points: readonly ReservePoint[] } };
      }>(RESERVE, variables);
      return {
        reserve: variables.address,
        market,
        history: rule
          .priced(reserve.metricsHistory.points, ({ priceUsd }) => [priceUsd])
          .map((point) => ({
            timestamp: point.timestamp,
            metrics: restReserveMetrics(point, rule),
          })),
      };
    },
  },
  {
    path: '/svc-market/{pubkey}/metrics/history',
    cases: ({ markets }) =>
      markets.flatMap((address) => inRanges(`/svc-market/${address}/metrics/history`, { address })),
    async twin(graph, variables, rule) {
      const { market } = await graph<{
        market: { metricsHistory: { points: readonly MarketPoint[] } };
      }>(
        `query ($address: Address!, $range: TimeRange) { market(address: $address) {
          metricsHistory(range: $range, maxPoints: 5000) { points { timestamp suppliedUsd borrowedUsd obligations } }
        } }`,
        variables,
      );
      const points = rule.priced(market.metricsHistory.points, ({ suppliedUsd, borrowedUsd }) => [
        suppliedUsd,
        borrowedUsd,
      ]);
      return points.map(({ timestamp, suppliedUsd, borrowedUsd, obligations }) => ({
        market: variables.address,
        timestamp,
        metrics: {
          borrowTVL: borrowedUsd,
          depositTVL: suppliedUsd,
          obligations: rule.count(obligations),
        },
      }));
    },
  },
  {
    path: '/svc-market/{pubkey}/leverage/metrics',
    cases: ({ markets }) =>
      markets.map((address) => ({ url: `/svc-market/${address}/leverage/metrics`, variables: { address } })),
    async twin(graph, variables, rule) {
      const { market } = await graph<{ market: { leverage: readonly Leverage[] } }>(
        `query ($address: Address!) { market(address: $address) { leverage {
          tag averageLeverage deposited { amount usd } borrowed { amount usd } tvlUsd obligations updatedAt
          depositReserve { address } borrowReserve { address }
        } } }`,
        variables,
      );
      return market.leverage.map((pair) => ({
        avgLeverage: pair.averageLeverage,
        totalBorrowed: pair.borrowed.amount,
        totalDeposited: pair.deposited.amount,
        totalBorrowedUsd: rule.decimal(pair.borrowed.usd),
        totalDepositedUsd: rule.decimal(pair.deposited.usd),
        totalObligations: String(pair.obligations),
        tvl: rule.decimal(pair.tvlUsd),
        updatedOn: pair.updatedAt,
        depositReserve: pair.depositReserve.address,
        borrowReserve: pair.borrowReserve.address,
        tag: { MULTIPLY: 'Multiply', LEVERAGE: 'Leverage' }[pair.tag],
      }));
    },
  },
  {
    path: '/klend/{depositReservePubkey}/{borrowReservePubkey}/rewards/history',
    // Of the first there is a reward for deposits, of the second one for debts, of the others none.
    cases: ({ reserves }) =>
      reserves
        .slice(0, 4)
        .flatMap(({ address }) => [
          ...inRanges(`/klend/${address}/${NO_ADDRESS}/rewards/history`, { deposit: address }),
          ...inRanges(`/klend/${NO_ADDRESS}/${address}/rewards/history`, { borrow: address }),
        ]),
    async twin(graph, variables, rule) {
      const { lendingRewardHistory } = await graph<{ lendingRewardHistory: readonly RewardPoint[] }>(
        `query ($deposit: Address, $borrow: Address, $range: TimeRange) {
          lendingRewardHistory(depositReserve: $deposit, borrowReserve: $borrow, range: $range) {
            timestamp depositReserve { address } borrowReserve { address } token { mint } apy
          }
        }`,
        variables,
      );
      const points = rule.priced(lendingRewardHistory, ({ apy }) => [apy]);
      return points.map(({ timestamp, depositReserve, borrowReserve, token, apy }) => ({
        timestamp,
        depositReserve: depositReserve?.address ?? null,
        borrowReserve: borrowReserve?.address ?? null,
        rewardToken: token.mint,
        rewardApy: apy,
      }));
    },
  },
];
