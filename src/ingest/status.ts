import type { Address } from '@solana/kit';
import type { StoredCursor } from '../store/transactions/cursors.ts';

/** How much of the transactions of an address, or of several that belong together, the store has. */
export interface IngestStatus {
  /** Everything from the first transaction up to `syncedSlot` is in the store, and nothing is known to be missing. */
  readonly complete: boolean;
  /** Every list was read to its end. */
  readonly reachedStart: boolean;
  /** The node keeps no blocks before this slot, so that what lies before is unknown; null when it keeps all. */
  readonly availableFrom: bigint | null;
  /** Transactions that were listed and could not be had. They are asked for again. */
  readonly missing: number;
  /** What looked like an event and could not be read as one. */
  readonly problems: number;
  /** Newer transactions were read, with a hole below them that is still to be closed. */
  readonly gap: boolean;
  /** Everything final up to here was listed; null when nothing was read yet. */
  readonly syncedSlot: bigint | null;
  /** From `syncedSlot` to the newest slot that is known to be final; null when nothing was read yet. */
  readonly behindBySlots: bigint | null;
  /** Without a hole the store goes back to here; null when it goes back to the start, or nowhere. */
  readonly backToSlot: bigint | null;
  /** Transactions looked at so far. */
  readonly transactions: number;
  /** Reading goes on in the background. */
  readonly running: boolean;
  /** Code of the error that ended the last attempt; null when it went well. */
  readonly failure: string | null;
}

/** What this process knows about an address beside its cursor. */
export interface AddressNews {
  readonly syncedSlot: bigint | null;
  readonly running: boolean;
  readonly failure: string | null;
}

export const NO_NEWS: AddressNews = { syncedSlot: null, running: false, failure: null };

/** The status of addresses that are read together: as good as the poorest of them. */
export function statusOf(
  addresses: readonly Address[],
  cursors: ReadonlyMap<Address, StoredCursor>,
  newsOf: (address: Address) => AddressNews,
  finalizedSlot: bigint | null,
): IngestStatus {
  const each = addresses.map((address) => oneStatus(cursors.get(address), newsOf(address)));
  const sum = (pick: (status: OneStatus) => number) => each.reduce((total, one) => total + pick(one), 0);
  const synced = lowest(each.map(({ syncedSlot }) => syncedSlot));
  return {
    complete: each.every(({ complete }) => complete),
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

function oneStatus(cursor: StoredCursor | undefined, { running, failure, ...news }: AddressNews): OneStatus {
  const {
    reachedStart = false,
    availableFrom = null,
    missing = 0,
    problems = 0,
    transactions = 0,
  } = cursor ?? {};
  const gap = (cursor?.head ?? null) !== null;
  const oldest = gap ? cursor?.head?.oldest : cursor?.known?.oldest;
  return {
    complete: reachedStart && availableFrom === null && missing === 0 && !gap,
    reachedStart,
    availableFrom,
    missing,
    problems,
    gap,
    syncedSlot: highest([news.syncedSlot, cursor?.syncedSlot ?? null]),
    backToSlot: reachedStart && !gap ? null : (oldest?.slot ?? null),
    transactions,
    running,
    failure,
  };
}

const atLeastZero = (value: bigint) => (value < 0n ? 0n : value);

function highest(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((high, each) => (high === null || (each !== null && each > high) ? each : high), null);
}

/** Null when one of them is. */
function lowest(values: readonly (bigint | null)[]): bigint | null {
  const known = values.filter((each) => each !== null);
  if (known.length < values.length || known.length === 0) return null;
  return known.reduce((low, each) => (each < low ? each : low));
}
