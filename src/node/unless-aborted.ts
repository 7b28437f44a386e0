/** Settles like the promise, or rejects with the signal's reason as soon as it is aborted; a later failure is dropped. */
export function unlessAborted<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    wanted.catch(() => undefined);
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const abandon = () => reject(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    wanted.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
