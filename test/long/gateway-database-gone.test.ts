import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { sufferDatabaseLoss } from '../support/faults/database-loss.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';

const GONE_MS = 30_000;

describe.skipIf(skipPostgres)(`a gateway that loses its database for half a minute${NO_POSTGRES}`, () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  }, 240_000);
  afterAll(() => world?.stop());

  it('reads the chain, reports missing history, knows its keys, and records without a gap afterwards', async () => {
    const outcome = await sufferDatabaseLoss(world, GONE_MS);
    expect(outcome.problems).toEqual([]);
    expect(outcome.codes).toEqual(['HISTORY_UNAVAILABLE']);
  });
});
