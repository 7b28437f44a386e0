import { expect, it } from 'vitest';
import { idleTurn } from '../../src/node/idle-turn.ts';

const BUSY_MS = 3;

/** Blocks the event loop for a while in each of several consecutive turns. */
function busy(turns: number, done: { turns: number }): void {
  if (turns === 0) return;
  setImmediate(() => {
    const until = performance.now() + BUSY_MS;
    while (performance.now() < until);
    done.turns += 1;
    busy(turns - 1, done);
  });
}

it('waits for work that spans several turns of the event loop', async () => {
  const done = { turns: 0 };
  busy(5, done);
  await idleTurn();
  expect(done.turns).toBe(5);
});

it('resolves even if the event loop never becomes idle', async () => {
  const done = { turns: 0 };
  busy(200, done);
  await idleTurn();
  expect(done.turns).toBeLessThan(100);
});
