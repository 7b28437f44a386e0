import type { Reserve } from '@sluice/protocol/klend/reserve';
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
  /** Unix seconds; 0 when a program before klend 1.25 wrote it. */
  timestamp: bigint;
}

export function slotsElapsed({ slot }: LastUpdateState, clock: Clock): bigint {
  if (clock.slot < slot) throw customError(LENDING.mathOverflow);
  return clock.slot - slot;
}

/** Seconds since the refresh, never below 0. A refresh that left no time counts as one of this moment. */
export function secondsElapsed({ timestamp }: LastUpdateState, clock: Clock): bigint {
  return timestamp === 0n || clock.unixTimestamp < timestamp ? 0n : clock.unixTimestamp - timestamp;
}

/** Whether the account must be refreshed, in this slot and with a price that passes the given checks. */
export function isStale(update: LastUpdateState, clock: Clock, status: number): boolean {
  const passes = (update.priceStatus & status) === status;
  return update.stale || slotsElapsed(update, clock) >= 1n || !passes;
}

/** Null leaves the price status as it is. */
export function markRefreshed(update: LastUpdateState, clock: Clock, priceStatus: number | null): void {
  update.slot = clock.slot;
  update.timestamp = clock.unixTimestamp;
  update.stale = false;
  if (priceStatus !== null) update.priceStatus = priceStatus;
}

type StoredLastUpdate = Reserve['lastUpdate'];

export function loadLastUpdate({ slot, stale, priceStatus, timestamp }: StoredLastUpdate): LastUpdateState {
  return { slot, stale: stale !== 0, priceStatus, timestamp: BigInt(timestamp) };
}

export function lastUpdateFields({ slot, stale, priceStatus, timestamp }: LastUpdateState) {
  return { slot, stale: stale ? 1 : 0, priceStatus, timestamp: Number(timestamp) };
}
