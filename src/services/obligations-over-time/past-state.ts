import type { Address } from '@solana/kit';
import {
  type FoldedObligation,
  ObligationFold,
  type ReserveQuotes,
} from '../../domain/pnl/obligation-fold.ts';
import type { LendingEvent } from '../../domain/transactions/events.ts';
import type { RateLookup } from '../history/rate-lookup.ts';
import { AnchoredPast, type MomentRates } from './anchored-past.ts';
import type { ObligationLife } from './life.ts';

/** An obligation at moments of its past that are asked for in ascending order. */
export interface PastStates {
  at(time: number, rates: MomentRates): FoldedObligation;
  /** False when a part of what happened to it is missing. */
  readonly complete: boolean;
}

/** @param rates of its debts at the times of their events. */
export function pastStates({ events, record, complete }: ObligationLife, rates: RateLookup): PastStates {
  const anchored = new AnchoredPast(events, record, rates);
  // More left than was seen to come: something is missing, and only the present can be trusted.
  if (!complete || !addsUp(events, rates))
    return { at: (time, at) => anchored.at(time, at), complete: false };
  return new FoldedPast(events, rates, anchored);
}

class FoldedPast implements PastStates {
  readonly complete = true;
  readonly #events: readonly LendingEvent[];
  readonly #anchored: AnchoredPast;
  readonly #fold: ObligationFold;
  #next = 0;
  #moment: { readonly time: number; readonly rates: MomentRates } | null = null;

  constructor(events: readonly LendingEvent[], rates: RateLookup, anchored: AnchoredPast) {
    this.#events = events;
    this.#anchored = anchored;
    const recorded = quotesOf(rates);
    this.#fold = new ObligationFold((reserve, time) =>
      this.#moment?.time === time ? momentQuote(this.#moment.rates, reserve) : recorded(reserve, time),
    );
  }

  at(time: number, rates: MomentRates): FoldedObligation {
    this.#moment = null;
    for (;;) {
      const event = this.#events[this.#next];
      if (event === undefined || event.time > time) break;
      this.#fold.apply(event);
      this.#next += 1;
    }
    this.#moment = { time, rates };
    const { deposits, borrows } = this.#fold.at(time);
    return {
      deposits,
      borrows: borrows.flatMap(({ reserve, amount }) => {
        const owed = amount ?? this.#anchored.debt(reserve, time, rates.cumulativeBorrowRate(reserve));
        return owed?.isZero ? [] : [{ reserve, amount: owed }];
      }),
    };
  }
}

/** Whether nothing left the obligation that was not seen to come. */
export function addsUp(events: readonly LendingEvent[], rates: RateLookup): boolean {
  const fold = new ObligationFold(quotesOf(rates));
  for (const event of events) fold.apply(event);
  return fold.complete;
}

const UNPRICED = { decimals: 0, priceUsd: null, priceSol: null };

/** Enough to fold debts with: what they are worth is told by the points of a series. */
function quotesOf(rates: RateLookup): ReserveQuotes {
  return (reserve, time) => {
    const rate = rates.cumulativeBorrowRate(reserve, time);
    return {
      ...UNPRICED,
      liquidityPerCollateral: null,
      cumulativeBorrowRate: rate?.value ?? null,
      ...(rate === null ? {} : { borrowRateSlack: rate.slack }),
    };
  };
}

function momentQuote(rates: MomentRates, reserve: Address) {
  return {
    ...UNPRICED,
    liquidityPerCollateral: rates.liquidityPerCollateral(reserve),
    cumulativeBorrowRate: rates.cumulativeBorrowRate(reserve),
  };
}

/** The rates that folding the debts of some events needs: whose, and at which times. */
export function debtMoments(events: readonly LendingEvent[]): {
  readonly reserves: readonly Address[];
  readonly times: readonly number[];
} {
  const debts = events.filter(({ side }) => side === 'debt');
  return {
    reserves: [...new Set(debts.map(({ reserve }) => reserve))],
    times: debts.map(({ time }) => time),
  };
}
