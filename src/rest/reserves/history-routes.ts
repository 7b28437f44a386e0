import {
  type ReserveHistoryPoint,
  type ReservePoint,
  reserveHistory,
} from '../../services/history/reserve-history.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { checkedRange } from '../values/date.ts';
import { decimal, double } from '../values/decimal.ts';
import { ReserveHistory, ReserveHistoryParams, ReserveHistoryQuery } from './history-schemas.ts';

const INTERVALS = { minute: 'MINUTE', hour: 'HOUR', day: 'DAY' } as const;

type Metrics = AnswerOf<typeof ReserveHistory>['history'][number]['metrics'];

/** The recorded columns of a row. */
const FIELDS: readonly (keyof ReservePoint)[] = [
  'config',
  'borrowApy',
  'supplyApy',
  'borrowLimitCrossedAt',
  'depositLimitCrossedAt',
  'totalSupply',
  'totalBorrows',
  'totalLiquidity',
  'meanPriceUsd',
  'priceUsd',
  'exchangeRate',
  'mintTotalSupply',
  'accumulatedProtocolFees',
  'borrowOutsideGroup',
  'borrowedInGroups',
];

function metricsOf(point: ReserveHistoryPoint): Metrics {
  const { sample } = point;
  const { config } = sample;
  return {
    status: config.status,
    symbol: config.symbol,
    mintAddress: config.mintAddress,
    decimals: config.decimals,
    loanToValue: config.loanToValue,
    liquidationThreshold: config.liquidationThreshold,
    borrowFactor: config.borrowFactor,
    protocolTakeRate: config.protocolTakeRate,
    minLiquidationBonus: config.minLiquidationBonus,
    maxLiquidationBonus: config.maxLiquidationBonus,
    borrowInterestAPY: double(sample.borrowApy),
    supplyInterestAPY: double(sample.supplyApy),
    borrowLimitCrossedTimestamp: Number(sample.borrowLimitCrossedAt),
    depositLimitCrossedTimestamp: Number(sample.depositLimitCrossedAt),
    totalSupply: decimal(point.supplied()),
    totalBorrows: decimal(point.borrowed()),
    totalLiquidity: decimal(sample.totalLiquidity),
    depositTvl: decimal(point.suppliedUsd()),
    borrowTvl: decimal(point.borrowedUsd()),
    assetPriceUSD: decimal(sample.meanPriceUsd),
    assetOraclePriceUSD: decimal(sample.priceUsd),
    exchangeRate: decimal(sample.exchangeRate),
    mintTotalSupply: decimal(sample.mintTotalSupply),
    reserveDepositLimit: config.reserveDepositLimit,
    reserveBorrowLimit: config.reserveBorrowLimit,
    hostFixedInterestRate: config.hostFixedInterestRate,
    accumulatedProtocolFees: decimal(sample.accumulatedProtocolFees),
    borrowOutsideElevationGroup: decimal(sample.borrowOutsideGroup),
    borrowLimitOutsideElevationGroup: config.borrowLimitOutsideElevationGroup,
    borrowedAgainstCollateralInElevationGroups: sample.borrowedInGroups.map(decimal),
    borrowLimitAgainstCollateralInElevationGroups: [...config.borrowLimitAgainstCollateralInElevationGroups],
    borrowCurve: config.borrowCurve.map(([utilization, rate]) => [utilization, rate]),
  };
}

export const RESERVE_HISTORY = operation({
  id: 'getReserveMetricsHistory',
  method: 'get',
  path: '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
  tag: 'Reserves',
  summary: 'Historical metrics of a reserve',
  description:
    'Points in ascending order of time, one entry per bucket, including the current one. Rates, totals and `assetPriceUSD` are means over the bucket; other values are the last of the bucket. A bucket with an unknown price is omitted. Empty when the reserve belongs to another market.',
  graph:
    'query { reserve(address) { metricsHistory(range interval) { points { timestamp supplyInterestApy borrowInterestApy supplied borrowed available suppliedUsd borrowedUsd meanPriceUsd priceUsd exchangeRate collateralSupply protocolFees borrowedOutsideElevationGroup borrowedInElevationGroups borrowLimitCrossedAt depositLimitCrossedAt config { marketAddress status symbol mint decimals maxLtv liquidationLtv borrowFactorPct protocolTake minLiquidationBonus maxLiquidationBonus depositLimit borrowLimit hostFixedRate borrowLimitOutsideElevationGroup borrowLimitsInElevationGroups borrowCurve { utilization rate } } } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params: ReserveHistoryParams,
  query: ReserveHistoryQuery,
  response: ReserveHistory,
  example: ({ market, depositReserve }) => ({
    params: { marketPubkey: market, reservePubkey: depositReserve },
    query: { frequency: 'day' as const },
  }),
  async answer({ session, platform }, { params: { marketPubkey, reservePubkey }, query }) {
    platform.requireCluster(query.env);
    const asked = checkedRange(session, query);
    const resolution = { interval: INTERVALS[query.frequency ?? 'hour'], maxPoints: null };
    const { points } = await reserveHistory(
      platform,
      session,
      reservePubkey,
      { range: asked, resolution },
      FIELDS,
    );
    return {
      reserve: reservePubkey,
      market: marketPubkey,
      history: points
        .filter(({ sample }) => sample.config.market === marketPubkey && sample.priceUsd !== null)
        .map((point) => ({ timestamp: point.sample.bucket.toISOString(), metrics: metricsOf(point) })),
    };
  },
});
