import { expect, it } from 'vitest';
import { idleTurn } from '../../src/node/idle-turn.ts';

const BUSY_MS = 3;

/** Something that takes a while in each of several turns of the loop, one after the other. */
function busy(turns: number, done: { turns: number }): void {
  if (turns === 0) return;
  setImmediate(() => {
    const until = performance.now() + BUSY_MS;
    while (performance.now() < until);
    done.turns += 1;
    busy(turns - 1, done);
  });
}

it('is after what others do in turn after turn', async () => {
  const done = { turns: 0 };
  busy(5, done);
  await idleTurn();
  expect(done.turns).toBe(5);
});

it('comes, though others never pause', async () => {
  const done = { turns: 0 };
  busy(200, done);
  await idleTurn();
  expect(done.turns).toBeLessThan(100);
});
