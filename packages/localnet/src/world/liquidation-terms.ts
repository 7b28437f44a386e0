/** The terms of liquidations that all markets and reserves of the world share. Percentages, basis points and USD. */

export const CLOSE_FACTOR_PCT = 20;
/** From this loan-to-value ratio on, a debt may be liquidated whole. */
export const INSOLVENCY_RISK_PCT = 95;
/** A smaller debt must be liquidated whole. */
export const FULL_LIQUIDATION_USD = 2n;
export const MAX_LIQUIDATION_USD = 500_000n;
/** Smaller positions do not decide which collateral and debt must be liquidated first. */
export const LIQUIDATION_PRIORITY_USD = 2n;
/** Of the liquidator's bonus. */
export const PROTOCOL_LIQUIDATION_FEE_PCT = 50;
export const BONUS_BPS = { least: 200, most: 1000, mostInGroup: 300, badDebt: 99 } as const;
