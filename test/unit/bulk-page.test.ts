import { describe, expect, it } from 'vitest';
import { type BulkSource, bulkPage, connectionPage } from '../../src/services/history/bulk-page.ts';
import type { Platform } from '../../src/services/platform/platform.ts';
import type { KnownPart } from '../../src/services/platform/transaction-source.ts';
import type { Session } from '../../src/services/request/session.ts';
import type { EventKey, EventPage } from '../../src/store/transactions/event-order.ts';
import { named } from '../support/history/samples.ts';

/** Pages of many events, over a list in memory that is read from the chain step by step. */

const event = (slot: number, signature: string, index = 0): EventKey => ({
  slot: BigInt(slot),
  place: 0,
  signature,
  index,
});

const isBefore = (a: EventKey, b: EventKey) =>
  a.slot !== b.slot
    ? a.slot > b.slot
    : a.place !== b.place
      ? a.place > b.place
      : a.signature !== b.signature
        ? a.signature > b.signature
        : a.index > b.index;

/** `all` is newest first. */
const sourceOf = (all: readonly EventKey[]): BulkSource<EventKey> => ({
  fingerprint: 'list',
  address: named('market'),
  kind: 'market',
  read: async ({ after, limit }: EventPage) =>
    all.filter((each) => !after || isBefore(after, each)).slice(0, limit ?? undefined),
});

/** Reads back to the given slot; null when it reaches the first transaction. */
const platformAt = (backToSlot: bigint | null): Platform =>
  ({
    async ingest(_session: unknown, _address: unknown, _kind: unknown, enough: (k: KnownPart) => unknown) {
      await enough({ reachedStart: backToSlot === null, backToSlot });
      return { complete: backToSlot === null, unread: false, failure: null };
    },
  }) as unknown as Platform;

const session = {} as Session;

async function names(
  backToSlot: bigint | null,
  all: readonly EventKey[],
  limit: number,
  after?: string | null,
) {
  const page = await bulkPage(platformAt(backToSlot), session, sourceOf(all), { limit, after });
  return { ...page, names: page.events.map(({ signature, index }) => `${signature}${index}`) };
}

const LIST = [event(9, 'E'), event(7, 'D', 1), event(7, 'D', 0), event(5, 'C'), event(3, 'B'), event(1, 'A')];

describe('a page of many events', () => {
  it('does not divide a transaction, and continues where it ends', async () => {
    const first = await names(null, LIST, 2);
    expect([first.names, first.complete]).toEqual([['E0'], true]);
    const second = await names(null, LIST, 2, first.next);
    expect(second.names).toEqual(['D1', 'D0']);
    const third = await names(null, LIST, 4, second.next);
    expect([third.names, third.next]).toEqual([['C0', 'B0', 'A0'], null]);
  });

  it('divides a transaction that exceeds it', async () => {
    const first = await names(null, LIST.slice(1), 1);
    expect(first.names).toEqual(['D1']);
    expect((await names(null, LIST.slice(1), 1, first.next)).names).toEqual(['D0']);
  });

  it('ends before what may have gaps, and goes on there once it is read', async () => {
    const first = await names(5n, LIST, 10);
    expect([first.names, first.complete]).toEqual([['E0', 'D1', 'D0'], false]);
    // Nothing more is read yet: an empty page, not the end.
    const second = await names(5n, LIST, 10, first.next);
    expect([second.names, second.next]).toEqual([[], first.next]);
    // Meanwhile an event was found in a slot that was a gap.
    const filled = [...LIST.slice(0, 3), event(5, 'CC'), ...LIST.slice(3)];
    const third = await names(null, filled, 10, second.next);
    expect([third.names, third.next]).toEqual([['CC0', 'C0', 'B0', 'A0'], null]);
  });

  it('is a page of a connection, also when it is empty', async () => {
    const empty = connectionPage(await names(20n, LIST, 10), null);
    expect(empty).toMatchObject({ items: [], hasNextPage: true, hasPreviousPage: false, complete: false });
    expect(empty.ends?.endCursor).toEqual(expect.any(String));
    const whole = connectionPage(await names(null, LIST, 10), 'cursor');
    expect(whole).toMatchObject({ hasNextPage: false, hasPreviousPage: true, totalCount: null });
    expect(whole.ends?.endCursor).toBe(whole.items.at(-1)?.cursor);
  });
});
