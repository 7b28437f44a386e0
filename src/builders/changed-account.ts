/**
 * A decoded account with some of its values replaced. Decoded accounts read their fields from bytes when asked, through
 * getters of their class, so that spreading one would lose them.
 */
export function changed<T extends object>(account: T, changes: Partial<T>): T {
  const copy: Partial<T> = {};
  for (const field in account) copy[field] = account[field];
  return { ...copy, ...changes } as T;
}
