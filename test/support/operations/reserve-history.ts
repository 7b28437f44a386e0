import type { Shape } from '../contract/field-shapes.ts';
import { ALL_TIME, inRanges, wrongRange } from './date-ranges.ts';
import type { Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';
import { decimals } from './shapes.ts';

const numbers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'number' as const]));

const RESERVE_HISTORY: Shape = {
  fields: {
    reserve: 'address',
    market: 'address',
    history: {
      list: {
        fields: {
          timestamp: 'date',
          metrics: {
            fields: {
              ...numbers('decimals', 'loanToValue', 'borrowFactor', 'protocolTakeRate'),
              ...numbers('borrowInterestAPY', 'supplyInterestAPY', 'maxLiquidationBonus'),
              ...numbers('minLiquidationBonus', 'liquidationThreshold'),
              ...numbers('borrowLimitCrossedTimestamp', 'depositLimitCrossedTimestamp'),
              status: 'label',
              symbol: 'label',
              mintAddress: 'address',
              ...decimals('borrowTvl', 'depositTvl', 'totalSupply', 'totalBorrows', 'totalLiquidity'),
              ...decimals('mintTotalSupply', 'exchangeRate', 'assetPriceUSD', 'assetOraclePriceUSD'),
              ...decimals('reserveBorrowLimit', 'reserveDepositLimit', 'hostFixedInterestRate'),
              ...decimals('accumulatedProtocolFees', 'borrowOutsideElevationGroup'),
              borrowLimitOutsideElevationGroup: 'decimal',
              borrowCurve: { list: { list: 'number', length: 2 } },
              borrowedAgainstCollateralInElevationGroups: { list: 'decimal' },
              borrowLimitAgainstCollateralInElevationGroups: { list: 'decimal' },
            },
          },
        },
      },
    },
  },
};

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

interface GraphPoint {
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

const QUERY = `query ($address: Address!, $range: TimeRange, $interval: Interval) {
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

const restReserveMetrics = (point: GraphPoint, rule: NullRule) => ({
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

const of = (market: string, reserve: string) => `/svc-market/${market}/reserves/${reserve}/metrics/history`;

export const RESERVE_HISTORY_ROW: OperationRow = {
  method: 'get',
  path: of('{marketPubkey}', '{reservePubkey}'),
  answer: RESERVE_HISTORY,
  requests: ({ reserves, addresses: { market, depositReserve, emptyWallet } }) => [
    ...inRanges(of(market, depositReserve), { market, address: depositReserve, interval: 'HOUR' }),
    { url: `${of(market, depositReserve)}${ALL_TIME}` },
    ...[...reserves.slice(0, 6), { market, address: depositReserve }].flatMap((each) =>
      ['MINUTE', 'HOUR', 'DAY'].map((interval) => ({
        url: `${of(each.market, each.address)}?env=localnet&frequency=${interval.toLowerCase()}`,
        variables: { market: each.market, address: each.address, interval },
      })),
    ),
    ...reserves.slice(0, 5).map((each) => ({
      url: of(each.market, each.address),
      variables: { market: each.market, address: each.address, interval: 'HOUR' },
    })),
    { url: of(emptyWallet, depositReserve) },
  ],
  refusals: ({ addresses: { market, depositReserve } }) => [
    badRequest('no market', of('nonsense', depositReserve), 'marketPubkey'),
    badRequest('no reserve', of(market, 'nonsense'), 'reservePubkey'),
    badRequest('frequency=week', `${of(market, depositReserve)}?frequency=week`, 'frequency'),
    ...wrongRange(of(market, depositReserve)),
    ...wrongEnv(of(market, depositReserve)),
  ],
  async twin(graph, { market, ...variables }, rule) {
    const { reserve } = await graph<{
      reserve: { metricsHistory: { points: readonly GraphPoint[] } };
    }>(QUERY, variables);
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
};
