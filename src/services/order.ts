import type { Rational } from '../numeric/rational.ts';

export type Direction = 'ASC' | 'DESC';

/** Something to sort by: null is unknown, and unknown comes last in either direction. */
export type SortKey = Rational | string | number | bigint | null;

interface Addressed {
  readonly address: string;
}

/** Sorted by a key that is computed once per item; equals are in the order of their addresses, so that order is fixed. */
export function sortedBy<T extends Addressed>(
  items: Iterable<T>,
  keyOf: (item: T) => SortKey,
  direction: Direction,
): T[] {
  return stablySortedBy([...items].sort(byAddress), keyOf, direction);
}

/** The same, but equals stay in the order in which they came. */
export function stablySortedBy<T>(
  items: readonly T[],
  keyOf: (item: T) => SortKey,
  direction: Direction,
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
