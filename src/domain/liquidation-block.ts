import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { loanToValueScaled, unhealthyLoanToValueScaled } from './liquidation-bonus.ts';
import type { PricedReserves } from './obligation.ts';
import { PRICE_CHECKS, type PriceCheck, type PriceUsd } from './price.ts';
import {
  borrowFactorScaled,
  type RefreshedDebt,
  type RefreshedDeposit,
  type RefreshedObligation,
} from './refreshed-obligation.ts';
import { isInEmergency } from './reserve.ts';

/** An obligation as a liquidator finds it, and the two positions that a liquidation moves. */
export interface LiquidationState {
  readonly obligation: RefreshedObligation;
  /** The elevation group of the obligation. */
  readonly group: number;
  readonly market: LendingMarket;
  /** Refreshed at the same slot as the obligation. */
  readonly reserves: PricedReserves;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
}

/** Why the program refuses a liquidation. */
export type LiquidationBlock =
  /** A reserve could not be read. */
  | 'RESERVE_UNKNOWN'
  /** A reserve of the obligation is in emergency mode: no action on it, and no valid price in the obligation. */
  | 'RESERVE_EMERGENCY'
  /** The obligation has no debt in the repaid reserve, or no deposit in the other, or one without value. */
  | 'NO_POSITION'
  /** The collateral has a liquidation threshold of 0. */
  | 'COLLATERAL_NOT_LIQUIDATABLE'
  /** The debt is below the liquidation threshold. */
  | 'HEALTHY'
  /** The market has switched off liquidations for a loan-to-value. */
  | 'DISABLED'
  /** Another debt has a higher borrow factor and must be repaid first. */
  | 'RISKIER_DEBT'
  /** Another deposit has a lower liquidation threshold and must be seized first. */
  | 'RISKIER_COLLATERAL'
  /** The debt is so small that it must be repaid whole. */
  | 'REPAYS_TOO_LITTLE'
  /** The repayment or the seized collateral rounds to zero. */
  | 'TOO_SMALL';

/** A price may differ from its average, or leave its bounds, and still serve for a liquidation. */
const DEMANDED_CHECKS = ['LOADED', 'AGE', 'USAGE'] as const satisfies readonly PriceCheck[];

/** The checks that a liquidation demands and a price fails; null when unknown, because no oracle could be read. */
export function failedLiquidationChecks({ checks }: PriceUsd): readonly PriceCheck[] | null {
  return checks === null ? null : DEMANDED_CHECKS.filter((check) => (checks & PRICE_CHECKS[check]) === 0);
}

/** Whether the factored debt has reached the liquidation threshold, as the program compares them. */
export function isUnhealthy(obligation: RefreshedObligation): boolean {
  if (obligation.depositedSf === 0n || obligation.factoredSf === 0n) return false;
  return loanToValueScaled(obligation) >= unhealthyLoanToValueScaled(obligation);
}

/** The first reason that does not depend on the amount, in the program's order; null for none. */
export function liquidationBlock(
  state: LiquidationState,
  debt: RefreshedDebt | undefined,
  deposit: RefreshedDeposit | undefined,
): LiquidationBlock | null {
  if (hasReserveInEmergency(state)) return 'RESERVE_EMERGENCY';
  if (deposit?.thresholdPct === 0) return 'COLLATERAL_NOT_LIQUIDATABLE';
  if (!debt || !deposit || debt.valueSf === 0n || deposit.valueSf === 0n) return 'NO_POSITION';
  if (!isUnhealthy(state.obligation)) return 'HEALTHY';
  if (state.market.priceTriggeredLiquidationDisabled !== 0) return 'DISABLED';
  if (!isRiskiestDebt(state, debt)) return 'RISKIER_DEBT';
  return isRiskiestDeposit(state, deposit) ? null : 'RISKIER_COLLATERAL';
}

function hasReserveInEmergency({ obligation, reserves }: LiquidationState): boolean {
  return [...obligation.debts, ...obligation.deposits].some(({ reserve }) => {
    const account = reserves(reserve)?.accrued.account;
    return account !== undefined && isInEmergency(account);
  });
}

/** Debts below a value that the market sets do not count. */
export function isRiskiestDebt(
  { obligation, market, group, reserves }: LiquidationState,
  debt: RefreshedDebt,
) {
  const leastSf = market.minValueSkipLiquidationBfChecks * FRACTION_ONE;
  let highestSf = FRACTION_ONE;
  for (const { reserve, valueSf } of obligation.debts) {
    const account = reserves(reserve)?.accrued.account;
    const factorSf = account === undefined ? FRACTION_ONE : borrowFactorScaled(account, group);
    if (valueSf >= leastSf && factorSf > highestSf) highestSf = factorSf;
  }
  const highestPct = (highestSf * 100n + FRACTION_ONE / 2n) / FRACTION_ONE;
  const own = reserves(debt.reserve)?.accrued.account.config.borrowFactorPct ?? 0n;
  return own >= highestPct;
}

/** Deposits below a value that the market sets do not count. */
export function isRiskiestDeposit(
  { obligation, market }: LiquidationState,
  deposit: RefreshedDeposit,
): boolean {
  const leastSf = market.minValueSkipLiquidationLtvChecks * FRACTION_ONE;
  return obligation.deposits.every(
    ({ valueSf, thresholdPct }) =>
      valueSf < leastSf || thresholdPct === 0 || deposit.thresholdPct <= thresholdPct,
  );
}
