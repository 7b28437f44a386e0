const SEGMENT = 'svc-market';

/**
 * Returns a function that rewrites a path, with or without a query string, to its documented spelling. Existing clients
 * may use another name for the market service. An empty alias rewrites nothing.
 */
export function documentedSpelling(alias: string): (path: string) => string {
  if (alias === '') return (path) => path;
  const known = new RegExp(`^(/(?:v2/)?)${alias}(?=[/?]|$)`);
  return (path) => path.replace(known, `$1${SEGMENT}`);
}
