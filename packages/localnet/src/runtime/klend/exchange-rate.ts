import { ceilSf, floorSf, ONE_SF, ratioSf, ratioSfUp, wholeSf } from './fraction.ts';
import type { ReserveState } from './reserve-state.ts';

/** Collateral tokens per liquidity, as the two totals whose quotient it is. */
export interface ExchangeRate {
  readonly collateral: bigint;
  readonly liquiditySf: bigint;
}

/** One to one while either total is zero. */
export function exchangeRateOf(reserve: ReserveState): ExchangeRate {
  const liquiditySf = reserve.totalSupplySf;
  if (reserve.collateralSupply === 0n || liquiditySf === 0n) return { collateral: 1n, liquiditySf: ONE_SF };
  return { collateral: reserve.collateralSupply, liquiditySf };
}

/** Liquidity for a whole number of collateral tokens, as a fraction. */
export function collateralToLiquiditySf({ collateral, liquiditySf }: ExchangeRate, amount: bigint): bigint {
  return ratioSf(liquiditySf, amount, collateral);
}

export function collateralToLiquidity(rate: ExchangeRate, amount: bigint): bigint {
  return floorSf(collateralToLiquiditySf(rate, amount));
}

export function collateralToLiquidityUp({ collateral, liquiditySf }: ExchangeRate, amount: bigint): bigint {
  return ceilSf((amount * liquiditySf + collateral - 1n) / collateral);
}

export function liquidityToCollateral({ collateral, liquiditySf }: ExchangeRate, amount: bigint): bigint {
  return floorSf(ratioSf(collateral * amount, ONE_SF * ONE_SF, liquiditySf));
}

/** Collateral tokens for a fraction of liquidity, as a fraction. */
export function liquidityToCollateralSf({ collateral, liquiditySf }: ExchangeRate, amountSf: bigint): bigint {
  return ratioSf(amountSf * collateral, ONE_SF, liquiditySf);
}

/** The fewest collateral tokens that are worth the liquidity. */
export function liquidityToCollateralUp({ collateral, liquiditySf }: ExchangeRate, amount: bigint): bigint {
  return ceilSf(ratioSfUp(wholeSf(amount) * collateral, ONE_SF, liquiditySf));
}

/** Liquidity for a whole number of collateral tokens, as a fraction rounded up. */
export function collateralToLiquiditySfUp({ collateral, liquiditySf }: ExchangeRate, amount: bigint): bigint {
  return ratioSfUp(liquiditySf, amount, collateral);
}
