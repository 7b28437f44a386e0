import type { Rational } from '@sluice/protocol/numeric/rational';

/** A slot and the time of its block. Neither can be derived from the other: the length of slots varies. */
export interface Instant {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** The point in time at which every number of a response is evaluated. */
export interface Moment extends Instant {
  /** Measured length of a recent slot, for the displayed rates of reserves that accrue per slot. */
  readonly slotDurationMs: Rational;
  /** Whether that length is an assumption because it has not been measured yet. */
  readonly slotDurationAssumed?: boolean | undefined;
}

/** Seconds in the 365-day year used to quote rates. */
export const SECONDS_PER_YEAR = 31_536_000n;
