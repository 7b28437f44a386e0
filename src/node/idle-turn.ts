import { setImmediate as eventLoopTurn } from 'node:timers/promises';

/** A turn that handles an RPC response takes longer than this. */
const IDLE_TURN_MS = 1;
/** Bounds the wait while the event loop stays busy. */
const MAX_TURNS = 50;

/** Resolves after a turn of the event loop with next to nothing to do, so that pending I/O is handled first. */
export async function idleTurn(): Promise<void> {
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const startedAt = performance.now();
    await eventLoopTurn();
    if (performance.now() - startedAt < IDLE_TURN_MS) return;
  }
}
