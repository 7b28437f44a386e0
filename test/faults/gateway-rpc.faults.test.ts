import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';
import { sufferMisbehaviour } from '../support/faults/run-fault.ts';
import { halfBodies, resets, slowly, spikes, status, wrongJson } from '../support/rpc/misbehaviours.ts';

/** Gives up soon, so that the fault reaches callers. */
const HASTY = { RPC_MAX_ATTEMPTS: '2', REQUEST_TIMEOUT_MS: '8000' };
const HASTIER = { ...HASTY, REQUEST_TIMEOUT_MS: '4000' };

describe.skipIf(skipPostgres)(`a gateway whose${NO_POSTGRES}`, () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  });
  afterAll(() => world?.stop());

  it.each([
    ['RPC answers 5xx', status(503), HASTY],
    ['RPC resets connections', resets, HASTY],
    ['RPC stops half-way', halfBodies, HASTY],
    ['RPC answers wrong JSON', wrongJson, HASTY],
    ['RPC slow, in time', slowly(150), {}],
    ['RPC latency spikes', spikes(3, 5_000), { ...HASTIER, RPC_TIMEOUT_MS: '1000' }],
    ['RPC answers 429', status(429), HASTIER],
    ['RPC answers 429 with Retry-After', status(429, { 'retry-after': '1' }), HASTIER],
  ] as const)(
    '%s: callers get documented answers and no wrong numbers, and it recovers',
    async (name, misbehaviour, env) => {
      const outcome = await sufferMisbehaviour(world, name, misbehaviour, env);
      expect(outcome.problems).toEqual([]);
      expect(outcome.met).toBeGreaterThan(0);
    },
  );
});
