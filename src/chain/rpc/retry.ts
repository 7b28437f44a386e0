const FIRST_BACK_OFF_MS = 50;
export const MAX_BACK_OFF_MS = 2_000;
/** A pause that an endpoint asks for is waited out up to this; beyond it the call fails instead. */
export const MAX_PAUSE_WAIT_MS = 2_000;
/** However long an endpoint asks for, it is tried again after this. */
export const MAX_PAUSE_MS = 30_000;

/**
 * How long to wait before the next round over the endpoints. `round` counts from 0; `random` is in [0, 1). The half that
 * is random keeps callers apart, the half that is not keeps them from coming back at once.
 */
export function backOffMs(round: number, random: number): number {
  const ceiling = Math.min(FIRST_BACK_OFF_MS * 2 ** round, MAX_BACK_OFF_MS);
  return ceiling / 2 + (ceiling / 2) * random;
}

/** Reads a Retry-After header, in seconds or as a date. Null when absent or not understood. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const value = header?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, MAX_PAUSE_MS);
  const dateMs = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.min(Math.max(dateMs - nowMs, 0), MAX_PAUSE_MS);
}
