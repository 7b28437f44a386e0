import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { sufferDatabaseLoss } from '../support/faults/database-loss.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';

/** Longer than any retry interval of a reader or writer; the long suite uses 30 seconds. */
const GONE_MS = 10_000;

describe.skipIf(skipPostgres)(`a gateway that loses its database${NO_POSTGRES}`, () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  });
  afterAll(() => world?.stop());

  it('serves chain data, reports history as unavailable, keeps its API keys, and records on without a gap', async () => {
    const outcome = await sufferDatabaseLoss(world, GONE_MS);
    expect(outcome.problems).toEqual([]);
    expect(outcome.codes).toEqual(['HISTORY_UNAVAILABLE']);
  });
});
