import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { View } from '../chain/view.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { toDecimalString } from '../numeric/decimal.ts';
import { Rational } from '../numeric/rational.ts';
import { viewCache } from './per-view.ts';
import type { Session } from './records.ts';

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
 * A page of a list. A cursor names the View of the first page, and later pages use the order of that View, so no item is
 * repeated or missed while the chain moves. Throws VIEW_GONE when that View is no longer retained. The items themselves
 * come from the request's View, like all numbers of a response.
 */
export function paginate<T extends { readonly address: string }>(
  session: Session,
  { key, list }: ListQuery<T>,
  request: PageRequest,
): Page<T> {
  const listKey = textOf(key);
  const fingerprint = hashed(listKey);
  const after = readCursor(request.after, fingerprint);
  const before = readCursor(request.before, fingerprint);
  if (after !== undefined && before !== undefined && after.view !== before.view) {
    throw new SluiceError('CURSOR_INVALID', { cursor: String(request.before).slice(0, 80) });
  }
  const number = after?.view ?? before?.view ?? session.view.moment.number;
  const all = cachedList(session.viewNumbered(number), listKey, list);
  const present =
    number === session.view.moment.number
      ? new Map<string, T>()
      : new Map(cachedList(session.view, listKey, list).map((item) => [item.address, item]));
  const { start, end } = bounds(all.length, after?.index, before?.index, request);
  return {
    items: all.slice(start, end).map((item, i) => ({
      cursor: writeCursor({ view: number, index: start + i }, fingerprint),
      item: present.get(item.address) ?? item,
    })),
    hasNextPage: end < all.length,
    hasPreviousPage: start > 0,
    totalCount: all.length,
  };
}

/**
 * A page of a list that is read again for each request. A cursor identifies an item; it becomes invalid when the item
 * disappears.
 */
export function paginateLive<T>(
  key: readonly unknown[],
  items: readonly T[],
  idOf: (item: T) => string,
  request: PageRequest,
): Page<T> {
  const fingerprint = fingerprintOf(key);
  const cursorOf = (item: T) => Buffer.from(`${idOf(item)}.${fingerprint}`).toString('base64url');
  const indexOf = (cursor: string | null | undefined): number | undefined => {
    if (cursor === null || cursor === undefined) return undefined;
    const index = items.findIndex((item) => cursorOf(item) === cursor);
    if (index < 0) throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
    return index;
  };
  const { start, end } = bounds(items.length, indexOf(request.after), indexOf(request.before), request);
  return {
    items: items.slice(start, end).map((item) => ({ cursor: cursorOf(item), item })),
    hasNextPage: end < items.length,
    hasPreviousPage: start > 0,
    totalCount: items.length,
  };
}

/** The start and end of a page in a list of `length` items. */
function bounds(length: number, after: number | undefined, before: number | undefined, request: PageRequest) {
  const low = after === undefined ? 0 : after + 1;
  const high = before === undefined ? length : Math.min(before, length);
  const size = pageSize(request);
  const backwards = isBackwards(request);
  const start = backwards ? Math.max(low, high - size) : low;
  const end = backwards ? high : Math.min(high, low + size);
  return { start, end: Math.max(start, end) };
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

interface Position {
  readonly view: number;
  readonly index: number;
}

function writeCursor({ view, index }: Position, fingerprint: string): string {
  return Buffer.from(`${view}.${index}.${fingerprint}`).toString('base64url');
}

function readCursor(cursor: string | null | undefined, fingerprint: string): Position | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const match = /^(\d{1,12})\.(\d{1,9})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null || match[3] !== fingerprint) {
    throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
  }
  return { view: Number(match[1]), index: Number(match[2]) };
}

/** JSON replacer for the values of a filter. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Rational ? toDecimalString(value) : value;
}
