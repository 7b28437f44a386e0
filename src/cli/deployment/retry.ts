/** A longer wait than this ends the run; a later run continues. */
export const MAX_WAIT_MS = 15 * 60_000;
const MAX_BACKOFF_MS = 30_000;

/** Exponential backoff with jitter after a failed attempt, counted from 1. */
export function backoffMs(attempt: number, baseMs: number): number {
  const whole = Math.min(baseMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  return whole * (0.5 + Math.random() / 2);
}

/** `Retry-After` in milliseconds, from seconds or a date. Null without one. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Milliseconds until our rate limit resets, if it is exhausted; otherwise 0. Understands the forms of the
 * `RateLimit` header: `"p";r=0;t=30`, `limit=100, remaining=0, reset=30`, or separate headers.
 */
export function exhaustedMs(headers: Headers): number {
  const text = headers.get('ratelimit') ?? '';
  const left = /\b(?:r|remaining)=(\d{1,9})/.exec(text)?.[1] ?? headers.get('ratelimit-remaining') ?? '';
  const seconds = /\b(?:t|reset)=(\d{1,9})/.exec(text)?.[1] ?? headers.get('ratelimit-reset') ?? '';
  return left.trim() === '0' && /^\d{1,9}$/.test(seconds.trim()) ? Number(seconds) * 1_000 : 0;
}
