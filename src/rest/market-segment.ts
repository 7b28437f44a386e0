const SEGMENT = 'svc-market';

/**
 * Paths, with or without a query, in their documented spelling: existing clients may know the market service by another
 * name. An empty alias is none.
 */
export function documentedSpelling(alias: string): (path: string) => string {
  if (alias === '') return (path) => path;
  const known = new RegExp(`^(/(?:v2/)?)${alias}(?=[/?]|$)`);
  return (path) => path.replace(known, `$1${SEGMENT}`);
}
