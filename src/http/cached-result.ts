/**
 * Shares one result between callers: concurrent calls wait for the same computation, and later ones get its result until it
 * expires. A failure is not cached.
 *
 * @param ttlMs how long a result is served again, in milliseconds
 * @param now in milliseconds
 */
export function cachedResult<T>(
  compute: () => Promise<T>,
  ttlMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let running: Promise<T> | null = null;
  let cached: { readonly result: T; readonly until: number } | null = null;
  const run = async () => {
    try {
      const result = await compute();
      cached = { result, until: now() + ttlMs };
      return result;
    } finally {
      running = null;
    }
  };
  return async () => {
    if (cached !== null && now() < cached.until) return cached.result;
    running ??= run();
    return await running;
  };
}
