import { FRACTION_ONE } from '../../../numeric/fraction.ts';
import { ceilDivide } from '../../../numeric/integer.ts';
import type { Reserve } from '../../../programs/klend/reserve.ts';
import { ceilingScaled, fraction, minus, scaled } from './checked-maths.ts';

/** What collateral tokens of a reserve are worth. */
export interface ExchangeRate {
  /** Collateral tokens in existence, base units. */
  readonly collateral: bigint;
  /** The liquidity that they are worth, scaled by 2^60. */
  readonly liquiditySf: bigint;
}

/** One to one in an empty reserve. */
export function exchangeRateOf({ liquidity, collateral }: Reserve): ExchangeRate {
  const assetsSf = fraction(scaled(liquidity.totalAvailableAmount) + liquidity.borrowedAmountSf);
  const feesSf =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  const liquiditySf = minus(assetsSf, feesSf);
  const { mintTotalSupply } = collateral;
  return mintTotalSupply === 0n || liquiditySf === 0n
    ? { collateral: 1n, liquiditySf: FRACTION_ONE }
    : { collateral: mintTotalSupply, liquiditySf };
}

/** Rounded down, scaled by 2^60. */
export function liquiditySfOf(rate: ExchangeRate, collateral: bigint): bigint {
  return fraction((collateral * rate.liquiditySf) / rate.collateral);
}

/** Rounded up at the last bit of the fraction. */
export function liquiditySfOfUp(rate: ExchangeRate, collateral: bigint): bigint {
  return fraction(ceilDivide(collateral * rate.liquiditySf, rate.collateral));
}

/** Collateral tokens for an amount of liquidity, both scaled by 2^60; rounded down. */
export function collateralSfOf(rate: ExchangeRate, liquiditySf: bigint): bigint {
  return fraction((liquiditySf * rate.collateral * FRACTION_ONE) / rate.liquiditySf);
}

/** The fewest collateral tokens that are worth the liquidity; base units. */
export function collateralToRedeem(rate: ExchangeRate, liquidity: bigint): bigint {
  const sf = ceilDivide(scaled(liquidity) * rate.collateral * FRACTION_ONE, rate.liquiditySf);
  return ceilingScaled(fraction(sf));
}
