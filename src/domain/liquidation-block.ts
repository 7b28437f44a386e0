import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { isUnhealthy, type LiquidationGround, liquidationGround } from './liquidation-reason.ts';
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
  /** Unix seconds. */
  readonly timestamp: bigint;
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
  /** The obligation is below the liquidation threshold, and no end of the debt allows a liquidation. */
  | 'HEALTHY'
  /** The obligation is above it, but the market has switched off liquidations for that reason. */
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

/** What a liquidation moves, and why the program accepts it for any amount that is not too small. */
export interface LiquidationPair {
  readonly debt: RefreshedDebt;
  readonly deposit: RefreshedDeposit;
  readonly ground: LiquidationGround;
}

/** The pair of a liquidation, or the first reason against it that does not depend on the amount, in the program's order. */
export function liquidationPair(state: LiquidationState): LiquidationPair | LiquidationBlock {
  const { obligation, market, repayReserve, withdrawReserve, timestamp } = state;
  const debt = obligation.debts.find(({ reserve }) => reserve === repayReserve);
  const deposit = obligation.deposits.find(({ reserve }) => reserve === withdrawReserve);
  const repay = state.reserves(repayReserve)?.accrued.account;
  if (repay === undefined || state.reserves(withdrawReserve) === undefined) return 'RESERVE_UNKNOWN';
  if (hasReserveInEmergency(state)) return 'RESERVE_EMERGENCY';
  if (deposit?.thresholdPct === 0) return 'COLLATERAL_NOT_LIQUIDATABLE';
  if (!debt || !deposit || debt.valueSf === 0n || deposit.valueSf === 0n) return 'NO_POSITION';
  const ground = liquidationGround(obligation, market, repay.config, debt, timestamp);
  if (ground === null) return isUnhealthy(obligation) ? 'DISABLED' : 'HEALTHY';
  if (ground.reason === 'UNHEALTHY' && !isRiskiestDebt(state, debt)) return 'RISKIER_DEBT';
  return isRiskiestDeposit(state, deposit) ? { debt, deposit, ground } : 'RISKIER_COLLATERAL';
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
