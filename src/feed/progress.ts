import type { View } from '../chain/view/view.ts';
import type { ReadFrom } from '../chain/view/view-feed.ts';
import type { SharedMoment } from '../chain/view/view-update.ts';
import type { Progress } from './feed-channel.ts';

/** The highest slot at which a refresh read anything. Notifications may be ahead of its reads. */
export function highestSlotOf(
  { slot, slotMax }: SharedMoment,
  accounts: Iterable<{ readonly slot: bigint }>,
): bigint {
  let highest = maxOf(slot, slotMax);
  for (const account of accounts) highest = maxOf(highest, account.slot);
  return highest;
}

/** Where to continue reading: not before the Views served here or those of the last reader. */
export function readFrom(newest: View | undefined, highestSlot: bigint, progress: Progress | null): ReadFrom {
  const own = newest?.moment ?? { slot: 0n, timestamp: 0n };
  const later = progress !== null && progress.slot > own.slot ? progress : own;
  const { slot, timestamp } = later;
  return { slot, timestamp, highestSlot: maxOf(highestSlot, progress?.highestSlot ?? 0n) };
}

export const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
