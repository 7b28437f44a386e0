import { MARKET, type marketPoint, reservePoint, type vaultPoint } from './fake-deployment.ts';

export function vaultValues(point: Record<string, unknown>) {
  const { bucket, tvlUsd, tvlSol, sharePriceUsd, interest, interestUsd, interestSol } = point;
  const { apyActual, apyTheoretical, apyFarmRewards, apyIncentives, apyReservesIncentives } = point;
  const { allocations, rewards } = point;
  return {
    ...{ bucket, tvlUsd, tvlSol, sharePriceUsd, interest, interestUsd, interestSol },
    ...{ apyActual, apyTheoretical, apyFarmRewards, apyIncentives, apyReservesIncentives },
    ...{ allocations, rewards },
  };
}

export function vaultExpected(point: ReturnType<typeof vaultPoint>) {
  return {
    bucket: new Date(point.timestamp).toISOString(),
    tvlUsd: point.tvl,
    tvlSol: point.solTvl,
    sharePriceUsd: point.sharePrice,
    interest: point.interest,
    interestUsd: point.interestUsd,
    interestSol: point.interestSol,
    apyActual: point.apyActual,
    apyTheoretical: point.apyTheoretical,
    apyFarmRewards: point.apyFarmRewards,
    apyIncentives: point.apyIncentives,
    apyReservesIncentives: point.apyReservesIncentives,
    allocations: point.reserves.map(({ pubkey, allocationRatio }) => ({
      reserve: pubkey,
      ratio: allocationRatio,
    })),
    rewards: point.vaultRewards.map(({ tokenMint, apy }) => ({ mint: tokenMint, apy })),
  };
}

export const marketValues = ({ bucket, depositUsd, borrowUsd, obligations }: Record<string, unknown>) => ({
  ...{ bucket, depositUsd, borrowUsd, obligations },
});

export const marketExpected = ({ timestamp, metrics }: ReturnType<typeof marketPoint>) => ({
  bucket: timestamp,
  depositUsd: metrics.depositTVL,
  borrowUsd: metrics.borrowTVL,
  // The first bucket has debt but no obligations, because they were not counted.
  obligations: metrics.obligations === 0 ? null : metrics.obligations,
});

export function reserveValues(point: Record<string, unknown>) {
  const { bucket, totalSupply, totalBorrows, totalLiquidity, mintTotalSupply, exchangeRate } = point;
  const { meanPriceUsd, priceUsd, borrowedInGroups, depositLimitCrossedAt, borrowApy } = point;
  const { market, borrowCurve, borrowLimitOutsideElevationGroup } = point.config as Record<string, unknown>;
  return {
    ...{ bucket, totalSupply, totalBorrows, totalLiquidity, mintTotalSupply, exchangeRate },
    ...{ meanPriceUsd, priceUsd, borrowedInGroups, depositLimitCrossedAt, borrowApy: Number(borrowApy) },
    ...{ config: { market, borrowCurve, borrowLimitOutsideElevationGroup } },
  };
}

export function reserveExpected(reserve: number, bucket: { label: number; step: number }) {
  const { timestamp, metrics } = reservePoint(reserve, bucket);
  const { totalSupply, totalBorrows, totalLiquidity, mintTotalSupply, exchangeRate } = metrics;
  const { borrowCurve, borrowLimitOutsideElevationGroup } = metrics;
  return {
    ...{ bucket: timestamp, totalSupply, totalBorrows, totalLiquidity, mintTotalSupply, exchangeRate },
    meanPriceUsd: metrics.assetPriceUSD,
    priceUsd: metrics.assetOraclePriceUSD,
    borrowedInGroups: ['1', '2.5', ...new Array<string>(30).fill('0')],
    depositLimitCrossedAt: 1_700_000_000n,
    borrowApy: metrics.borrowInterestAPY,
    config: { market: MARKET, borrowCurve, borrowLimitOutsideElevationGroup },
  };
}
