/** `.` and `..`, also percent-encoded: a URL parser resolves them alike. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Whether the path of a request target contains a dot segment. Such a path would resolve to a different one than a proxy
 * in front may have checked. Clients resolve dot segments before they send a request.
 *
 * @param target as received
 */
export function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  return DOT_SEGMENT.test(path);
}
