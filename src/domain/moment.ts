import type { Rational } from '../numeric/rational.ts';

/** The point in time at which every number of a response is evaluated. */
export interface Moment {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Measured length of a recent slot; the lending curve assumes slots of 500 ms. */
  readonly slotDurationMs: Rational;
}

/** Seconds in the 365-day year used to quote rates. */
export const SECONDS_PER_YEAR = 31_536_000n;
