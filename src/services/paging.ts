import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { View } from '../chain/view.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { toDecimalString } from '../numeric/decimal.ts';
import { Rational } from '../numeric/rational.ts';
import { onView } from './per-view.ts';
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
  /** When the list was made, where it is an index of the past; null when that was never made. */
  readonly indexedAt?: Date | null;
}

/** A list whose order is fixed within a View. `key` says what was asked: which list, filter and order. */
export interface ListQuery<T extends { readonly address: string }> {
  readonly key: readonly unknown[];
  readonly list: (view: View) => readonly T[];
}

/** How many items a page may have: `first` or `last`, at most 100, otherwise 20. */
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
 * A page of a list. A cursor holds the View in which the list began: going on from it reads the order of that View, so
 * that no item comes twice and none is missed while the chain moves. A View that is gone is said to be gone. The items
 * themselves are those of the request's own View, since all numbers of an answer belong to that.
 */
export function paginate<T extends { readonly address: string }>(
  session: Session,
  { key, list }: ListQuery<T>,
  request: PageRequest,
): Page<T> {
  const question = textOf(key);
  const fingerprint = shortened(question);
  const after = readCursor(request.after, fingerprint);
  const before = readCursor(request.before, fingerprint);
  if (after !== undefined && before !== undefined && after.view !== before.view) {
    throw new SluiceError('CURSOR_INVALID', { cursor: String(request.before).slice(0, 80) });
  }
  const number = after?.view ?? before?.view ?? session.view.moment.number;
  const all = keptList(session.viewNumbered(number), question, list);
  const present =
    number === session.view.moment.number
      ? new Map<string, T>()
      : new Map(keptList(session.view, question, list).map((item) => [item.address, item]));
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
 * A page of a list that is read anew for each request. A cursor names the item that it stands at; when that item is gone,
 * the cursor is said to be invalid rather than guessed at.
 */
export function paginateLive<T>(
  key: readonly unknown[],
  items: readonly T[],
  idOf: (item: T) => string,
  request: PageRequest,
): Page<T> {
  const fingerprint = fingerprintOf(key);
  const cursorOf = (item: T) => Buffer.from(`${idOf(item)}.${fingerprint}`).toString('base64url');
  const place = (cursor: string | null | undefined): number | undefined => {
    if (cursor === null || cursor === undefined) return undefined;
    const index = items.findIndex((item) => cursorOf(item) === cursor);
    if (index < 0) throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
    return index;
  };
  const { start, end } = bounds(items.length, place(request.after), place(request.before), request);
  return {
    items: items.slice(start, end).map((item) => ({ cursor: cursorOf(item), item })),
    hasNextPage: end < items.length,
    hasPreviousPage: start > 0,
    totalCount: items.length,
  };
}

/** Where a page begins and ends in a list of so many items. */
function bounds(length: number, after: number | undefined, before: number | undefined, request: PageRequest) {
  const low = after === undefined ? 0 : after + 1;
  const high = before === undefined ? length : Math.min(before, length);
  const size = pageSize(request);
  const backwards = (request.first ?? null) === null && (request.last ?? null) !== null;
  const start = backwards ? Math.max(low, high - size) : low;
  const end = backwards ? high : Math.min(high, low + size);
  return { start, end: Math.max(start, end) };
}

/** What was asked, in few letters: a cursor of another list, filter or order has other ones. */
export function fingerprintOf(key: readonly unknown[]): string {
  return shortened(textOf(key));
}

function textOf(key: readonly unknown[]): string {
  return JSON.stringify(key, plain);
}

/** Hashing costs more than the rest of a page, and few questions are asked often. */
const fingerprints = new LRUCache<string, string>({ max: 1_000 });

function shortened(question: string): string {
  const known = fingerprints.get(question);
  if (known !== undefined) return known;
  const fresh = createHash('sha256').update(question).digest('base64url').slice(0, 8);
  if (question.length <= MAX_KEPT_QUESTION) fingerprints.set(question, fresh);
  return fresh;
}

/** A question that is longer names addresses one by one, and is hardly asked twice. */
const MAX_KEPT_QUESTION = 500;
/** Filters are the callers' own: there may be any number of them. */
const LISTS_KEPT_PER_VIEW = 500;
const listsOfViews = onView<LRUCache<string, readonly unknown[]>>();

/** A list in its order. Pages of it, and the same list in other requests, are asked for again and again within a View. */
function keptList<T>(view: View, question: string, list: (view: View) => readonly T[]): readonly T[] {
  if (question.length > MAX_KEPT_QUESTION) return list(view);
  let lists = listsOfViews.get(view);
  if (lists === undefined) {
    lists = new LRUCache({ max: LISTS_KEPT_PER_VIEW });
    listsOfViews.set(view, lists);
  }
  const known = lists.get(question) as readonly T[] | undefined;
  if (known !== undefined) return known;
  const fresh = list(view);
  lists.set(question, fresh);
  return fresh;
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

/** Big integers and exact decimals as text, so that a filter can be part of a fingerprint. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Rational ? toDecimalString(value) : value;
}
