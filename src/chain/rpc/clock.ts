import { abandonOn } from './cancellation.ts';

/** Time as the pool sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the reason of the signal as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  // Steady between two readings, unlike Date.now, which follows corrections of the machine's time.
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
