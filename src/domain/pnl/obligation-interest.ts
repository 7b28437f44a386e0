import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { FoldedObligation } from './obligation-fold.ts';

/** The obligation as of one time, with the rates of another (unix seconds). */
export type StateAt = (stateTime: number, rateTime: number) => FoldedObligation;

/** Interest by reserve, in base units of its token. Null where a rate is unknown. */
export type InterestByReserve = ReadonlyMap<Address, Rational | null>;

export interface AccruedInterest {
  /** On deposits. */
  readonly earned: InterestByReserve;
  /** On debts. */
  readonly paid: InterestByReserve;
}

/**
 * The interest that accrued between the first and the last of the given times (ascending). They must include every event
 * in between: from one to the next, positions change by interest alone. Has an entry for each reserve with a position.
 */
export function accruedInterest(stateAt: StateAt, times: readonly number[]): AccruedInterest {
  const earned = new Map<Address, Rational | null>();
  const paid = new Map<Address, Rational | null>();
  for (const [i, from] of times.slice(0, -1).entries()) {
    const until = times[i + 1] ?? from;
    const [before, after] = [stateAt(from, from), stateAt(from, until)];
    addGrowth(earned, before.deposits, after.deposits);
    addGrowth(paid, before.borrows, after.borrows);
  }
  return { earned, paid };
}

interface Position {
  readonly reserve: Address;
  readonly amount: Rational | null;
}

function addGrowth(
  totals: Map<Address, Rational | null>,
  before: readonly Position[],
  after: readonly Position[],
): void {
  const grown = new Map(after.map(({ reserve, amount }) => [reserve, amount]));
  for (const { reserve, amount } of before) {
    const later = grown.get(reserve) ?? null;
    const total = totals.get(reserve);
    const isKnown = amount !== null && later !== null && total !== null;
    totals.set(reserve, isKnown ? (total ?? ZERO).add(later.sub(amount)) : null);
  }
}
