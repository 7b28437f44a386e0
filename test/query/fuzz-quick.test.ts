import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { DEADLINE, fuzzGraphql, fuzzRest } from '../support/fuzz/fuzz-suites.ts';
import { fuzzSeed } from '../support/fuzz/run-fuzz.ts';

/** The long suite sends 50,000, of another seed each time. */
const COUNT = Number(process.env.FUZZ_COUNT ?? 200);
const SIZE = { count: COUNT, seed: fuzzSeed(20261115) };
const TIMEOUT_MS = 300_000;

let world: TestEmbeddedApp;
/** Log of the gateway when something fails that should not. */
const faults: string[] = [];
beforeAll(async () => {
  world = await startEmbeddedApp(DEADLINE, {
    logger: createLogger('error', { write: (line) => faults.push(line) }),
  });
});
afterAll(() => world?.app.stop());

describe('any request', () => {
  it(
    'to GraphQL is answered as documented',
    async () => {
      const { failures, statuses } = await fuzzGraphql(world, SIZE);
      expect({ failures, faults }).toEqual({ failures: [], faults: [] });
      expect(statuses.get(200)).toBeGreaterThan(0);
      expect(statuses.get(400)).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it(
    'to REST is answered as in openapi.json',
    async () => {
      const { failures, statuses } = await fuzzRest(world, SIZE);
      expect({ failures, faults }).toEqual({ failures: [], faults: [] });
      expect(statuses.get(200)).toBeGreaterThan(0);
      expect(statuses.get(400)).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
