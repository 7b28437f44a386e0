import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { sufferDatabaseLoss } from '../support/faults/database-loss.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';

/** A busy machine takes longer. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Longer than the pause between two attempts of everything that writes or reads; the long suite takes 30 seconds. */
const GONE_MS = 10_000;

describe.skipIf(skipPostgres)(`a gateway that loses its database${NO_POSTGRES}`, () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  });
  afterAll(() => world?.stop());

  it('reads the chain, says so about history, knows its keys, and records on without a gap', async () => {
    const outcome = await sufferDatabaseLoss(world, GONE_MS);
    expect(outcome.problems).toEqual([]);
    expect(outcome.codes).toEqual(['HISTORY_UNAVAILABLE']);
  });
});
