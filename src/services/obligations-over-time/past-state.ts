import type { Address } from '@solana/kit';
import {
  type FoldedObligation,
  ObligationFold,
  type ReserveQuotes,
} from '../../domain/pnl/obligation-fold.ts';
import type { LendingEvent } from '../../domain/transactions/events.ts';
import type { RateLookup } from '../history/rate-lookup.ts';
import { type MomentRates, ObligationRewind } from './obligation-rewind.ts';
import type { ObligationTimeline } from './obligation-timeline.ts';

/** Past states of an obligation. Call `at` with ascending times. */
export interface PastStates {
  at(time: number, rates: MomentRates): FoldedObligation;
  /** False when events are missing. */
  readonly complete: boolean;
}

/** @param rates of the debts at the times of their events. */
export function pastStates({ events, record, complete }: ObligationTimeline, rates: RateLookup): PastStates {
  const rewind = new ObligationRewind(events, record, rates);
  // Events are missing, so only the current account is a reliable start.
  if (!complete || !isConsistent(events, rates))
    return { at: (time, at) => rewind.at(time, at), complete: false };
  return new FoldedPast(events, rates, rewind);
}

class FoldedPast implements PastStates {
  readonly complete = true;
  readonly #events: readonly LendingEvent[];
  readonly #rewind: ObligationRewind;
  readonly #fold: ObligationFold;
  #next = 0;
  #moment: { readonly time: number; readonly rates: MomentRates } | null = null;

  constructor(events: readonly LendingEvent[], rates: RateLookup, rewind: ObligationRewind) {
    this.#events = events;
    this.#rewind = rewind;
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
        const owed = amount ?? this.#rewind.debt(reserve, time, rates.cumulativeBorrowRate(reserve));
        return owed?.isZero ? [] : [{ reserve, amount: owed }];
      }),
    };
  }
}

/** Whether the events never remove more than they added. */
export function isConsistent(events: readonly LendingEvent[], rates: RateLookup): boolean {
  const fold = new ObligationFold(quotesOf(rates));
  for (const event of events) fold.apply(event);
  return fold.complete;
}

const UNPRICED = { decimals: 0, priceUsd: null, priceSol: null };

/** Rates for folding debts; prices are not needed, because the points of the series value the result. */
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

/** The reserves and times of the rates that folding the events' debts needs. */
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
