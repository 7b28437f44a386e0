import { setMaxListeners } from 'node:events';

/**
 * Calls back when the signal is aborted, immediately if it already is. Returns the function that stops listening, so that
 * a long-lived signal does not accumulate listeners.
 */
export function abandonOn(signal: AbortSignal, abandon: (reason: unknown) => void): () => void {
  const listener = () => abandon(signal.reason);
  // Node warns of a leak at eleven listeners, and a request may wait for more answers than that.
  setMaxListeners(0, signal);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
