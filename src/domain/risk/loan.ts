import type { DebtTermState } from '../refreshed-obligation.ts';

/** The positions of an obligation with debt. Reserves are numbers in a list that the loan shares with others. */
export interface Loan {
  /** 0 for none. */
  readonly elevationGroup: number;
  readonly deposits: readonly LoanDeposit[];
  readonly debts: readonly LoanDebt[];
}

export interface LoanDeposit {
  readonly reserve: number;
  /** Collateral tokens, base units. */
  readonly collateral: bigint;
}

/** A debt as it is stored: without the interest since its last refresh. */
export interface LoanDebt extends DebtTermState {
  readonly reserve: number;
  /** Base units, in units of 2^-60. */
  readonly amountSf: bigint;
  /** The reserve's cumulative borrow rate at that refresh, in units of 2^-60; 0 when it was never refreshed. */
  readonly rateSf: bigint;
}
