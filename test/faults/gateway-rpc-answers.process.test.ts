import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';
import { sufferMisbehaviour } from '../support/faults/run-fault.ts';
import { halfBodies, resets, status, wrongJson } from '../support/rpc/misbehaviours.ts';

/** Gives up soon, so that the fault reaches callers. */
const HASTY = { RPC_MAX_ATTEMPTS: '2', REQUEST_TIMEOUT_MS: '8000' };

describe.skipIf(skipPostgres)(`a gateway whose${NO_POSTGRES}`, () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  });
  afterAll(() => world?.stop());

  it.each([
    ['RPC answers 5xx', status(503)],
    ['RPC resets connections', resets],
    ['RPC stops half-way', halfBodies],
    ['RPC answers wrong JSON', wrongJson],
  ] as const)(
    '%s: callers get what is documented, no wrong number, and it recovers',
    async (name, misbehaviour) => {
      const outcome = await sufferMisbehaviour(world, name, misbehaviour, HASTY);
      expect(outcome.problems).toEqual([]);
      expect(outcome.met).toBeGreaterThan(0);
    },
  );
});
