import type { Rational } from '@sluice/protocol/numeric/rational';
import { ratio, total } from './arithmetic.ts';
import type { Positions } from './obligation.ts';

/** Refreshed statistics of an obligation, in USD or as fractions. */
export interface ObligationStats {
  readonly userTotalDeposit: Rational;
  /** Deposits with a positive max LTV. */
  readonly userTotalCollateralDeposit: Rational;
  /** Deposits with a positive liquidation LTV. */
  readonly userTotalLiquidatableDeposit: Rational;
  readonly userTotalBorrow: Rational;
  /** Sum of each debt times its borrow factor; the limits apply to this. */
  readonly userTotalBorrowBorrowFactorAdjusted: Rational;
  /** Maximum factored debt after a borrow. */
  readonly borrowLimit: Rational;
  /** Factored debt at which liquidation becomes possible. */
  readonly borrowLiquidationLimit: Rational;
  /** Factored debt / borrow limit. */
  readonly borrowUtilization: Rational;
  /** Deposits minus debts. */
  readonly netAccountValue: Rational;
  /** Deposits / net value. */
  readonly leverage: Rational;
  /** Factored debt / collateral deposits. */
  readonly loanToValue: Rational;
  /** Liquidation limit / liquidatable deposits. */
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

/** Null when the reserve or the price of a position could not be read. Ratios with a zero denominator are 0. */
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

/**
 * Factored debt / all deposits: the ratio that the program stores and compares. `loanToValue` leaves out deposits with a max
 * LTV of 0, as the official SDK does.
 */
export function storedLoanToValue({
  userTotalBorrowBorrowFactorAdjusted,
  userTotalDeposit,
}: ObligationStats): Rational {
  return ratio(userTotalBorrowBorrowFactorAdjusted, userTotalDeposit);
}

/** The highest LTV up to which the obligation may borrow; 0 without collateral. */
export function maxLtv({ borrowLimit, userTotalCollateralDeposit }: ObligationStats): Rational {
  return ratio(borrowLimit, userTotalCollateralDeposit);
}
