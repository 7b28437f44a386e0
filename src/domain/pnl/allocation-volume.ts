import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { VaultEvent } from '@sluice/protocol/transactions/events';
import { valueUsd } from '../arithmetic.ts';

export interface DayVolume {
  /** Unix seconds of the UTC midnight at which the day starts. */
  readonly day: number;
  /** Null when a price of the day is unknown. */
  readonly volumeUsd: Rational | null;
}

const DAY = 86_400;

/**
 * Allocation volume by UTC day: tokens moved between a vault and its reserves, in either direction, at the price of the
 * moment. Includes every invest and the part of a withdrawal that came from a reserve; a deposit stays idle in the vault
 * until it is invested. Every day that overlaps the range (unix seconds, end exclusive) has a row.
 * Yields before each event.
 */
export function* allocationVolume(
  events: readonly VaultEvent[],
  decimals: number,
  tokenUsd: (time: number) => Rational | null,
  range: { readonly start: number; readonly end: number },
): Generator<void, DayVolume[]> {
  const days = new Map<number, Rational | null>();
  for (let day = startOfDay(range.start); day < range.end; day += DAY) days.set(day, ZERO);
  for (const { time, reserveTokens } of events) {
    if (time < range.start || time >= range.end || reserveTokens === 0n) continue;
    yield;
    const day = startOfDay(time);
    const price = tokenUsd(time);
    const volume = days.get(day) ?? null;
    const moved = Rational.of(reserveTokens).abs();
    days.set(day, price === null || volume === null ? null : volume.add(valueUsd(moved, decimals, price)));
  }
  return [...days].map(([day, volumeUsd]) => ({ day, volumeUsd }));
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY;
}
