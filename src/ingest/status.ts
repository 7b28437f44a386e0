import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import type { IngestCursor, StoredCursor } from '../store/transactions/cursors.ts';

/** Extent to which the store has the transactions of an address, or of several related ones. */
export interface IngestStatus {
  /**
   * Everything from the first transaction until about now is stored, and nothing is known to be missing. False when
   * the newest transactions could not be read for the last request.
   */
  readonly complete: boolean;
  /** Nothing is known yet: no list was read, not even its newest end. */
  readonly unread: boolean;
  /** Every list was read to its end. */
  readonly reachedStart: boolean;
  /**
   * The node has pruned blocks before this slot, so earlier transactions are unknown; null when it has all
   * blocks.
   */
  readonly availableFrom: bigint | null;
  /** Transactions that were listed but could not be read. They are retried. */
  readonly missing: number;
  /** Instructions that looked like an event but could not be decoded. */
  readonly problems: number;
  /** Newer transactions were read, with a gap below them that is still to be closed. */
  readonly gap: boolean;
  /** All final transactions up to this slot are listed; null when nothing was read yet. */
  readonly syncedSlot: bigint | null;
  /** Slots from `syncedSlot` to the newest known final slot; null when nothing was read yet. */
  readonly behindBySlots: bigint | null;
  /** The store is contiguous back to this slot; null when it goes back to the start, or nothing was read. */
  readonly backToSlot: bigint | null;
  /** Transactions processed so far. */
  readonly transactions: number;
  /** Reading continues in the background. */
  readonly running: boolean;
  /** Code of the error that ended the last attempt; null when it succeeded. */
  readonly failure: string | null;
}

/** Progress of this process on an address, in addition to its cursor. */
export interface AddressProgress {
  readonly syncedSlot: bigint | null;
  readonly running: boolean;
  readonly failure: string | null;
  /** The newest transactions were read by the last attempt. */
  readonly isCurrent: boolean;
  /** The cursor of an address without transactions, of which nothing is stored. */
  readonly unstored: IngestCursor | null;
}

export const NO_PROGRESS: AddressProgress = {
  syncedSlot: null,
  running: false,
  failure: null,
  isCurrent: true,
  unstored: null,
};

/** The combined status of related addresses: the worst of each. */
export function statusOf(
  addresses: readonly Address[],
  cursors: ReadonlyMap<Address, StoredCursor>,
  progressOf: (address: Address) => AddressProgress,
  finalizedSlot: bigint | null,
): IngestStatus {
  const each = addresses.map((address) => oneStatus(cursors.get(address), progressOf(address)));
  const sum = (pick: (status: OneStatus) => number) => each.reduce((total, one) => total + pick(one), 0);
  const synced = lowest(each.map(({ syncedSlot }) => syncedSlot));
  return {
    complete: each.every(({ complete }) => complete),
    unread: each.every(({ unread }) => unread),
    reachedStart: each.every(({ reachedStart }) => reachedStart),
    availableFrom: highest(each.map(({ availableFrom }) => availableFrom)),
    missing: sum(({ missing }) => missing),
    problems: sum(({ problems }) => problems),
    gap: each.some(({ gap }) => gap),
    syncedSlot: synced,
    behindBySlots: synced === null ? null : finalizedSlot === null ? 0n : atLeastZero(finalizedSlot - synced),
    backToSlot: highest(each.map(({ backToSlot }) => backToSlot)),
    transactions: sum(({ transactions }) => transactions),
    running: each.some(({ running }) => running),
    failure: each.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

type OneStatus = Omit<IngestStatus, 'behindBySlots'>;

function oneStatus(
  stored: StoredCursor | undefined,
  { running, failure, syncedSlot: synced, isCurrent, unstored }: AddressProgress,
): OneStatus {
  const cursor = stored ?? (unstored === null ? undefined : { ...unstored, missing: 0 });
  const {
    reachedStart = false,
    availableFrom = null,
    missing = 0,
    problems = 0,
    transactions = 0,
  } = cursor ?? {};
  const syncedSlot = highest([synced, cursor?.syncedSlot ?? null]);
  const gap = (cursor?.head ?? null) !== null;
  const oldest = gap ? cursor?.head?.oldest : cursor?.known?.oldest;
  return {
    complete: isCurrent && reachedStart && availableFrom === null && missing === 0 && !gap,
    unread: syncedSlot === null,
    reachedStart,
    availableFrom,
    missing,
    problems,
    gap,
    syncedSlot,
    backToSlot: reachedStart && !gap ? null : (oldest?.slot ?? null),
    transactions,
    running,
    failure,
  };
}

function highest(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((high, each) => (high === null || (each !== null && each > high) ? each : high), null);
}

/** Null when any of them is null. */
function lowest(values: readonly (bigint | null)[]): bigint | null {
  const known = values.filter((each) => each !== null);
  if (known.length < values.length || known.length === 0) return null;
  return known.reduce((low, each) => (each < low ? each : low));
}
