import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { LENDING } from './lending-errors.ts';

/** The checks that a price passed, as bits of `priceStatus`. */
export const PRICE_STATUS = {
  none: 0,
  loaded: 1,
  age: 2,
  twap: 4,
  twapAge: 8,
  heuristic: 16,
  usageAllowed: 32,
  all: 63,
} as const;

/** When an account was refreshed. */
export interface LastUpdateState {
  slot: bigint;
  /** Set by every action until the next refresh. */
  stale: boolean;
  priceStatus: number;
}

export function slotsElapsed({ slot }: LastUpdateState, clock: Clock): bigint {
  if (clock.slot < slot) throw customError(LENDING.mathOverflow);
  return clock.slot - slot;
}

/** Whether the account must be refreshed, in this slot and with a price that passes the given checks. */
export function isStale(update: LastUpdateState, clock: Clock, status: number): boolean {
  const passes = (update.priceStatus & status) === status;
  return update.stale || slotsElapsed(update, clock) >= 1n || !passes;
}

/** Null leaves the price status as it is. */
export function markRefreshed(update: LastUpdateState, slot: bigint, priceStatus: number | null): void {
  update.slot = slot;
  update.stale = false;
  if (priceStatus !== null) update.priceStatus = priceStatus;
}
