import { pauseFor } from '../../node/pause-for.ts';
/** Longer waits than this are not waited for: the run ends, and a later one goes on. */
export const LONGEST_WAIT_MS = 15 * 60_000;
const LONGEST_BACK_OFF_MS = 30_000;

/** Keeps requests apart, and waits for as long as the deployment asks for. */
export class Pace {
  readonly #betweenMs: number;
  readonly #signal: AbortSignal;
  #nextAt = 0;

  constructor(requestsPerSecond: number, signal: AbortSignal) {
    this.#betweenMs = 1_000 / requestsPerSecond;
    this.#signal = signal;
  }

  /** Resolves when the next request may leave, or at once when everything is to stop. */
  async turn(): Promise<void> {
    const wait = this.#nextAt - performance.now();
    if (wait > 0) await pauseFor(wait, this.#signal);
    this.#nextAt = performance.now() + this.#betweenMs;
  }

  /** No request leaves before so many milliseconds are over. */
  holdFor(ms: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + ms);
  }
}

/** How long to wait after a failed attempt, the first being 1: doubled each time, at least half of it, never the same. */
export function backOffMs(attempt: number, baseMs: number): number {
  const whole = Math.min(baseMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
  return whole * (0.5 + Math.random() / 2);
}

/** `Retry-After`: seconds or a date. Null without one. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * How long the deployment wants us to stay away because nothing is left of our share, by the `RateLimit` header in its
 * forms: `"p";r=0;t=30`, `limit=100, remaining=0, reset=30`, or one header for each.
 */
export function exhaustedMs(headers: Headers): number {
  const text = headers.get('ratelimit') ?? '';
  const left = /\b(?:r|remaining)=(\d{1,9})/.exec(text)?.[1] ?? headers.get('ratelimit-remaining') ?? '';
  const seconds = /\b(?:t|reset)=(\d{1,9})/.exec(text)?.[1] ?? headers.get('ratelimit-reset') ?? '';
  return left.trim() === '0' && /^\d{1,9}$/.test(seconds.trim()) ? Number(seconds) * 1_000 : 0;
}
