import { FRACTION_ONE, multiplyScaled, percentScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { isBlocked, liquidation } from '../liquidation.ts';
import { isUnhealthy, type LiquidationState, liquidationBlock } from '../liquidation-block.ts';
import type { RefreshedDebt, RefreshedDeposit, RefreshedObligation } from '../refreshed-obligation.ts';
import type { Loan, LoanDebt } from './loan.ts';
import type { GroupTerms, RiskReserve, RiskTerms } from './risk-terms.ts';

/** A loan in one scenario, with the rounding of the program. Values are USD in units of 2^-60. */
export class LoanOutcome {
  readonly depositedSf: bigint;
  readonly unhealthySf: bigint;
  readonly borrowedSf: bigint;
  readonly factoredSf: bigint;
  /** Whether the program accepts a liquidation for the loan's health, if all prices are recent. */
  readonly isLiquidatable: boolean;
  readonly #loan: PricedLoan;
  readonly #scenario: number;

  private constructor(loan: PricedLoan, scenario: number, sums: Sums) {
    this.depositedSf = sums.depositedSf;
    this.unhealthySf = sums.unhealthySf;
    this.borrowedSf = sums.borrowedSf;
    this.factoredSf = sums.factoredSf;
    this.#loan = loan;
    this.#scenario = scenario;
    this.isLiquidatable = mayHaveReachedLimit(sums) && isLiquidatable(loan, this.refreshed());
  }

  /** Most loans are healthy in most scenarios, and only their sums are needed. */
  static of(loan: PricedLoan, scenario: number): LoanOutcome | UnvaluedReason {
    const sums = sumsOf(loan, scenario);
    return sums === null ? 'PRICE_UNKNOWN' : new LoanOutcome(loan, scenario, sums);
  }

  /** Like `refreshedObligation`, which a test compares it with. */
  refreshed(): RefreshedObligation {
    const { deposits, debts, terms } = this.#loan;
    const scenario = this.#scenario;
    const { depositedSf, unhealthySf, borrowedSf, factoredSf } = this;
    let allowedSf = 0n;
    const refreshedDeposits = deposits.map(({ reserve, terms, amountSf, collateral }) => {
      const { ltvPct, thresholdPct, ltvSf } = terms;
      const valueSf = valueIn(reserve, amountSf, scenario) ?? 0n;
      allowedSf += multiplyScaled(valueSf, ltvSf);
      return { reserve: reserve.address, collateral, valueSf, ltvPct, thresholdPct };
    });
    return {
      deposits: refreshedDeposits,
      debts: debts.map(({ reserve, amountSf }) => ({
        reserve: reserve.address,
        amountSf,
        valueSf: valueIn(reserve, amountSf, scenario) ?? 0n,
      })),
      depositedSf,
      allowedSf: lesser(allowedSf, terms.market.globalAllowedBorrowValue * FRACTION_ONE),
      unhealthySf,
      borrowedSf,
      factoredSf,
    };
  }
}

/** Why a loan cannot be valued. */
export type UnvaluedReason = 'RESERVE_UNREADABLE' | 'PRICE_UNKNOWN';

/** A position with its amount in units of 2^-60, with interest. */
interface Position {
  readonly reserve: RiskReserve;
  readonly terms: GroupTerms;
  readonly amountSf: bigint;
  /** Collateral tokens; 0 for a debt. */
  readonly collateral: bigint;
}

/** A loan whose reserves are known. */
interface PricedLoan {
  readonly group: number;
  readonly deposits: readonly Position[];
  readonly debts: readonly Position[];
  readonly terms: RiskTerms;
}

type Sums = Pick<RefreshedObligation, 'depositedSf' | 'unhealthySf' | 'borrowedSf' | 'factoredSf'>;

/**
 * A loan in every scenario of the terms. Amounts are computed once; a scenario costs a product and a quotient per position,
 * and nothing where it changes no price of the loan.
 */
export function loanOutcomes(loan: Loan, terms: RiskTerms): (LoanOutcome | UnvaluedReason)[] {
  const deposits: Position[] = [];
  const debts: Position[] = [];
  for (const { reserve: number, collateral } of loan.deposits) {
    const reserve = terms.reserves[number];
    const position = reserve && positionOf(loan, reserve, collateral, liquidityOf(reserve, collateral));
    if (position === undefined) return unreadable(terms);
    deposits.push(position);
  }
  for (const debt of loan.debts) {
    const reserve = terms.reserves[debt.reserve];
    const position = reserve && positionOf(loan, reserve, 0n, owed(debt, reserve));
    if (position === undefined) return unreadable(terms);
    debts.push(position);
  }
  const priced = { group: loan.elevationGroup, deposits, debts, terms };
  const now = LoanOutcome.of(priced, 0);
  const outcomes = [now];
  for (let scenario = 1; scenario < terms.scenarios; scenario += 1) {
    outcomes.push(isUnchanged(priced, scenario) ? now : LoanOutcome.of(priced, scenario));
  }
  return outcomes;
}

const unreadable = ({ scenarios }: RiskTerms) =>
  new Array<UnvaluedReason>(scenarios).fill('RESERVE_UNREADABLE');

/** Whether a scenario leaves all prices of the loan as they are. */
function isUnchanged({ deposits, debts }: PricedLoan, scenario: number): boolean {
  const isSame = ({ reserve: { pricesSf } }: Position) => pricesSf[scenario] === pricesSf[0];
  return deposits.every(isSame) && debts.every(isSame);
}

/** An id that the market does not define has the terms without a group. */
function positionOf(
  { elevationGroup }: Loan,
  reserve: RiskReserve,
  collateral: bigint,
  amountSf: bigint,
): Position | undefined {
  const terms = reserve.groups[elevationGroup] ?? reserve.groups[0];
  return terms && { reserve, terms, amountSf, collateral };
}

const liquidityOf = ({ liquidityN, liquidityD }: RiskReserve, collateral: bigint): bigint =>
  (collateral * liquidityN) / liquidityD;

/** A debt with interest: it grows with the reserve's cumulative rate. */
function owed({ amountSf, rateSf }: LoanDebt, { cumulativeRateSf }: RiskReserve): bigint {
  return rateSf === 0n || rateSf === cumulativeRateSf ? amountSf : (amountSf * cumulativeRateSf) / rateSf;
}

/** USD of an amount; null when the price is unknown. Two quotients of small divisors cost less than one of a large one. */
function valueIn({ pricesSf, tokenUnits }: RiskReserve, amountSf: bigint, scenario: number): bigint | null {
  const priceSf = pricesSf[scenario] ?? null;
  return priceSf === null ? null : multiplyScaled(amountSf, priceSf) / tokenUnits;
}

function sumsOf({ deposits, debts }: PricedLoan, scenario: number): Sums | null {
  let [depositedSf, unhealthySf, borrowedSf, factoredSf] = [0n, 0n, 0n, 0n];
  for (const { reserve, terms, amountSf } of deposits) {
    const valueSf = valueIn(reserve, amountSf, scenario);
    if (valueSf === null) return null;
    depositedSf += valueSf;
    unhealthySf += multiplyScaled(valueSf, terms.thresholdSf);
  }
  for (const { reserve, terms, amountSf } of debts) {
    const valueSf = valueIn(reserve, amountSf, scenario);
    if (valueSf === null) return null;
    borrowedSf += valueSf;
    factoredSf += multiplyScaled(valueSf, terms.borrowFactorSf);
  }
  return { depositedSf, unhealthySf, borrowedSf, factoredSf };
}

/** False where the debt is clearly below the limit; near it, the program's quotients decide. */
function mayHaveReachedLimit({ depositedSf, unhealthySf, factoredSf }: Sums): boolean {
  return factoredSf >= unhealthySf || (unhealthySf - factoredSf) * FRACTION_ONE < depositedSf;
}

function isLiquidatable(
  { group, terms: { market, priced: reserves } }: PricedLoan,
  obligation: RefreshedObligation,
): boolean {
  if (market.emergencyMode !== 0 || !isUnhealthy(obligation)) return false;
  return obligation.debts.some((debt) =>
    obligation.deposits.some((deposit) => {
      const pair = { repayReserve: debt.reserve, withdrawReserve: deposit.reserve };
      const state = { obligation, group, market, reserves, ...pair };
      if (liquidationBlock(state, debt, deposit) !== null) return false;
      return movesMuch(state, debt, deposit) || !isBlocked(liquidation(state, 'all'));
    }),
  );
}

/** Whether a liquidation certainly seizes whole collateral tokens, so that its exact amounts need not be computed. */
function movesMuch(
  { obligation, market }: LiquidationState,
  debt: RefreshedDebt,
  deposit: RefreshedDeposit,
): boolean {
  const closableSf = multiplyScaled(
    obligation.borrowedSf,
    percentScaled(market.liquidationMaxDebtCloseFactorPct),
  );
  const mostSf = lesser(closableSf, market.maxLiquidatableDebtMarketValueAtOnce * FRACTION_ONE);
  return lesser(mostSf, debt.valueSf) * deposit.collateral >= 2n * deposit.valueSf;
}
