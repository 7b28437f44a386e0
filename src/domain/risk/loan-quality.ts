import { FRACTION_ONE, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { ratio } from '../arithmetic.ts';
import type { RefreshedObligation } from '../refreshed-obligation.ts';
import type { LoanOutcome, UnvaluedReason } from './loan-outcome.ts';

/**
 * How close a loan is to a liquidation. `AT_RISK`: its debt is above what it may borrow. `LIQUIDATABLE`: the program accepts a
 * liquidation, for its health or because a debt has ended.
 */
export const LOAN_STATUSES = ['HEALTHY', 'AT_RISK', 'LIQUIDATABLE'] as const;
export type LoanStatus = (typeof LOAN_STATUSES)[number];

type Values = Pick<LoanOutcome, 'depositedSf' | 'factoredSf' | 'borrowedSf' | 'isLiquidatable'>;

/** @param allowedSf USD that it may owe after a borrow, in units of 2^-60 */
export function loanStatus({ factoredSf, isLiquidatable }: Values, allowedSf: bigint): LoanStatus {
  if (isLiquidatable) return 'LIQUIDATABLE';
  return factoredSf > allowedSf ? 'AT_RISK' : 'HEALTHY';
}

/** Part of the deposits of a loan, such as its factored debt, with the rounding of the program. Null without deposits. */
export function ofDeposits({ depositedSf }: Pick<Values, 'depositedSf'>, valueSf: bigint): Rational | null {
  return depositedSf === 0n ? null : fromScaledFraction((valueSf * FRACTION_ONE) / depositedSf);
}

/** Totals of loans whose values are known. */
export interface LoanTotals {
  readonly loans: number;
  /** Loans with an unknown price or reserve, which count nowhere else. */
  readonly unvalued: number;
  readonly depositedUsd: Rational;
  readonly borrowedUsd: Rational;
  /** Debts times their borrow factors. */
  readonly factoredUsd: Rational;
  /** Sum of the LTVs of loans with deposits: factored debt / all deposits. */
  readonly ltvSum: Rational;
  /** Number of these. */
  readonly ltvCount: number;
  /** The largest of these; 0 for none. */
  readonly maxLtv: Rational;
  readonly byStatus: Readonly<Record<LoanStatus, number>>;
}

/** A loan with what it may owe. */
export type TalliedLoan = Values & { refreshed(): Pick<RefreshedObligation, 'allowedSf'> };

/** Adds loans up. */
export class LoanTally {
  #loans = 0;
  #unvalued = 0;
  #depositedSf = 0n;
  #borrowedSf = 0n;
  #factoredSf = 0n;
  #ltvCount = 0;
  #ltvSumSf = 0n;
  #maxLtvSf = 0n;
  readonly #byStatus: Record<LoanStatus, number> = { HEALTHY: 0, AT_RISK: 0, LIQUIDATABLE: 0 };

  add(outcome: TalliedLoan | UnvaluedReason): void {
    if (typeof outcome === 'string') {
      this.#unvalued += 1;
      return;
    }
    this.#loans += 1;
    this.#depositedSf += outcome.depositedSf;
    this.#borrowedSf += outcome.borrowedSf;
    this.#factoredSf += outcome.factoredSf;
    this.#byStatus[loanStatus(outcome, outcome.refreshed().allowedSf)] += 1;
    if (outcome.depositedSf === 0n) return;
    // Exact quotients would have a common denominator with as many factors as there are loans.
    const ltvSf = (outcome.factoredSf * FRACTION_ONE) / outcome.depositedSf;
    this.#ltvCount += 1;
    this.#ltvSumSf += ltvSf;
    if (ltvSf > this.#maxLtvSf) this.#maxLtvSf = ltvSf;
  }

  get totals(): LoanTotals {
    return {
      loans: this.#loans,
      unvalued: this.#unvalued,
      depositedUsd: fromScaledFraction(this.#depositedSf),
      borrowedUsd: fromScaledFraction(this.#borrowedSf),
      factoredUsd: fromScaledFraction(this.#factoredSf),
      ltvSum: fromScaledFraction(this.#ltvSumSf),
      ltvCount: this.#ltvCount,
      maxLtv: fromScaledFraction(this.#maxLtvSf),
      byStatus: { ...this.#byStatus },
    };
  }
}

/** Mean LTV of loans with deposits, each with the same weight. 0 for none. */
export const averageLtv = ({ ltvSum, ltvCount }: Pick<LoanTotals, 'ltvSum' | 'ltvCount'>): Rational =>
  ratio(ltvSum, integer(ltvCount));

/** Mean LTV weighted by the value of the deposits. 0 without deposits. */
export const weightedLtv = ({
  factoredUsd,
  depositedUsd,
}: Pick<LoanTotals, 'factoredUsd' | 'depositedUsd'>) => ratio(factoredUsd, depositedUsd);
