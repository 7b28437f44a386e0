import type { ViewStore } from '../chain/view/view-store.ts';
import { pauseFor } from '../node/pause-for.ts';

/** The rest starts after this long even if the chain cannot be read. */
const MAX_WAIT_MS = 5_000;
/** Time for the requests that waited for the first View. */
const FIRST_ANSWERS_MS = 250;

/**
 * Resolves once the first View is there, the request handler is loaded and the requests that waited for both have been
 * answered, at the latest `MAX_WAIT_MS` after the handler was loaded, or when the signal is aborted. Opening a database
 * and loading the REST API take as much CPU time as reading the chain, so they wait for this.
 */
export async function whenFirstViewServed(
  views: ViewStore,
  handlerLoaded: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await handlerLoaded;
  await views.first(MAX_WAIT_MS, signal);
  if (views.newest !== undefined) await pauseFor(FIRST_ANSWERS_MS, signal);
}
