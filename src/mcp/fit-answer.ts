import { SluiceError } from '../errors/sluice-error.ts';

/** A list of which an answer has only a part. */
export interface CutList {
  /** Names and indices from the root of `data`, joined by dots. */
  readonly path: string;
  /** Index of the first item that is shown. */
  readonly from: number;
  readonly shown: number;
  /** Length of the whole list. */
  readonly of: number;
}

export interface FitOptions {
  /** Most characters of the data, as JSON. */
  readonly limit: number;
  /** Items to leave out at the start, by path of the list. */
  readonly seen: Readonly<Record<string, number>>;
  /** Names of lists that are never cut. */
  readonly whole: readonly string[];
}

/** A list inside an answer, which can be replaced by a part of itself. */
interface FoundList {
  readonly path: string;
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

const NESTED_LENGTHS = [20, 10, 5, 2, 1, 0];
const INDEX = /\.\d+\./g;

/**
 * Cuts the lists of an answer until it fits: first those that are not inside another list, from the largest, down to one
 * item each, then those inside their items. A cut page of a list with cursors ends at its last cursor. Changes the data.
 *
 * @throws SluiceError ANSWER_TOO_LARGE when it does not fit without its lists
 */
export function fitAnswer(data: Record<string, unknown>, { limit, seen, whole }: FitOptions): CutList[] {
  const outer = listsIn(data, '', false).filter(({ key }) => !whole.includes(key));
  const lengths = new Map(outer.map((list) => [list.path, itemsOf(list).length]));
  for (const list of outer) {
    const skipped = seen[list.path] ?? 0;
    if (skipped > 0) list.holder[list.key] = itemsOf(list).slice(skipped);
  }
  const bySize = outer.map((list) => ({ list, size: sizeOf(itemsOf(list)) })).sort((a, b) => b.size - a.size);
  let excess = sizeOf(data) - limit;
  for (const { list, size } of bySize) {
    if (excess <= 0) break;
    keepFirst(list, size - excess);
    excess -= size - sizeOf(itemsOf(list));
  }
  const nested = excess > 0 ? cutNested(data, limit, whole) : [];
  if (sizeOf(data) > limit) throw new SluiceError('ANSWER_TOO_LARGE', { ceiling: limit });
  const cut = outer.map((list) => {
    const [from, of] = [seen[list.path] ?? 0, lengths.get(list.path) ?? 0];
    return { path: list.path, from, shown: itemsOf(list).length, of };
  });
  return [...cut.filter(({ shown, of }) => shown < of), ...nested];
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

const itemsOf = ({ holder, key }: FoundList): readonly unknown[] => {
  const items = holder[key];
  return Array.isArray(items) ? items : [];
};

/** Lists inside a value: only the outermost ones, or those inside other lists too. */
function listsIn(value: unknown, path: string, all: boolean): FoundList[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([key, each]) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (!Array.isArray(each)) return listsIn(each, at, all);
    return [{ path: at, holder, key }, ...(all ? listsIn(each, at, all) : [])];
  });
}

/** As many items as have the size, but at least one. */
function keepFirst(list: FoundList, size: number): void {
  const items = itemsOf(list);
  let total = 2;
  const fitting = items.findIndex((item) => {
    total += sizeOf(item) + 1;
    return total > size;
  });
  const shown = items.slice(0, Math.max(1, fitting === -1 ? items.length : fitting));
  list.holder[list.key] = shown;
  if (shown.length < items.length) endPage(list.holder, shown.at(-1));
}

/** The next page of a list with cursors starts after the last item that is shown. */
function endPage({ pageInfo }: Record<string, unknown>, last: unknown): void {
  const cursor = typeof last === 'object' && last !== null && 'cursor' in last ? last.cursor : undefined;
  if (typeof pageInfo === 'object' && pageInfo !== null && cursor !== undefined)
    Object.assign(pageInfo, { hasNextPage: true, endCursor: cursor });
}

/** All lists inside the items of others get the same length. They are named by one path, with `*` for the indices. */
function cutNested(data: Record<string, unknown>, limit: number, whole: readonly string[]): CutList[] {
  const lists = listsIn(data, '', true)
    .filter(({ path, key }) => path.search(INDEX) !== -1 && !whole.includes(key))
    .map((list) => ({ list, items: itemsOf(list) }));
  const cut = new Map<string, CutList>();
  for (const length of NESTED_LENGTHS) {
    for (const { list, items } of lists) {
      list.holder[list.key] = items.slice(0, length);
      if (items.length <= length) continue;
      const path = list.path.replaceAll(INDEX, '.*.');
      const of = Math.max(items.length, cut.get(path)?.of ?? 0);
      cut.set(path, { path, from: 0, shown: length, of });
    }
    if (sizeOf(data) <= limit) break;
  }
  return [...cut.values()];
}
