import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { LendingEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';

const TWO = integer(2n);

/** Rates and prices of a reserve at a moment; null where unknown. */
export interface ReserveQuote {
  readonly decimals: number;
  /** Liquidity per collateral token. */
  readonly liquidityPerCollateral: Rational | null;
  readonly cumulativeBorrowRate: Rational | null;
  /** Maximum relative error of the borrow rate; omitted when it is exact. */
  readonly borrowRateSlack?: Rational;
  readonly priceUsd: Rational | null;
  /** From USD prices, or from the stake rate of a liquid-staking token; see `priceInSol`. */
  readonly priceSol: Rational | null;
}

/** Looks up a reserve at a unix time (seconds). */
export type ReserveQuotes = (reserve: Address, time: number) => ReserveQuote;

export interface FoldedDeposit {
  readonly reserve: Address;
  /** Collateral tokens, base units. */
  readonly collateral: bigint;
  /** Liquidity, base units; null when the exchange rate is unknown. */
  readonly amount: Rational | null;
}

export interface FoldedBorrow {
  readonly reserve: Address;
  /** With interest, base units; null when a required borrow rate is unknown. */
  readonly amount: Rational | null;
}

export interface FoldedObligation {
  readonly deposits: readonly FoldedDeposit[];
  readonly borrows: readonly FoldedBorrow[];
}

/** Positions without a moment: collateral tokens, and debts divided by the cumulative borrow rate. */
export interface ObligationState {
  readonly collateral: ReadonlyMap<Address, bigint>;
  /** Null once a required rate was unknown. */
  readonly scaledDebt: ReadonlyMap<Address, Rational | null>;
}

/** A state with the interest up to a unix time (seconds). */
export function obligationAt(
  { collateral, scaledDebt }: ObligationState,
  quotes: ReserveQuotes,
  time: number,
): FoldedObligation {
  return {
    deposits: [...collateral].map(([reserve, tokens]) => {
      const rate = quotes(reserve, time).liquidityPerCollateral;
      return { reserve, collateral: tokens, amount: rate === null ? null : rate.mul(Rational.of(tokens)) };
    }),
    borrows: [...scaledDebt].map(([reserve, scaled]) => {
      const rate = quotes(reserve, time).cumulativeBorrowRate;
      return { reserve, amount: scaled === null || rate === null ? null : scaled.mul(rate) };
    }),
  };
}

/**
 * Folds events into the state of an obligation: collateral tokens by reserve, and debts divided by the cumulative borrow
 * rate, a quotient that interest does not change. Exact. The program rounds a debt down to 2^-60 base units at each
 * refresh, so a folded debt is never below the account's and exceeds it by less than one such step per refresh.
 */
export class ObligationFold {
  readonly #quotes: ReserveQuotes;
  readonly #collateral = new Map<Address, bigint>();
  readonly #scaledDebt = new Map<Address, Rational | null>();
  /** The largest rate error among the changes of a debt since it was opened. */
  readonly #slack = new Map<Address, Rational>();
  #complete = true;

  constructor(quotes: ReserveQuotes) {
    this.#quotes = quotes;
  }

  /** False once the events remove more than they added. */
  get complete(): boolean {
    return this.#complete;
  }

  get isEmpty(): boolean {
    return this.#collateral.size === 0 && this.#scaledDebt.size === 0;
  }

  apply(event: LendingEvent): void {
    if (event.side === 'collateral') this.#changeCollateral(event);
    else this.#changeDebt(event);
    // The program allows no debt without collateral, so a debt of unknown size must have been repaid.
    if (this.#collateral.size > 0) return;
    for (const [reserve, debt] of this.#scaledDebt) if (debt === null) this.#scaledDebt.delete(reserve);
  }

  /** The state now, which later events do not change. */
  state(): ObligationState {
    return { collateral: new Map(this.#collateral), scaledDebt: new Map(this.#scaledDebt) };
  }

  at(time: number): FoldedObligation {
    return obligationAt({ collateral: this.#collateral, scaledDebt: this.#scaledDebt }, this.#quotes, time);
  }

  #changeCollateral({ kind, reserve, collateral }: LendingEvent): void {
    const before = this.#collateral.get(reserve) ?? 0n;
    const after = kind === 'deposit' ? before + collateral : before - collateral;
    if (after < 0n) this.#complete = false;
    if (after <= 0n) this.#collateral.delete(reserve);
    else this.#collateral.set(reserve, after);
  }

  #changeDebt({ kind, reserve, time, liquidity, fee }: LendingEvent): void {
    const { cumulativeBorrowRate: rate, borrowRateSlack = ZERO } = this.#quotes(reserve, time);
    const before = this.#scaledDebt.get(reserve) ?? (this.#scaledDebt.has(reserve) ? null : ZERO);
    if (rate === null || before === null) {
      this.#scaledDebt.set(reserve, null);
      return;
    }
    const amount = Rational.of(liquidity ?? 0n);
    const change = kind === 'borrow' ? amount.add(Rational.of(fee)) : amount.neg();
    const after = before.add(change.div(rate)).reduced();
    const left = after.mul(rate);
    const slack = (this.#slack.get(reserve) ?? ZERO).max(borrowRateSlack);
    this.#slack.set(reserve, slack);
    // A full repayment pays the debt rounded up, so a remainder below one base unit (or an overpayment) means repaid.
    // Inexact rates widen the margin twice: at the start and at the end of the debt's growth.
    const margin = ONE.add(amount.mul(slack).mul(TWO));
    if (left.compare(margin.neg()) <= 0) this.#complete = false;
    if (kind !== 'borrow' && left.compare(margin) < 0) {
      this.#scaledDebt.delete(reserve);
      this.#slack.delete(reserve);
    } else this.#scaledDebt.set(reserve, after);
  }
}
