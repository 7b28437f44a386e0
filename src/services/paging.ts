import { createHash } from 'node:crypto';
import type { View } from '../chain/view.ts';
import { SluiceError } from '../errors/sluice-error.ts';
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
}

/** A list whose order is fixed within a View. `key` says what was asked: which list, filter and order. */
export interface ListQuery<T> {
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
 * that no item comes twice and none is missed while the chain moves. A View that is gone is said to be gone.
 */
export function paginate<T>(session: Session, { key, list }: ListQuery<T>, request: PageRequest): Page<T> {
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(key, textOfBigInt))
    .digest('base64url')
    .slice(0, 8);
  const after = readCursor(request.after, fingerprint);
  const before = readCursor(request.before, fingerprint);
  const number = after?.view ?? before?.view ?? session.view.moment.number;
  const all = list(session.viewNumbered(number));
  const low = after === undefined ? 0 : after.index + 1;
  const high = before === undefined ? all.length : Math.min(before.index, all.length);
  const size = pageSize(request);
  const backwards = (request.first ?? null) === null && (request.last ?? null) !== null;
  const start = backwards ? Math.max(low, high - size) : low;
  const end = backwards ? high : Math.min(high, low + size);
  return {
    items: all.slice(start, Math.max(start, end)).map((item, i) => ({
      cursor: writeCursor({ view: number, index: start + i }, fingerprint),
      item,
    })),
    hasNextPage: end < all.length,
    hasPreviousPage: start > 0,
    totalCount: all.length,
  };
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

function textOfBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
