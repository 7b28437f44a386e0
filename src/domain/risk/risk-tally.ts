import type { RefreshedObligation } from '../refreshed-obligation.ts';
import { DebtAtRisk } from './debt-tally.ts';
import { Largest } from './largest.ts';
import type { Loan } from './loan.ts';
import type { LoanOutcome, UnvaluedReason } from './loan-outcome.ts';

/** Health factors that divide the distribution, in percent. */
export const HEALTH_BOUNDS_PCT: readonly number[] = [100, 105, 110, 125, 150, 200, 300];

/** Most loans that a tally names. */
export const LOANS_NAMED = 1_000;

/** Loans and their debt. Values are USD in units of 2^-60, here and below. */
export interface DebtCount {
  loans: number;
  debtSf: bigint;
}

/** Loans that can be liquidated, by one of their deposits or in total. */
export interface LiquidatableCount extends DebtCount {
  collateralSf: bigint;
  /** Debt that exceeds the collateral of its loan; of all loans, also of those that cannot be liquidated. */
  badDebtSf: bigint;
}

/** A loan in the scenario. */
export type ValuedLoan = Pick<LoanOutcome, keyof LoanOutcome>;

/** A loan that is named in a list. */
export interface NamedLoan {
  /** Its number in the index. */
  readonly loan: number;
  readonly outcome: ValuedLoan;
}

const debtOf = ({ outcome }: NamedLoan): bigint => outcome.borrowedSf;

/** All loans of a market in one scenario. */
export class RiskTally {
  readonly valued: DebtCount & { collateralSf: bigint } = { loans: 0, debtSf: 0n, collateralSf: 0n };
  readonly unvalued = new Map<UnvaluedReason, number>();
  readonly liquidatable: LiquidatableCount = emptyCount();
  /** Those of them that are healthy: only the end of a debt makes them liquidatable. */
  readonly endedOnly = { loans: 0, debtSf: 0n, collateralSf: 0n };
  /** Loans whose debt exceeds their collateral. */
  badDebtLoans = 0;
  /** Loans that can be liquidated or whose debt exceeds their collateral, so that bad debt is part of it. */
  readonly atRisk: DebtCount = { loans: 0, debtSf: 0n };
  /** By the number of the reserve. A loan with several deposits counts in each, its debt in proportion to their values. */
  readonly byCollateral = new Map<number, LiquidatableCount>();
  /** By the reserve that lent. */
  readonly byDebt = new DebtAtRisk();
  /** By health factor: below the first bound, between each and the next, and from the last on. */
  readonly health: readonly DebtCount[] = Array.from({ length: HEALTH_BOUNDS_PCT.length + 1 }, () => ({
    loans: 0,
    debtSf: 0n,
  }));
  /** The loans with the largest debt among those that can be liquidated. */
  readonly named = new Largest<NamedLoan>(LOANS_NAMED, debtOf);
  /** Those with the largest debt among loans at risk that nobody can liquidate: they have nothing left to seize. */
  readonly stranded = new Largest<NamedLoan>(LOANS_NAMED, debtOf);

  add(number: number, { deposits }: Loan, outcome: ValuedLoan | UnvaluedReason): void {
    if (typeof outcome === 'string') {
      this.unvalued.set(outcome, (this.unvalued.get(outcome) ?? 0) + 1);
      return;
    }
    const { borrowedSf: debtSf, depositedSf: collateralSf, isLiquidatable, liquidatableFor } = outcome;
    this.valued.loans += 1;
    this.valued.debtSf += debtSf;
    this.valued.collateralSf += collateralSf;
    this.#addHealth(outcome);
    const badDebtSf = debtSf > collateralSf ? debtSf - collateralSf : 0n;
    if (badDebtSf > 0n) {
      this.badDebtLoans += 1;
      this.liquidatable.badDebtSf += badDebtSf;
    }
    if (isLiquidatable) {
      this.liquidatable.loans += 1;
      this.liquidatable.debtSf += debtSf;
      this.liquidatable.collateralSf += collateralSf;
      this.named.add({ loan: number, outcome });
    }
    if (isLiquidatable && liquidatableFor !== 'UNHEALTHY') {
      this.endedOnly.loans += 1;
      this.endedOnly.debtSf += debtSf;
      this.endedOnly.collateralSf += collateralSf;
    }
    if (!isLiquidatable && badDebtSf === 0n) return;
    this.atRisk.loans += 1;
    this.atRisk.debtSf += debtSf;
    if (!isLiquidatable) this.stranded.add({ loan: number, outcome });
    const refreshed = outcome.refreshed();
    this.byDebt.add(refreshed, isLiquidatable, badDebtSf);
    const shares = sharesBy(refreshed, isLiquidatable ? debtSf : 0n, badDebtSf);
    for (const [i, { debtSf: debt, badDebtSf: bad }] of shares.entries()) {
      const count = this.#collateral(deposits[i]?.reserve ?? 0);
      count.debtSf += debt;
      count.badDebtSf += bad;
      if (!isLiquidatable) continue;
      count.loans += 1;
      count.collateralSf += refreshed.deposits[i]?.valueSf ?? 0n;
    }
  }

  /** The loans at risk with the largest debt, largest first. */
  largestAtRisk(): readonly NamedLoan[] {
    const largest = new Largest<NamedLoan>(LOANS_NAMED, debtOf);
    for (const loan of this.named.sorted()) largest.add(loan);
    for (const loan of this.stranded.sorted()) largest.add(loan);
    return largest.sorted();
  }

  #addHealth({ unhealthySf, factoredSf, borrowedSf }: ValuedLoan): void {
    const percent = factoredSf === 0n ? null : (unhealthySf * 100n) / factoredSf;
    const bucket = this.health[bucketOf(percent)];
    if (bucket === undefined) return;
    bucket.loans += 1;
    bucket.debtSf += borrowedSf;
  }

  #collateral(reserve: number): LiquidatableCount {
    const known = this.byCollateral.get(reserve);
    if (known !== undefined) return known;
    const count = emptyCount();
    this.byCollateral.set(reserve, count);
    return count;
  }
}

const emptyCount = (): LiquidatableCount => ({ loans: 0, debtSf: 0n, collateralSf: 0n, badDebtSf: 0n });

/** Null: a debt without value, above every bound. */
function bucketOf(percent: bigint | null): number {
  if (percent === null) return HEALTH_BOUNDS_PCT.length;
  let bucket = 0;
  for (const bound of HEALTH_BOUNDS_PCT) if (percent >= bound) bucket += 1;
  return bucket;
}

/** Divides debt among the deposits by their values. The last deposit gets what rounding leaves, so nothing is lost. */
function sharesBy({ deposits, depositedSf }: RefreshedObligation, debtSf: bigint, badDebtSf: bigint) {
  const shares: { readonly debtSf: bigint; readonly badDebtSf: bigint }[] = [];
  if (depositedSf === 0n) return shares;
  let [debtLeft, badLeft] = [debtSf, badDebtSf];
  for (const [i, { valueSf }] of deposits.entries()) {
    const isLast = i === deposits.length - 1;
    const debt = isLast ? debtLeft : (debtSf * valueSf) / depositedSf;
    const bad = isLast ? badLeft : (badDebtSf * valueSf) / depositedSf;
    shares.push({ debtSf: debt, badDebtSf: bad });
    debtLeft -= debt;
    badLeft -= bad;
  }
  return shares;
}
