import type { Rational } from '../numeric/rational.ts';
import { ratio, total } from './arithmetic.ts';
import type { Positions } from './obligation.ts';

/** The refreshed figures of an obligation, in USD or as fractions; `potentialElevationGroup` is the thirteenth. */
export interface ObligationStats {
  readonly userTotalDeposit: Rational;
  /** Of the deposits that count for borrowing. */
  readonly userTotalCollateralDeposit: Rational;
  /** Of the deposits that count for liquidation. */
  readonly userTotalLiquidatableDeposit: Rational;
  readonly userTotalBorrow: Rational;
  /** Each debt times its borrow factor: what counts against the limits. */
  readonly userTotalBorrowBorrowFactorAdjusted: Rational;
  /** Up to here factored debt may grow by borrowing. */
  readonly borrowLimit: Rational;
  /** From here on factored debt can be liquidated. */
  readonly borrowLiquidationLimit: Rational;
  /** Factored debt / borrow limit. */
  readonly borrowUtilization: Rational;
  /** Deposits less debts. */
  readonly netAccountValue: Rational;
  /** Deposits / net value. */
  readonly leverage: Rational;
  /** Factored debt / deposits that count for borrowing. */
  readonly loanToValue: Rational;
  /** Liquidation limit / deposits that count for liquidation. */
  readonly liquidationLtv: Rational;
}

interface DepositTotals {
  readonly all: Rational;
  readonly collateral: Rational;
  readonly liquidatable: Rational;
  readonly limit: Rational;
  readonly liquidationLimit: Rational;
}

function depositTotals(deposits: Positions['deposits']): DepositTotals | null {
  const all: Rational[] = [];
  const collateral: Rational[] = [];
  const liquidatable: Rational[] = [];
  const limits: Rational[] = [];
  const liquidationLimits: Rational[] = [];
  for (const { valueUsd, maxLtv, liquidationLtv } of deposits) {
    if (valueUsd === null || maxLtv === null || liquidationLtv === null) return null;
    all.push(valueUsd);
    if (!maxLtv.isZero) collateral.push(valueUsd);
    if (!liquidationLtv.isZero) liquidatable.push(valueUsd);
    limits.push(valueUsd.mul(maxLtv));
    liquidationLimits.push(valueUsd.mul(liquidationLtv));
  }
  return {
    all: total(all),
    collateral: total(collateral),
    liquidatable: total(liquidatable),
    limit: total(limits),
    liquidationLimit: total(liquidationLimits),
  };
}

function borrowTotals(borrows: Positions['borrows']): { all: Rational; factored: Rational } | null {
  const all: Rational[] = [];
  const factored: Rational[] = [];
  for (const { valueUsd, factoredUsd } of borrows) {
    if (valueUsd === null || factoredUsd === null) return null;
    all.push(valueUsd);
    factored.push(factoredUsd);
  }
  return { all: total(all), factored: total(factored) };
}

/** Null when a position has no value because its reserve or price could not be read. Division by zero gives 0. */
export function obligationStats({ deposits, borrows }: Positions): ObligationStats | null {
  const deposited = depositTotals(deposits);
  const borrowed = borrowTotals(borrows);
  if (deposited === null || borrowed === null) return null;
  const net = deposited.all.sub(borrowed.all);
  return {
    userTotalDeposit: deposited.all,
    userTotalCollateralDeposit: deposited.collateral,
    userTotalLiquidatableDeposit: deposited.liquidatable,
    userTotalBorrow: borrowed.all,
    userTotalBorrowBorrowFactorAdjusted: borrowed.factored,
    borrowLimit: deposited.limit,
    borrowLiquidationLimit: deposited.liquidationLimit,
    borrowUtilization: ratio(borrowed.factored, deposited.limit),
    netAccountValue: net,
    leverage: ratio(deposited.all, net),
    loanToValue: ratio(borrowed.factored, deposited.collateral),
    liquidationLtv: ratio(deposited.liquidationLimit, deposited.liquidatable),
  };
}

/** The greatest LTV at which the obligation may borrow, over the deposits that count; 0 without any. */
export function maxLtv({ borrowLimit, userTotalCollateralDeposit }: ObligationStats): Rational {
  return ratio(borrowLimit, userTotalCollateralDeposit);
}
