import { roundParts } from '@sluice/protocol/numeric/decimal';
import { fromPercent, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { ratio, total } from '../../domain/arithmetic.ts';
import type { LiquidationReason } from '../../domain/liquidation-reason.ts';
import type { UnvaluedReason } from '../../domain/risk/loan-outcome.ts';
import {
  HEALTH_BOUNDS_PCT,
  type LiquidatableCount,
  type NamedLoan,
  type RiskTally,
} from '../../domain/risk/risk-tally.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';

/** Loans that can be liquidated, with their debt and collateral in USD. */
export interface LiquidatableLoans {
  readonly loans: number;
  readonly debtUsd: Rational;
  readonly collateralUsd: Rational;
}

export interface LiquidatableRisk extends LiquidatableLoans {
  /** Debt beyond the collateral of its loan. */
  readonly badDebtUsd: Rational;
}

/** The part of it that one reserve's token backs. */
export interface CollateralRisk extends LiquidatableRisk {
  readonly reserve: Address;
}

/** Debts to one reserve that are at risk. */
export interface DebtRisk {
  readonly reserve: Address;
  /** Loans that can be liquidated and owe to the reserve, and their debts to it. */
  readonly loans: number;
  readonly debtUsd: Rational;
  /** Debt beyond the collateral of its loan, divided among the debts of the loan by value. */
  readonly badDebtUsd: Rational;
}

/** Loans with a health factor from one bound up to the next. */
export interface HealthBucket {
  /** Null for no lower bound. */
  readonly from: Rational | null;
  /** Null for no upper bound. */
  readonly to: Rational | null;
  readonly loans: number;
  readonly debtUsd: Rational;
}

export interface LoanAtRisk {
  readonly reason: LiquidationReason;
  readonly address: Address;
  readonly owner: Address;
  readonly debtUsd: Rational;
  readonly collateralUsd: Rational;
  readonly healthFactor: Rational;
}

/** Deposits or debts of a loan in one reserve. */
export interface LoanPosition {
  readonly reserve: Address;
  readonly valueUsd: Rational;
}

/** A loan that can be liquidated, or whose debt exceeds its collateral. */
export interface EndangeredLoan extends Omit<LoanAtRisk, 'reason'> {
  /** Null: nobody can liquidate it, since it has nothing to seize. */
  readonly reason: LiquidationReason | null;
  /** Debt beyond the collateral. */
  readonly badDebtUsd: Rational;
  readonly deposits: readonly LoanPosition[];
  readonly debts: readonly LoanPosition[];
}

/** Loans that can be liquidated or have bad debt; the bad debt is part of their debt. */
export interface EndangeredLoans {
  readonly loans: number;
  readonly debtUsd: Rational;
  readonly badDebtUsd: Rational;
}

/** All loans of a market in one scenario. */
export interface ScenarioRisk {
  /** Null for the present. */
  readonly label: string | null;
  /** Loans that could be valued, and their sums. */
  readonly loans: number;
  readonly debtUsd: Rational;
  readonly collateralUsd: Rational;
  readonly unvalued: readonly { readonly reason: UnvaluedReason; readonly loans: number }[];
  readonly liquidatable: LiquidatableRisk;
  /** Those of them that are healthy: only the end of a debt makes them liquidatable. */
  readonly endedOnly: LiquidatableLoans;
  readonly badDebtLoans: number;
  readonly atRisk: EndangeredLoans;
  /** Largest debt first. */
  readonly byCollateral: readonly CollateralRisk[];
  /** Largest bad debt first, then largest debt. */
  readonly byDebt: readonly DebtRisk[];
  readonly health: readonly HealthBucket[];
  /** The first of those that can be liquidated, largest debt first. */
  named(first: number): LoanAtRisk[];
  /** The first of those at risk, largest debt first. */
  endangered(first: number): EndangeredLoan[];
}

export function scenarioRisk(
  tally: RiskTally,
  index: ObligationSnapshot,
  label: string | null,
): ScenarioRisk {
  const { valued, liquidatable } = tally;
  const byCollateral = collateralRisks(tally, index);
  const named = tally.named.sorted();
  const endangered = tally.largestAtRisk();
  const badDebtUsd = fromScaledFraction(liquidatable.badDebtSf);
  return {
    label,
    loans: valued.loans,
    debtUsd: fromScaledFraction(valued.debtSf),
    collateralUsd: fromScaledFraction(valued.collateralSf),
    unvalued: [...tally.unvalued].map(([reason, loans]) => ({ reason, loans })),
    liquidatable: {
      loans: liquidatable.loans,
      debtUsd: total(byCollateral.map(({ debtUsd }) => debtUsd)),
      collateralUsd: total(byCollateral.map(({ collateralUsd }) => collateralUsd)),
      badDebtUsd,
    },
    endedOnly: {
      loans: tally.endedOnly.loans,
      debtUsd: fromScaledFraction(tally.endedOnly.debtSf),
      collateralUsd: fromScaledFraction(tally.endedOnly.collateralSf),
    },
    badDebtLoans: tally.badDebtLoans,
    atRisk: { loans: tally.atRisk.loans, debtUsd: fromScaledFraction(tally.atRisk.debtSf), badDebtUsd },
    byCollateral,
    byDebt: debtRisks(tally),
    health: healthBuckets(tally),
    named: (first) => named.slice(0, first).map((loan) => loanAtRisk(loan, index)),
    endangered: (first) => endangered.slice(0, first).map((loan) => endangeredLoan(loan, index)),
  };
}

/** Sums are rounded together, so that they add up to the totals. */
function collateralRisks({ byCollateral }: RiskTally, { reserves }: ObligationSnapshot): CollateralRisk[] {
  const counts = [...byCollateral].sort(([, a], [, b]) =>
    a.debtSf < b.debtSf ? 1 : a.debtSf > b.debtSf ? -1 : 0,
  );
  const rounded = (part: (count: LiquidatableCount) => bigint) =>
    roundParts(counts.map(([, count]) => fromScaledFraction(part(count))));
  const debts = rounded(({ debtSf }) => debtSf);
  const collateral = rounded(({ collateralSf }) => collateralSf);
  const badDebts = rounded(({ badDebtSf }) => badDebtSf);
  return counts.flatMap(([number, { loans }], i) => {
    const [reserve, debtUsd, collateralUsd] = [reserves.addresses[number], debts[i], collateral[i]];
    const badDebtUsd = badDebts[i];
    if (!reserve || !debtUsd || !collateralUsd || !badDebtUsd) return [];
    return [{ reserve, loans, debtUsd, collateralUsd, badDebtUsd }];
  });
}

/** Bad debts are rounded together, so that they add up to their total. */
function debtRisks({ byDebt }: RiskTally): DebtRisk[] {
  const counts = [...byDebt.byReserve()].sort(
    ([, a], [, b]) => compare(b.badDebtSf, a.badDebtSf) || compare(b.debtSf, a.debtSf),
  );
  const badDebts = roundParts(counts.map(([, { badDebtSf }]) => fromScaledFraction(badDebtSf)));
  return counts.map(([reserve, { loans, debtSf, badDebtSf }], i) => ({
    reserve,
    loans,
    debtUsd: fromScaledFraction(debtSf),
    badDebtUsd: badDebts[i] ?? fromScaledFraction(badDebtSf),
  }));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function healthBuckets({ health }: RiskTally): HealthBucket[] {
  const bound = (percent: number | undefined) => (percent === undefined ? null : fromPercent(percent));
  return health.map(({ loans, debtSf }, i) => ({
    from: bound(HEALTH_BOUNDS_PCT[i - 1]),
    to: bound(HEALTH_BOUNDS_PCT[i]),
    loans,
    debtUsd: fromScaledFraction(debtSf),
  }));
}

function loanAtRisk({ loan, outcome }: NamedLoan, { table }: ObligationSnapshot): LoanAtRisk {
  const { borrowedSf, depositedSf, unhealthySf, factoredSf } = outcome;
  return {
    reason: outcome.liquidatableFor ?? 'UNHEALTHY',
    address: table.address(loan),
    owner: table.owner(loan),
    debtUsd: fromScaledFraction(borrowedSf),
    collateralUsd: fromScaledFraction(depositedSf),
    healthFactor: ratio(fromScaledFraction(unhealthySf), fromScaledFraction(factoredSf)),
  };
}

function endangeredLoan(named: NamedLoan, index: ObligationSnapshot): EndangeredLoan {
  const { liquidatableFor, depositedSf, borrowedSf } = named.outcome;
  const { deposits, debts } = named.outcome.refreshed();
  return {
    ...loanAtRisk(named, index),
    reason: liquidatableFor,
    badDebtUsd: fromScaledFraction(borrowedSf > depositedSf ? borrowedSf - depositedSf : 0n),
    deposits: positions(deposits),
    debts: positions(debts),
  };
}

/** Values are rounded together, so that they add up to those of the loan. */
function positions(
  sides: readonly { readonly reserve: Address; readonly valueSf: bigint }[],
): LoanPosition[] {
  const values = roundParts(sides.map(({ valueSf }) => fromScaledFraction(valueSf)));
  return sides.map(({ reserve, valueSf }, i) => ({
    reserve,
    valueUsd: values[i] ?? fromScaledFraction(valueSf),
  }));
}
