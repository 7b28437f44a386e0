import type { Address } from '@solana/kit';
import type { EventKey, EventPage } from '../../store/transactions/event-order.ts';
import type { Page } from '../paging/paging.ts';
import type { Platform } from '../platform/platform.ts';
import {
  ensureIngestedUntil,
  type IngestKind,
  isPageKnown,
  type KnownPart,
} from '../platform/transaction-source.ts';
import type { Session } from '../request/session.ts';
import { readEventCursor, writeEventCursor } from './transaction-cursor.ts';

/** The most events on a page. */
export const MAX_BULK_ROWS = 1_000;
/** A page is answered as soon as this many events are known: reading a whole page from the chain takes long. */
const ENOUGH_ROWS = 100;

/** Events of a whole market, or of all vaults, newest first. */
export interface BulkSource<E extends EventKey> {
  /** Identifies list and filter. */
  readonly fingerprint: string;
  /** What is ingested for it. */
  readonly address: Address;
  readonly kind: IngestKind;
  read(page: EventPage): Promise<readonly E[]>;
}

export interface BulkRequest {
  readonly limit: number;
  /** The token of the page before. */
  readonly after?: string | null | undefined;
}

export interface BulkPage<E> {
  readonly events: readonly E[];
  readonly cursorOf: (event: E) => string;
  /** Leads to the next page, which older transactions may still have to be read for; null on the last one. */
  readonly next: string | null;
  /** Whether everything since the first transaction was read from the chain. */
  readonly complete: boolean;
}

/**
 * A page that ends where the gapless part of the ingested transactions ends, so that nothing is missed; it may be empty and
 * still have a next one. Events of one transaction are on one page, unless they alone exceed it.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID
 */
export async function bulkPage<E extends EventKey>(
  platform: Platform,
  session: Session,
  { fingerprint, address, kind, read }: BulkSource<E>,
  { limit, after: token }: BulkRequest,
): Promise<BulkPage<E>> {
  const after = readEventCursor(token, fingerprint);
  const page = { order: 'newestFirst', after } as const;
  let part: KnownPart | undefined;
  const enough = Math.min(limit + 1, ENOUGH_ROWS);
  const { complete } = await ensureIngestedUntil(platform, session, address, kind, (known) => {
    part = known;
    return isPageKnown(known, enough, () => read({ ...page, limit: enough }));
  });
  const backToSlot = complete || part?.reachedStart === true ? null : (part?.backToSlot ?? null);
  const found = await read({ ...page, limit: limit + 1 });
  const known = backToSlot === null ? found : found.filter(({ slot }) => slot > backToSlot);
  const events = wholeTransactions(known, limit);
  const last = events.at(-1);
  return {
    events,
    cursorOf: (event) => writeEventCursor(event, fingerprint),
    next: nextOf(),
    complete,
  };

  function nextOf(): string | null {
    if (last !== undefined && known.length > events.length) return writeEventCursor(last, fingerprint);
    return backToSlot === null ? null : writeEventCursor(endOf(backToSlot), fingerprint);
  }
}

/** The place before all transactions up to a slot, in a list that is newest first. */
const endOf = (slot: bigint): EventKey => ({
  slot: slot + 1n,
  place: -999_999_999,
  signature: '1',
  index: 0,
});

/** At most `limit` events, without the first ones of a transaction whose others do not fit. */
function wholeTransactions<E extends EventKey>(events: readonly E[], limit: number): readonly E[] {
  const cut = events[limit];
  const shown = events.slice(0, limit);
  if (cut === undefined) return shown;
  const whole = shown.filter(({ signature }) => signature !== cut.signature);
  return whole.length === 0 ? shown : whole;
}

/** The same as a page of a connection. `after` is the cursor that it continues. */
export function connectionPage<E>(
  { events, cursorOf, next, complete }: BulkPage<E>,
  after: string | null | undefined,
): Page<E> & { readonly complete: boolean } {
  const items = events.map((item) => ({ cursor: cursorOf(item), item }));
  return {
    items,
    hasNextPage: next !== null,
    hasPreviousPage: (after ?? null) !== null,
    totalCount: null,
    ends: { startCursor: items[0]?.cursor ?? null, endCursor: next ?? items.at(-1)?.cursor ?? null },
    complete,
  };
}
