import type { Clock } from './clock.ts';

/**
 * Milliseconds that never go back and include the time for which the machine was suspended: the monotonic clock of some
 * systems stands still meanwhile, while the wall clock may also be corrected.
 */
export function suspendableClock(clock: Clock, wallNow: () => number = Date.now): () => number {
  let last = { monotonic: clock.now(), wall: wallNow() };
  let elapsedMs = 0;
  return () => {
    const next = { monotonic: clock.now(), wall: wallNow() };
    elapsedMs += Math.max(0, next.monotonic - last.monotonic, next.wall - last.wall);
    last = next;
    return elapsedMs;
  };
}
