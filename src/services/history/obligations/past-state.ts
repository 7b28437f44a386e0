import type { LendingEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import {
  type FoldedObligation,
  ObligationFold,
  type ObligationState,
  obligationAt,
  type ReserveQuotes,
} from '../../../domain/pnl/obligation-fold.ts';
import { lastIndexAt } from '../../../domain/pnl/series.ts';
import type { Moment } from '../moments.ts';
import type { RateLookup } from '../rate-lookup.ts';
import { type MomentRates, ObligationRewind } from './rewind.ts';
import type { ObligationTimeline } from './timeline.ts';

/** Past states of an obligation. */
export interface PastStates {
  at(time: number, rates: MomentRates): FoldedObligation;
  /** False when events are missing. */
  readonly complete: boolean;
}

/**
 * Folds the events once; any number of moments can then be looked up. Yields before each event.
 *
 * @param rates of the debts at the times of their events.
 */
export function* pastStates(
  { events, record, complete }: ObligationTimeline,
  rates: RateLookup,
): Generator<void, PastStates> {
  const rewind = yield* ObligationRewind.of(events, record, rates);
  const fold = new ObligationFold(quotesOf(rates));
  const states: StateSince[] = [];
  for (const event of complete ? events : []) {
    yield;
    fold.apply(event);
    states.push({ time: event.time, state: fold.state() });
  }
  // Events are missing, so only the current account is a reliable start.
  if (!complete || !fold.complete) return { at: (time, at) => rewind.at(time, at), complete: false };
  return { at: (time, at) => foldedAt(states, rewind, time, at), complete: true };
}

/** The state after an event. */
interface StateSince {
  /** Unix seconds of the event. */
  readonly time: number;
  readonly state: ObligationState;
}

function foldedAt(
  states: readonly StateSince[],
  rewind: ObligationRewind,
  time: number,
  rates: MomentRates,
): FoldedObligation {
  const state = states[lastIndexAt(states, time)]?.state;
  if (state === undefined) return { deposits: [], borrows: [] };
  const { deposits, borrows } = obligationAt(state, (reserve) => momentQuote(rates, reserve), time);
  return {
    deposits,
    borrows: borrows.flatMap(({ reserve, amount }) => {
      const owed = amount ?? rewind.debt(reserve, time, rates.cumulativeBorrowRate(reserve));
      return owed?.isZero ? [] : [{ reserve, amount: owed }];
    }),
  };
}

/** Whether the events never remove more than they added. Yields before each. */
export function* isConsistent(events: readonly LendingEvent[], rates: RateLookup): Generator<void, boolean> {
  const fold = new ObligationFold(quotesOf(rates));
  for (const event of events) {
    yield;
    fold.apply(event);
  }
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

/** The moments of the rates that folding the events' debts needs. */
export const debtMoments = (events: readonly LendingEvent[]): Moment[] =>
  events.flatMap(({ side, reserve, time }) => (side === 'debt' ? [{ address: reserve, time }] : []));
