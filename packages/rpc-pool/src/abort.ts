import { setMaxListeners } from 'node:events';
import { RpcError } from './rpc-error.ts';

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

/** Settles like the promise, or rejects with the signal's reason as soon as it is aborted; a later failure is dropped. */
export function unlessAborted<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const unlink = abandonOn(signal, reject);
    wanted.then(resolve, reject).finally(unlink);
  });
}

/** An error with a code in words. */
export type CodedReason = Error & { readonly code: string };

export function isCodedReason(reason: unknown): reason is CodedReason {
  return reason instanceof Error && 'code' in reason && typeof reason.code === 'string';
}

/** The error of an aborted signal: its reason if that is an error with a code, otherwise REQUEST_CANCELLED. */
export function cancellationError(signal: AbortSignal, what: string): CodedReason {
  return isCodedReason(signal.reason) ? signal.reason : new RpcError('REQUEST_CANCELLED', { what });
}
