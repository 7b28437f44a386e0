/**
 * Shares one result between callers: those that come while it is computed wait for it, and those that come within the hold
 * time get it again. A failure is not cached.
 *
 * @param now in milliseconds
 */
export function heldResult<T>(
  compute: () => Promise<T>,
  holdMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let running: Promise<T> | null = null;
  let held: { readonly result: T; readonly until: number } | null = null;
  const run = async () => {
    try {
      const result = await compute();
      held = { result, until: now() + holdMs };
      return result;
    } finally {
      running = null;
    }
  };
  return async () => {
    if (held !== null && now() < held.until) return held.result;
    running ??= run();
    return await running;
  };
}
