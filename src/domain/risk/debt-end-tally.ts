import { DAY_SECONDS } from '../dates.ts';
import type { LoanOutcome } from './loan-outcome.ts';

/** Days until the end that divide the distribution. A debt that has ended is below the first. */
export const END_BOUNDS_DAYS: readonly number[] = [0, 1, 7, 30, 90];

/** Debts and their value, USD in units of 2^-60. */
export interface EndingCount {
  debts: number;
  valueSf: bigint;
}

/** Debts with an end, by the days until then. */
export class DebtEndTally {
  /** Below the first bound, between each and the next, and from the last on. */
  readonly counts: readonly EndingCount[] = Array.from({ length: END_BOUNDS_DAYS.length + 1 }, () => ({
    debts: 0,
    valueSf: 0n,
  }));
  readonly #timestamp: bigint;

  /** @param timestamp now, Unix seconds */
  constructor(timestamp: bigint) {
    this.#timestamp = timestamp;
  }

  add(outcome: Pick<LoanOutcome, 'endingDebts'>): void {
    for (const { at, valueSf } of outcome.endingDebts()) {
      const count = this.counts[END_BOUNDS_DAYS.filter((days) => this.#isAfter(at, days)).length];
      if (count === undefined) continue;
      count.debts += 1;
      count.valueSf += valueSf;
    }
  }

  /** A debt ends at the very second of its end. */
  #isAfter(at: bigint, days: number): boolean {
    return at > this.#timestamp + BigInt(days) * DAY_SECONDS;
  }
}
