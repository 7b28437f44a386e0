import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** A turn in which an answer of the RPC is taken lasts longer. */
const IDLE_TURN_MS = 1;
/** Whoever has something to do without a pause does not hold up the others for ever. */
const MOST_TURNS = 50;

/** Lets everybody else go first: resolves after a turn of the loop in which there was next to nothing to do. */
export async function idleTurn(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const startedAt = performance.now();
    await turnOfTheLoop();
    if (performance.now() - startedAt < IDLE_TURN_MS) return;
  }
}
