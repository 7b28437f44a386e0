import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { ReserveConfigSample, ReserveSample } from '../../store/history/samples.ts';
import { address, decimalText, exact, instant, plainNumber, shortText } from '../deployment/fields.ts';
import type { SourcePoint } from './subjects.ts';

const unixSeconds = z.int().min(0).transform(BigInt);

const reserveMetrics = z.object({
  status: shortText,
  symbol: shortText,
  mintAddress: address,
  decimals: z.int().min(0).max(255),
  loanToValue: plainNumber,
  liquidationThreshold: plainNumber,
  borrowFactor: plainNumber,
  protocolTakeRate: plainNumber,
  minLiquidationBonus: plainNumber,
  maxLiquidationBonus: plainNumber,
  reserveDepositLimit: decimalText,
  reserveBorrowLimit: decimalText,
  hostFixedInterestRate: decimalText,
  borrowLimitOutsideElevationGroup: decimalText,
  borrowLimitAgainstCollateralInElevationGroups: z.array(decimalText),
  borrowCurve: z.array(z.tuple([plainNumber, plainNumber])),
  borrowInterestAPY: exact,
  supplyInterestAPY: exact,
  totalSupply: exact,
  totalBorrows: exact,
  totalLiquidity: exact,
  assetPriceUSD: exact,
  assetOraclePriceUSD: exact,
  exchangeRate: exact,
  mintTotalSupply: exact,
  accumulatedProtocolFees: exact,
  borrowOutsideElevationGroup: exact,
  borrowedAgainstCollateralInElevationGroups: z.array(exact),
  borrowLimitCrossedTimestamp: unixSeconds,
  depositLimitCrossedTimestamp: unixSeconds,
});

type ReserveMetrics = z.output<typeof reserveMetrics>;

export const reserveHistory = (market: Address, reserve: Address) =>
  z
    .object({
      reserve: z.literal(reserve),
      // Some deployments leave it out.
      market: z.literal(market).optional(),
      history: z.array(
        z.object({ timestamp: instant, metrics: reserveMetrics }).transform(
          ({ timestamp, metrics }): SourcePoint => ({
            bucket: timestamp,
            sample: { reserves: [sampleOf(market, reserve, metrics)] },
            reserveYields: [],
          }),
        ),
      ),
    })
    .transform(({ history }) => history);

/** The contract has no null: a price of 0 means unknown. */
const known = (priceUsd: Rational): Rational | null => (priceUsd.isZero ? null : priceUsd);

function sampleOf(market: Address, reserve: Address, metrics: ReserveMetrics): ReserveSample {
  return {
    reserve,
    config: configOf(market, metrics),
    borrowApy: metrics.borrowInterestAPY,
    supplyApy: metrics.supplyInterestAPY,
    totalSupply: metrics.totalSupply,
    totalBorrows: metrics.totalBorrows,
    totalLiquidity: metrics.totalLiquidity,
    priceUsd: known(metrics.assetOraclePriceUSD),
    meanPriceUsd: known(metrics.assetPriceUSD),
    exchangeRate: metrics.exchangeRate,
    cumulativeBorrowRate: null,
    mintTotalSupply: metrics.mintTotalSupply,
    accumulatedProtocolFees: metrics.accumulatedProtocolFees,
    borrowOutsideGroup: metrics.borrowOutsideElevationGroup,
    borrowedInGroups: metrics.borrowedAgainstCollateralInElevationGroups,
    borrowLimitCrossedAt: metrics.borrowLimitCrossedTimestamp,
    depositLimitCrossedAt: metrics.depositLimitCrossedTimestamp,
    rewards: [],
  };
}

function configOf(market: Address, metrics: ReserveMetrics): ReserveConfigSample {
  return {
    market,
    status: metrics.status,
    symbol: metrics.symbol,
    mintAddress: metrics.mintAddress,
    decimals: metrics.decimals,
    loanToValue: metrics.loanToValue,
    liquidationThreshold: metrics.liquidationThreshold,
    borrowFactor: metrics.borrowFactor,
    protocolTakeRate: metrics.protocolTakeRate,
    minLiquidationBonus: metrics.minLiquidationBonus,
    maxLiquidationBonus: metrics.maxLiquidationBonus,
    reserveDepositLimit: metrics.reserveDepositLimit,
    reserveBorrowLimit: metrics.reserveBorrowLimit,
    hostFixedInterestRate: metrics.hostFixedInterestRate,
    borrowLimitOutsideElevationGroup: metrics.borrowLimitOutsideElevationGroup,
    borrowLimitAgainstCollateralInElevationGroups: metrics.borrowLimitAgainstCollateralInElevationGroups,
    borrowCurve: metrics.borrowCurve,
  };
}
