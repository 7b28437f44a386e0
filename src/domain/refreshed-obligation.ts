import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import {
  ceilScaled,
  divideScaled,
  FRACTION_ONE,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { unitsPerToken } from './arithmetic.ts';
import { NO_GROUP } from './elevation.ts';
import { activeBorrows, activeDeposits, debtAmount, type PricedReserves } from './obligation.ts';
import { collateralToLiquidity } from './reserve.ts';

/** One deposit. Values are USD in units of 2^-60, here and below. */
export interface RefreshedDeposit {
  readonly reserve: Address;
  /** Collateral tokens, base units. */
  readonly collateral: bigint;
  readonly valueSf: bigint;
  readonly ltvPct: number;
  readonly thresholdPct: number;
}

/** When a debt was last borrowed on, Unix seconds, and what was owed at the end of its term; 0 for neither. */
export type DebtTermState = Pick<
  ObligationLiquidity,
  'lastBorrowedAtTimestamp' | 'borrowedAmountAtExpiration'
>;

/** One debt. */
export interface RefreshedDebt extends DebtTermState {
  readonly reserve: Address;
  /** Base units, in units of 2^-60. */
  readonly amountSf: bigint;
  readonly valueSf: bigint;
}

/**
 * An obligation as the program stores it on a refresh: fixed point, each step rounded down. The program's limits compare
 * these numbers, so only they decide the last base unit of an action. Published values in USD are exact products of the same
 * amounts instead.
 */
export interface RefreshedObligation {
  readonly deposits: readonly RefreshedDeposit[];
  readonly debts: readonly RefreshedDebt[];
  readonly depositedSf: bigint;
  /** Maximum factored debt after a borrow or a withdrawal. */
  readonly allowedSf: bigint;
  /** Factored debt at which liquidation becomes possible. */
  readonly unhealthySf: bigint;
  readonly borrowedSf: bigint;
  /** Sum of each debt times its borrow factor. */
  readonly factoredSf: bigint;
}

/** Base units owed to a reserve, rounded up. 0 without such a debt, and when values are unknown. */
export function owedTo(obligation: RefreshedObligation | null, reserve: Address): bigint {
  return ceilScaled(obligation?.debts.find((debt) => debt.reserve === reserve)?.amountSf ?? 0n);
}

/** Value of an amount of base units; all three in units of 2^-60. */
export function valueScaled({ liquidity }: Reserve, amountSf: bigint, priceSf: bigint): bigint {
  return (amountSf * priceSf) / (unitsPerToken(liquidity.mintDecimals) * FRACTION_ONE);
}

/** Base units worth a value; all three in units of 2^-60. */
export function amountScaled({ liquidity }: Reserve, valueSf: bigint, priceSf: bigint): bigint {
  return (valueSf * unitsPerToken(liquidity.mintDecimals) * FRACTION_ONE) / priceSf;
}

/** Weight of a debt, in units of 2^-60: 1 inside an elevation group, otherwise at least 1. */
export function borrowFactorScaled({ config }: Reserve, elevationGroup: number): bigint {
  const own = percentScaled(config.borrowFactorPct);
  return elevationGroup !== NO_GROUP || own < FRACTION_ONE ? FRACTION_ONE : own;
}

/** Percentages of a deposit's value that count for borrowing and for liquidation. */
export function collateralPercents({ elevationGroups }: LendingMarket, { config }: Reserve, group: number) {
  const terms = group === NO_GROUP ? undefined : elevationGroups[group - 1];
  return {
    ltvPct: terms?.ltvPct ?? config.loanToValuePct,
    thresholdPct: terms?.liquidationThresholdPct ?? config.liquidationThresholdPct,
  };
}

/** Null when the reserve or the price of a position is unknown. */
export function refreshedObligation(
  obligation: Obligation,
  market: LendingMarket,
  reserves: PricedReserves,
): RefreshedObligation | null {
  const { elevationGroup } = obligation;
  const deposits: RefreshedDeposit[] = [];
  const debts: RefreshedDebt[] = [];
  let [depositedSf, allowedSf, unhealthySf, borrowedSf, factoredSf] = [0n, 0n, 0n, 0n, 0n];
  for (const { depositReserve, depositedAmount } of activeDeposits(obligation)) {
    const priced = reserves(depositReserve);
    if (priced === undefined || priced.priceUsd === null) return null;
    const { account } = priced.accrued;
    const amountSf = toScaledFraction(collateralToLiquidity(priced.accrued, depositedAmount));
    const valueSf = valueScaled(account, amountSf, toScaledFraction(priced.priceUsd));
    const percents = collateralPercents(market, account, elevationGroup);
    deposits.push({ reserve: depositReserve, collateral: depositedAmount, valueSf, ...percents });
    depositedSf += valueSf;
    allowedSf += multiplyScaled(valueSf, percentScaled(percents.ltvPct));
    unhealthySf += multiplyScaled(valueSf, percentScaled(percents.thresholdPct));
  }
  for (const borrow of activeBorrows(obligation)) {
    const priced = reserves(borrow.borrowReserve);
    if (priced === undefined || priced.priceUsd === null) return null;
    const { account } = priced.accrued;
    const amountSf = toScaledFraction(debtAmount(borrow, priced.accrued));
    const valueSf = valueScaled(account, amountSf, toScaledFraction(priced.priceUsd));
    const { lastBorrowedAtTimestamp, borrowedAmountAtExpiration } = borrow;
    const term = { lastBorrowedAtTimestamp, borrowedAmountAtExpiration };
    debts.push({ reserve: borrow.borrowReserve, amountSf, valueSf, ...term });
    borrowedSf += valueSf;
    factoredSf += multiplyScaled(valueSf, borrowFactorScaled(account, elevationGroup));
  }
  const ceilingSf = market.globalAllowedBorrowValue * FRACTION_ONE;
  return {
    deposits,
    debts,
    depositedSf,
    allowedSf: allowedSf < ceilingSf ? allowedSf : ceilingSf,
    unhealthySf,
    borrowedSf,
    factoredSf,
  };
}

/** USD that the collateral still lets the obligation borrow, in units of 2^-60. */
export function remainingBorrowScaled({ allowedSf, factoredSf }: RefreshedObligation): bigint {
  return allowedSf > factoredSf ? allowedSf - factoredSf : 0n;
}

/**
 * What a withdrawal must leave of the collateral: the debts within the maximum LTV, or, when the same instruction repays
 * first, below the liquidation threshold.
 */
export type WithdrawalLimit = 'MAX_LTV' | 'LIQUIDATION_THRESHOLD';

/**
 * USD of a deposit that the debts let the obligation withdraw, in units of 2^-60; it may exceed the deposit. Applies only
 * to an obligation with debts.
 */
export function maxWithdrawScaled(
  obligation: RefreshedObligation,
  deposit: RefreshedDeposit,
  limit: WithdrawalLimit,
): bigint {
  const { allowedSf, unhealthySf, factoredSf } = obligation;
  // One unit below the threshold, at which liquidation begins.
  const [mostSf, pct] =
    limit === 'MAX_LTV' ? [allowedSf, deposit.ltvPct] : [unhealthySf - 1n, deposit.thresholdPct];
  if (mostSf <= factoredSf) return 0n;
  if (pct === 0) return deposit.valueSf;
  return ((mostSf - factoredSf) * 100n) / BigInt(pct);
}

/** Collateral tokens that the program redeems for a withdrawal of "all", base units. Liquidity does not limit it. */
export function wholeWithdrawal(
  obligation: RefreshedObligation,
  deposit: RefreshedDeposit,
  limit: WithdrawalLimit = 'MAX_LTV',
): bigint {
  if (obligation.debts.length === 0) return deposit.collateral;
  if (deposit.valueSf === 0n) return 0n;
  const limitSf = maxWithdrawScaled(obligation, deposit, limit);
  const takenSf = limitSf < deposit.valueSf ? limitSf : deposit.valueSf;
  return (divideScaled(takenSf, deposit.valueSf) * deposit.collateral) / FRACTION_ONE;
}
