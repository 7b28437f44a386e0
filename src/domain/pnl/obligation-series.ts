import type { LendingEvent } from '../transactions/events.ts';
import {
  type FoldedBorrow,
  type FoldedDeposit,
  ObligationFold,
  type ReserveQuotes,
} from './obligation-fold.ts';
import { liquidityValue, netValue } from './obligation-pnl.ts';
import type { Value } from './wallet-series.ts';

/** An obligation at a moment; values are null where a rate or price is unknown. */
export interface ObligationPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly deposits: readonly (FoldedDeposit & { readonly value: Value })[];
  readonly borrows: readonly (FoldedBorrow & { readonly value: Value })[];
  /** Deposits minus debts. */
  readonly net: Value;
}

/** The obligation at each of the given times (ascending), from its events in order. */
export function obligationSeries(
  events: readonly LendingEvent[],
  quotes: ReserveQuotes,
  times: readonly number[],
): ObligationPoint[] {
  const fold = new ObligationFold(quotes);
  let next = 0;
  return times.map((time) => {
    for (let event = events[next]; event !== undefined && event.time <= time; event = events[next]) {
      fold.apply(event);
      next += 1;
    }
    const state = fold.at(time);
    return {
      time,
      deposits: state.deposits.map((each) => ({
        ...each,
        value: liquidityValue(each.amount, quotes(each.reserve, time)),
      })),
      borrows: state.borrows.map((each) => ({
        ...each,
        value: liquidityValue(each.amount, quotes(each.reserve, time)),
      })),
      net: netValue(state, quotes, time),
    };
  });
}
