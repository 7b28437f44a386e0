/** Edit distance between two lists. Inserting or deleting an item costs 1. */
export function editDistance<T>(
  from: readonly T[],
  to: readonly T[],
  replace: (a: T, b: T) => number,
): number {
  let row = to.map((_, j) => j + 1);
  row.unshift(0);
  for (const [i, item] of from.entries()) {
    const next = [i + 1];
    for (const [j, other] of to.entries()) {
      const left = next[j] ?? 0;
      next.push(Math.min(left + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + replace(item, other)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
