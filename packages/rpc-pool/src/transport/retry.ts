const FIRST_BACK_OFF_MS = 50;
export const MAX_BACK_OFF_MS = 2_000;
/** Longest requested pause that a call waits for; it fails at once for a longer one. */
export const MAX_PAUSE_WAIT_MS = 2_000;
/** Longest pause that is honoured: the endpoint is tried again after this. */
export const MAX_PAUSE_MS = 30_000;

/**
 * Backoff before the next round over the endpoints, exponential with jitter. `round` counts from 0; `random` is in [0, 1).
 * Half of the time is random, so that callers spread out, and half is fixed, so that none retries at once.
 */
export function backOffMs(round: number, random: number): number {
  const ceiling = Math.min(FIRST_BACK_OFF_MS * 2 ** round, MAX_BACK_OFF_MS);
  return ceiling / 2 + (ceiling / 2) * random;
}

/** Milliseconds of a Retry-After header, given in seconds or as a date. Null when absent or malformed. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const value = header?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, MAX_PAUSE_MS);
  const dateMs = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.min(Math.max(dateMs - nowMs, 0), MAX_PAUSE_MS);
}
