import type { Kind } from '../chain/view/kinds.ts';
import type { View } from '../chain/view/view.ts';
import type { ViewUpdate } from '../chain/view/view-update.ts';
import { highestSlotOf, maxOf } from './progress.ts';
import type { ViewMessage } from './view-message.ts';

/** Clocks of gateways may differ by this much. */
const CLOCK_SKEW_MS = 30_000;
/** A newcomer does not start from an older View: it may be a replayed one. */
const STALE_MS = 600_000;
/** A snapshot is replaced at least as often as this many Views. */
const SNAPSHOT_VIEWS = 64;

/** Kinds whose accounts do not vanish in numbers. The others follow from them. */
const LASTING: readonly Kind[] = ['market', 'reserve', 'vault'];

/** Whether a View claims to be built later than now, by the clock of this machine. */
export const isFromFuture = ({ moment }: ViewMessage, nowMs: number): boolean =>
  moment.builtAtMs > nowMs + CLOCK_SKEW_MS;

export const isStale = ({ moment, intervalMs }: ViewMessage, nowMs: number): boolean =>
  nowMs - moment.builtAtMs > STALE_MS + SNAPSHOT_VIEWS * intervalMs;

/** The highest slot that a message claims anything for. */
export const highestClaimIn = ({ moment, highestSlot }: ViewMessage, { accounts }: ViewUpdate): bigint =>
  [moment.slotMin, moment.slotWhole, highestSlot].reduce(maxOf, highestSlotOf(moment, accounts));

/** Whether most markets, reserves or vaults of the newest View would be gone. */
export function losesMost(newest: View | undefined, update: ViewUpdate): boolean {
  return newest !== undefined && LASTING.some((kind) => losesMostOf(kind, newest, update));
}

function losesMostOf(kind: Kind, newest: View, { whole, accounts, failed, removed }: ViewUpdate): boolean {
  const before = newest.all(kind);
  const named = new Set(
    (whole ? accounts : [...failed, ...removed])
      .filter((each) => each.kind === kind)
      .map((each) => each.address),
  );
  let gone = 0;
  for (const address of before.keys()) if (named.has(address) !== whole) gone += 1;
  return gone * 2 > before.size;
}
