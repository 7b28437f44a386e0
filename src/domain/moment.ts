import type { Rational } from '../numeric/rational.ts';

/** The one point in time at which everything in an answer is evaluated. */
export interface Moment {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Measured length of a recent slot in milliseconds; the lending curve is defined for slots of 500. */
  readonly slotDurationMs: Rational;
}

/** Seconds in the year of 365 days by which rates are quoted. */
export const SECONDS_PER_YEAR = 31_536_000n;
