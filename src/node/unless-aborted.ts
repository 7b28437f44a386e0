/** Not later than the signal, whatever is still on its way; the reason of the signal is what is thrown then. */
export function unlessAborted<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<T>((resolve, reject) => {
    const abandon = () => reject(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    wanted.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
