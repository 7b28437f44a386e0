import type { LiquidationLimits } from '../runtime/klend/liquidation-size.ts';

/** The terms of liquidations that all markets and reserves of the world share. Percentages, basis points and USD. */

/** Fields of the market. */
export const LIQUIDATION_LIMITS: LiquidationLimits = {
  liquidationMaxDebtCloseFactorPct: 20,
  /** From this loan-to-value ratio on, a debt may be liquidated whole. */
  insolvencyRiskUnhealthyLtvPct: 95,
  /** USD. A smaller debt must be liquidated whole. */
  minFullLiquidationValueThreshold: 2n,
  /** USD. */
  maxLiquidatableDebtMarketValueAtOnce: 500_000n,
};
/** Smaller positions do not decide which collateral and debt must be liquidated first. */
export const LIQUIDATION_PRIORITY_USD = 2n;
/** The protocol's part of the liquidator's bonus. */
export const PROTOCOL_LIQUIDATION_FEE_PCT = 50;
export const BONUS_BPS = { least: 200, most: 1000, mostInGroup: 300, badDebt: 99 } as const;
