/** A copy of a decoded account with some fields replaced. Spreading one would lose its fields: they are lazy getters. */
export function changed<T extends object>(account: T, changes: Partial<T>): T {
  const copy: Partial<T> = {};
  for (const field in account) copy[field] = account[field];
  return Object.assign(copy, changes) as T;
}
