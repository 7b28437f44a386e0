import type { ViewStore } from '../chain/view-store.ts';
import { pauseFor } from '../node/pause-for.ts';

/** A chain that cannot be read does not keep the rest from starting. */
const PATIENCE_MS = 5_000;
/** Whoever has waited for the first View is answered meanwhile. */
const FIRST_ANSWERS_MS = 250;

/**
 * Resolves when the chain can be read and those who waited for that are answered, after a while in any case, and when the
 * signal is aborted. Opening a database takes as much of a processor as reading the chain does.
 */
export async function chainFirst(views: ViewStore, signal: AbortSignal): Promise<void> {
  await views.first(PATIENCE_MS, signal);
  if (views.newest !== undefined) await pauseFor(FIRST_ANSWERS_MS, signal);
}
