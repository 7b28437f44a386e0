import { setFlagsFromString } from 'node:v8';

/** A start is over by then; if not, it goes on as it would without all this. */
const STARTED_AFTER_MS = 1_000;
/** Everything that a gateway usually needs has been loaded by then. */
const LOADED_AFTER_MS = 2_000;

/** What node itself loads when a server listens and a client connects. */
const LOADED_BY_NODE = [
  'node:cluster',
  'node:dns',
  'node:perf_hooks',
  'node:stream/web',
  'node:worker_threads',
] as const;

/** Takes something that V8 has compiled ahead. */
export type Taking = <T>(take: () => T) => T;

/**
 * Keeps V8 from making machine code of functions that have been called a few times, until the program has started. It does
 * so on the main thread, a twentieth of a start, and most functions of a start are not called again.
 *
 * V8 takes what was compiled ahead, parts of ours and modules of node's, only with the flags that it was compiled with.
 * They are as they were while something is taken.
 */
export function calmStart(): Taking {
  for (const name of LOADED_BY_NODE) process.getBuiltinModule(name);
  let calm = true;
  setFlagsFromString('--no-sparkplug');
  setTimeout(() => {
    calm = false;
    setFlagsFromString('--sparkplug');
  }, STARTED_AFTER_MS).unref();
  return (take) => {
    if (!calm) return take();
    setFlagsFromString('--sparkplug');
    try {
      return take();
    } finally {
      setFlagsFromString('--no-sparkplug');
    }
  };
}

/**
 * Has V8 look for garbage when the heap has grown by three quarters of what was alive, as soon as the program is loaded. It
 * waits for several times as much otherwise, and a gateway under load gets there, as Views come and go every two seconds:
 * 343 to 368 MB at most, where it is 290 to 295 so (`npm run bench -- peers --only footprint`). What is loaded after that is compiled anew.
 */
export function keepHeapSmall(): void {
  setTimeout(() => setFlagsFromString('--heap-growing-percent=75'), LOADED_AFTER_MS).unref();
}
