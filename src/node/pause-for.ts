import { abandonOn } from '@sluice/rpc-pool/abort';

/** Resolves after the time, or as soon as the signal is aborted. */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unlink();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const unlink = abandonOn(signal, done);
  });
}
