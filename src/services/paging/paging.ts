import { createHash } from 'node:crypto';
import { Rational } from '@sluice/protocol/numeric/rational';
import { LRUCache } from 'lru-cache';
import type { View } from '../../chain/view/view.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { viewCache } from '../request/per-view.ts';
import type { Session } from '../request/session.ts';
import { cursorWriter, isListed, type Place, readListCursor, sidesOf } from './list-cursor.ts';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** One page of a list, in the order of the list. */
export interface Page<T> {
  readonly items: readonly { readonly cursor: string; readonly item: T }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Null where counting would need a scan. */
  readonly totalCount: number | null;
  /** For lists from a recorded index: when it was built; null when it was never built. */
  readonly indexedAt?: Date | null;
  /** Set where `items` leaves out some that cannot be read, so that paging continues after them. */
  readonly ends?: PageEnds;
}

/** Cursors of the first and the last item; null on an empty page. */
export interface PageEnds {
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export function pageEnds({ items }: Pick<Page<unknown>, 'items'>): PageEnds {
  return { startCursor: items[0]?.cursor ?? null, endCursor: items.at(-1)?.cursor ?? null };
}

/** A list with a fixed order within a View. `key` identifies the list, filter and order. */
export interface ListQuery<T extends { readonly address: string }> {
  readonly key: readonly unknown[];
  readonly list: (view: View) => readonly T[];
}

/** Whether a page is counted from the end: `last` without `first`. */
export function isBackwards({ first, last }: PageRequest): boolean {
  return (first ?? null) === null && (last ?? null) !== null;
}

/** The page size: `first` or `last`, at most 100; 20 by default. */
export function pageSize({ first, last }: PageRequest): number {
  const [what, size] = first === null || first === undefined ? ['last', last] : ['first', first];
  if (size === null || size === undefined) return DEFAULT_PAGE_SIZE;
  if (size < 0 || size > MAX_PAGE_SIZE) {
    const context = { what: String(what), value: String(size), min: '0', max: String(MAX_PAGE_SIZE) };
    throw new SluiceError('NUMBER_OUT_OF_RANGE', context);
  }
  return size;
}

/**
 * A page of a list. Later pages use the order of the View of the first one while it is retained, otherwise that of the
 * request's View without the items that the cursor knows to be returned already. Either way no item is repeated, and
 * none is missed that was in the list all along. The items themselves come from the request's View, like all numbers of
 * a response.
 */
export function paginate<T extends { readonly address: string }>(
  session: Session,
  { key, list }: ListQuery<T>,
  request: PageRequest,
): Page<T> {
  const listKey = textOf(key);
  const cursors = readCursors(request, hashed(listKey));
  const { place } = cursors.continued ?? {};
  const view = (place && session.retainedView(place.view)) ?? session.view;
  for (const each of [cursors.after, cursors.before]) {
    if (each !== undefined && !isListed(each) && each.view !== view.moment.id) {
      throw new SluiceError('VIEW_GONE', { view: each.view, newest: session.view.moment.id });
    }
  }
  const present =
    view === session.view
      ? new Map<string, T>()
      : new Map(cachedList(session.view, listKey, list).map((item) => [item.address, item]));
  const ordered: OrderedList<T> = {
    items: cachedList(view, listKey, list),
    idOf: ({ address }) => address,
    view: view.moment.id,
    shown: (item) => present.get(item.address) ?? item,
  };
  return pageOf(ordered, cursors, request);
}

/**
 * Id of the View in which a list began that a cursor continues; undefined without a cursor.
 *
 * @throws CURSOR_INVALID
 */
export function continuedView(
  { key }: ListQuery<{ readonly address: string }>,
  cursor: string | undefined,
): string | undefined {
  return readListCursor(cursor, fingerprintOf(key))?.view;
}

/** A list that is read again for each request. */
export interface LiveList<T> {
  readonly key: readonly unknown[];
  readonly read: () => Promise<readonly T[]>;
  readonly idOf: (item: T) => string;
}

/** A page of a live list, under the same guarantee as `paginate`. An invalid request is rejected before the list is read. */
export async function paginateLive<T>(
  { key, read, idOf }: LiveList<T>,
  request: PageRequest,
): Promise<Page<T>> {
  const cursors = readCursors(request, fingerprintOf(key));
  pageSize(request);
  const ordered = { items: await read(), idOf, view: LIVE, shown: (item: T) => item };
  return pageOf(ordered, cursors, request);
}

/** In place of the id of a View. */
const LIVE = '';

interface Cursors {
  readonly fingerprint: string;
  readonly after: Place | undefined;
  readonly before: Place | undefined;
  /** The place at which the list is continued, in the direction of the request. */
  readonly continued: { readonly place: Place; readonly returned: 'before' | 'after' } | undefined;
}

function readCursors(request: PageRequest, fingerprint: string): Cursors {
  const after = readListCursor(request.after, fingerprint);
  const before = readListCursor(request.before, fingerprint);
  const starts = [
    { place: after, returned: 'before' as const },
    { place: before, returned: 'after' as const },
  ];
  if (isBackwards(request)) starts.reverse();
  const [continued] = starts.flatMap(({ place, returned }) => (place ? [{ place, returned }] : []));
  return { fingerprint, after, before, continued };
}

interface OrderedList<T> {
  readonly items: readonly T[];
  readonly idOf: (item: T) => string;
  /** Id of the View whose order it has. */
  readonly view: string;
  /** The item as the response shows it. */
  readonly shown: (item: T) => T;
}

/** A page of the items between two places, in the order of the list. */
function pageOf<T>(
  { items, idOf, view, shown }: OrderedList<T>,
  { fingerprint, after, before, continued }: Cursors,
  request: PageRequest,
): Page<T> {
  const { all, low, high } = divided(items, idOf, after, before);
  const { start, end } = bounds(low, high, request);
  let write: ((index: number) => string) | undefined;
  return {
    items: all.slice(start, end).map((item, i) => ({
      item: shown(item),
      // Most requests select the cursor of the last item only.
      get cursor() {
        write ??= cursorWriter(all.map(idOf), { view, fingerprint, continued });
        return write(start + i);
      },
    })),
    hasNextPage: end < all.length,
    hasPreviousPage: start > 0,
    totalCount: all.length,
  };
}

/** The items at and before one place, between both, and at and after the other; `low` and `high` are where the second part is. */
function divided<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  after: Place | undefined,
  before: Place | undefined,
): { readonly all: readonly T[]; readonly low: number; readonly high: number } {
  if (after === undefined && before === undefined) return { all: items, low: 0, high: items.length };
  const ids = items.map(idOf);
  const sideOfAfter = after && sidesOf(after, ids);
  const sideOfBefore = before && sidesOf(before, ids);
  const parts: [T[], T[], T[]] = [[], [], []];
  for (const [i, item] of items.entries()) {
    if (sideOfAfter !== undefined && sideOfAfter(i) !== 'after') parts[0].push(item);
    else if (sideOfBefore !== undefined && sideOfBefore(i) !== 'before') parts[2].push(item);
    else parts[1].push(item);
  }
  const low = parts[0].length;
  return { all: parts.flat(), low, high: low + parts[1].length };
}

/** The start and end of a page of the items from `low` up to `high`. */
function bounds(low: number, high: number, request: PageRequest) {
  const size = pageSize(request);
  return isBackwards(request)
    ? { start: Math.max(low, high - size), end: high }
    : { start: low, end: Math.min(high, low + size) };
}

/** A short hash of list, filter and order, to reject cursors of other lists. */
export function fingerprintOf(key: readonly unknown[]): string {
  return hashed(textOf(key));
}

function textOf(key: readonly unknown[]): string {
  return JSON.stringify(key, plain);
}

/** Cached, because hashing costs more than the rest of a page. */
const fingerprints = new LRUCache<string, string>({ max: 1_000 });

function hashed(listKey: string): string {
  const cached = fingerprints.get(listKey);
  if (cached !== undefined) return cached;
  const hash = createHash('sha256').update(listKey).digest('base64url').slice(0, 8);
  if (listKey.length <= MAX_CACHED_KEY_LENGTH) fingerprints.set(listKey, hash);
  return hash;
}

/** Longer keys list individual addresses and rarely repeat. */
const MAX_CACHED_KEY_LENGTH = 500;
/** Bounded, because callers can send any number of filters. */
const CACHED_LISTS_PER_VIEW = 500;
const listsOfViews = viewCache<LRUCache<string, readonly unknown[]>>();

/** The sorted list, cached per View for its other pages and for other requests. */
function cachedList<T>(view: View, listKey: string, list: (view: View) => readonly T[]): readonly T[] {
  if (listKey.length > MAX_CACHED_KEY_LENGTH) return list(view);
  let lists = listsOfViews.get(view);
  if (lists === undefined) {
    lists = new LRUCache({ max: CACHED_LISTS_PER_VIEW });
    listsOfViews.set(view, lists);
  }
  const cached = lists.get(listKey) as readonly T[] | undefined;
  if (cached !== undefined) return cached;
  const sorted = list(view);
  lists.set(listKey, sorted);
  return sorted;
}

/** JSON replacer for the values of a filter. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Rational)) return value;
  // Not `toDecimalString`: filters that differ beyond its 34 digits are different filters.
  const { n, d } = value.reduced();
  return `${n}/${d}`;
}
