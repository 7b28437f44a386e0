import type { Rational } from '@sluice/protocol/numeric/rational';

export type SortDirection = 'ASC' | 'DESC';

/** A sort key; null (unknown) sorts last in either direction. */
export type SortKey = Rational | string | number | bigint | null;

interface Addressed {
  readonly address: string;
}

/** Sorts by a key computed once per item. Ties are ordered by address, so the order is deterministic. */
export function sortedBy<T extends Addressed>(
  items: Iterable<T>,
  keyOf: (item: T) => SortKey,
  direction: SortDirection,
): T[] {
  return stablySortedBy([...items].sort(byAddress), keyOf, direction);
}

/** Like `sortedBy`, but ties keep their given order. */
export function stablySortedBy<T>(
  items: readonly T[],
  keyOf: (item: T) => SortKey,
  direction: SortDirection,
): T[] {
  const sign = direction === 'ASC' ? 1 : -1;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => compareKeys(a.key, b.key, sign))
    .map(({ item }) => item);
}

function compareKeys(a: SortKey, b: SortKey, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'object' && typeof b === 'object') return sign * a.compare(b);
  return a < b ? -sign : a > b ? sign : 0;
}

function byAddress(a: Addressed, b: Addressed): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
