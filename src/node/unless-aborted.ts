import { abandonOn } from '@sluice/rpc-pool/abort';

/** Settles like the promise, or rejects with the signal's reason as soon as it is aborted; a later failure is dropped. */
export function unlessAborted<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const unlink = abandonOn(signal, reject);
    wanted.then(resolve, reject).finally(unlink);
  });
}
