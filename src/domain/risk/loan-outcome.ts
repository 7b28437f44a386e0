import { FRACTION_ONE, multiplyScaled, percentScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { debtEnds, endedDebtScaled } from '../debt-end.ts';
import { isBlocked, type LiquidationReason, liquidation } from '../liquidation.ts';
import { type LiquidationPair, type LiquidationState, liquidationPair } from '../liquidation-block.ts';
import { endedDebt } from '../liquidation-reason.ts';
import type { DebtTermState, RefreshedObligation } from '../refreshed-obligation.ts';
import type { Loan, LoanDebt } from './loan.ts';
import type { GroupTerms, RiskReserve, RiskTerms } from './risk-terms.ts';

/** A loan in one scenario, with the rounding of the program. Values are USD in units of 2^-60. */
export class LoanOutcome {
  readonly depositedSf: bigint;
  readonly unhealthySf: bigint;
  readonly borrowedSf: bigint;
  readonly factoredSf: bigint;
  /** Why the program accepts a liquidation, if all prices are recent; null when it accepts none. */
  readonly liquidatableFor: LiquidationReason | null;
  readonly #loan: PricedLoan;
  readonly #scenario: number;

  private constructor(loan: PricedLoan, scenario: number, sums: Sums) {
    this.depositedSf = sums.depositedSf;
    this.unhealthySf = sums.unhealthySf;
    this.borrowedSf = sums.borrowedSf;
    this.factoredSf = sums.factoredSf;
    this.#loan = loan;
    this.#scenario = scenario;
    const mayBe = loan.hasEndedDebt || mayHaveReachedLimit(sums);
    this.liquidatableFor = mayBe ? liquidatableFor(loan, this.refreshed()) : null;
  }

  get isLiquidatable(): boolean {
    return this.liquidatableFor !== null;
  }

  /** Most loans are healthy in most scenarios, and only their sums are needed. */
  static of(loan: PricedLoan, scenario: number): LoanOutcome | UnvaluedReason {
    const sums = sumsOf(loan, scenario);
    return sums === null ? 'PRICE_UNKNOWN' : new LoanOutcome(loan, scenario, sums);
  }

  /** Its debts that end one day, each with the time of its first end in Unix seconds. */
  endingDebts(): readonly EndingDebt[] {
    const { debts, terms } = this.#loan;
    if (debts.every(({ reserve }) => reserve.debtTerms === null)) return NONE;
    return debts.flatMap(({ reserve, debt, amountSf }) => {
      const [first] = reserve.debtTerms === null ? [] : debtEnds(terms.market, reserve.debtTerms, debt);
      if (first === undefined) return [];
      return [{ at: first.at, valueSf: valueIn(reserve, amountSf, this.#scenario) ?? 0n }];
    });
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
      debts: debts.map(({ reserve, amountSf, debt }) => ({
        reserve: reserve.address,
        amountSf,
        valueSf: valueIn(reserve, amountSf, scenario) ?? 0n,
        lastBorrowedAtTimestamp: debt.lastBorrowedAtTimestamp,
        borrowedAmountAtExpiration: debt.borrowedAmountAtExpiration,
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

const NONE: readonly EndingDebt[] = [];

/** A debt that ends one day. */
export interface EndingDebt {
  /** Unix seconds. */
  readonly at: bigint;
  readonly valueSf: bigint;
}

/** A position with its amount in units of 2^-60, with interest. */
interface Position {
  readonly reserve: RiskReserve;
  readonly terms: GroupTerms;
  readonly amountSf: bigint;
}

interface DepositPosition extends Position {
  /** Collateral tokens. */
  readonly collateral: bigint;
}

interface DebtPosition extends Position {
  readonly debt: DebtTermState;
}

/** A loan whose reserves are known. */
interface PricedLoan {
  readonly group: number;
  readonly deposits: readonly DepositPosition[];
  readonly debts: readonly DebtPosition[];
  /** Whether anyone may liquidate a debt because it has ended. */
  readonly hasEndedDebt: boolean;
  readonly terms: RiskTerms;
}

type Sums = Pick<RefreshedObligation, 'depositedSf' | 'unhealthySf' | 'borrowedSf' | 'factoredSf'>;

/**
 * A loan in every scenario of the terms. Amounts are computed once; a scenario costs a product and a quotient per position,
 * and nothing where it changes no price of the loan.
 */
export function loanOutcomes(loan: Loan, terms: RiskTerms): (LoanOutcome | UnvaluedReason)[] {
  const deposits: DepositPosition[] = [];
  const debts: DebtPosition[] = [];
  let hasEndedDebt = false;
  for (const { reserve: number, collateral } of loan.deposits) {
    const reserve = terms.reserves[number];
    const groupTerms = reserve && groupTermsOf(loan, reserve);
    if (reserve === undefined || groupTerms === undefined) return unreadable(terms);
    const amountSf = liquidityOf(reserve, collateral);
    deposits.push({ reserve, terms: groupTerms, amountSf, collateral });
  }
  for (const debt of loan.debts) {
    const reserve = terms.reserves[debt.reserve];
    const groupTerms = reserve && groupTermsOf(loan, reserve);
    if (reserve === undefined || groupTerms === undefined) return unreadable(terms);
    debts.push({ reserve, terms: groupTerms, amountSf: owed(debt, reserve), debt });
    hasEndedDebt ||= hasEnded(debt, reserve, terms);
  }
  const priced = { group: loan.elevationGroup, deposits, debts, hasEndedDebt, terms };
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
const groupTermsOf = ({ elevationGroup }: Loan, { groups }: RiskReserve): GroupTerms | undefined =>
  groups[elevationGroup] ?? groups[0];

function hasEnded(debt: LoanDebt, { debtTerms }: RiskReserve, { market, timestamp }: RiskTerms): boolean {
  return debtTerms !== null && endedDebt(market, debtTerms, debt, timestamp) !== null;
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

function liquidatableFor(
  { group, terms: { market, priced: reserves, timestamp } }: PricedLoan,
  obligation: RefreshedObligation,
): LiquidationReason | null {
  if (market.emergencyMode !== 0) return null;
  for (const { reserve: repayReserve } of obligation.debts) {
    for (const { reserve: withdrawReserve } of obligation.deposits) {
      const state = { obligation, group, market, reserves, timestamp, repayReserve, withdrawReserve };
      const pair = liquidationPair(state);
      if (typeof pair === 'string') continue;
      if (movesMuch(state, pair) || !isBlocked(liquidation(state, 'all'))) return pair.ground.reason;
    }
  }
  return null;
}

/** Whether a liquidation certainly seizes whole collateral tokens, so that its exact amounts need not be computed. */
function movesMuch(
  { obligation, market, timestamp }: LiquidationState,
  { debt, deposit, ground }: LiquidationPair,
): boolean {
  if (ground.reason !== 'UNHEALTHY') {
    const endedSf = endedDebtScaled(ground.end, debt, debt.amountSf, timestamp);
    return debt.valueSf * endedSf * deposit.collateral >= 2n * deposit.valueSf * debt.amountSf;
  }
  const closableSf = multiplyScaled(
    obligation.borrowedSf,
    percentScaled(market.liquidationMaxDebtCloseFactorPct),
  );
  const mostSf = lesser(closableSf, market.maxLiquidatableDebtMarketValueAtOnce * FRACTION_ONE);
  return lesser(mostSf, debt.valueSf) * deposit.collateral >= 2n * deposit.valueSf;
}
