import { SluiceError } from './errors.ts';

export interface RetryPolicy {
  /** Attempts after the first one. Streams are reopened without limit. */
  readonly retries: number;
  /** Wait before the first retry in milliseconds; it doubles with each one. */
  readonly firstDelayMs: number;
  /** Longest wait in milliseconds. A request whose `Retry-After` is longer is not retried: the error is thrown. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, firstDelayMs: 250, maxDelayMs: 15_000 };

/** Repeats what failed with a retryable error. Every operation of the gateway is safe to repeat, sending included. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SluiceError && error.retryable) || failures >= policy.retries) throw error;
      const delay = delayMs(error, failures, policy);
      if (delay > policy.maxDelayMs) throw error;
      await wait(delay, signal);
    }
  }
}

/** Delay before the next attempt, in milliseconds. @param failures attempts that failed before this one */
export function delayMs({ retryAfter }: SluiceError, failures: number, policy: RetryPolicy): number {
  if (retryAfter !== null) return retryAfter * 1_000;
  const full = Math.min(policy.firstDelayMs * 2 ** failures, policy.maxDelayMs);
  // Half of it at random, so that clients that failed together do not come back together.
  return full / 2 + Math.random() * (full / 2);
}

export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
