import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { LendingSetting, ReserveSetting } from '../builders/lending-accounts.ts';

/** A reserve whose deposits back loans and can be seized. */
export const SEIZABLE: ReserveSetting['config'] = {
  loanToValuePct: 75,
  liquidationThresholdPct: 85,
  minLiquidationBonusBps: 200,
  maxLiquidationBonusBps: 500,
  badDebtLiquidationBonusBps: 99,
  protocolLiquidationFeePct: 50,
  borrowFactorPct: 100n,
  depositLimit: 10n ** 15n,
  borrowLimit: 10n ** 15n,
  borrowLimitOutsideElevationGroup: U64_MAX,
};

export const LIQUIDATION_TERMS = {
  liquidationMaxDebtCloseFactorPct: 20,
  insolvencyRiskUnhealthyLtvPct: 95,
  maxLiquidatableDebtMarketValueAtOnce: 500_000n,
  minFullLiquidationValueThreshold: 2n,
};

/** 1000 USD of collateral that may back 850, and a debt of 900. One USD is a token of six decimals. */
export const UNHEALTHY: LendingSetting = {
  reserves: [{ config: SEIZABLE }, { config: SEIZABLE }, { config: SEIZABLE }],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 900_000_000n]],
  market: LIQUIDATION_TERMS,
};
