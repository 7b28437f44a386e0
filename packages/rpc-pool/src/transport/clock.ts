import { abandonOn } from '../abort.ts';

/** Source of time. Tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`. Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  // Monotonic, unlike Date.now, which follows corrections of the system clock.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        unlink();
        resolve();
      }, ms);
      const unlink = abandonOn(signal, (reason) => {
        clearTimeout(timer);
        reject(reason);
      });
    }),
};
