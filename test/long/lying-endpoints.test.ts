import { afterAll, beforeAll, it } from 'vitest';
import { expectLieUnnoticed, OTHER_LIES } from '../support/faults/lies.ts';
import { LyingWorld } from '../support/faults/lying-world.ts';

/** The rest of the table of `test/faults/gateway-lying-endpoint.faults.test.ts`. */
let world: LyingWorld;

beforeAll(async () => {
  world = await LyingWorld.start();
});

afterAll(async () => {
  await world?.stop();
});

it.each(OTHER_LIES.map(([what, lie], i) => [what, lie, i] as const))(
  '%s: each in turn, the first from the start, and callers notice nothing',
  async (_, lie, i) => {
    await expectLieUnnoticed(world, lie, i % world.nodes.length);
  },
);
