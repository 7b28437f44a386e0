import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RecordedApp, startRecordedApp } from './fuzz-recorded-app.ts';
import type { FuzzSize } from './fuzz-suites.ts';
import { type FuzzOutcome, fuzzSeed } from './run-fuzz.ts';

/** A new seed for each run; the report says how to repeat a single request. */
const SEED = fuzzSeed(Date.now());
const COUNT = Number(process.env.FUZZ_COUNT ?? 50_000);
/** Generating the chain's history takes both cores, which other suites may be using. */
const START_MS = 1_800_000;
/** A quarter of an hour on two idle cores. */
const RUN_MS = 14_400_000;

/** A long run against a gateway with history. Answers must be documented, with a mix of successes and rejections. */
export function itAnswersAsDocumented(
  what: string,
  fuzz: (world: RecordedApp, size: FuzzSize) => Promise<FuzzOutcome>,
): void {
  let world: RecordedApp;
  beforeAll(async () => {
    world = await startRecordedApp();
  }, START_MS);
  afterAll(() => world?.stop(), START_MS);

  it(
    `${COUNT} ${what} are answered as documented`,
    async () => {
      const { failures, statuses } = await fuzz(world, { count: COUNT, seed: SEED });
      expect({ failures, faults: world.faults }).toEqual({ failures: [], faults: [] });
      expect(statuses.get(200)).toBeGreaterThan(COUNT / 20);
      expect(statuses.get(400)).toBeGreaterThan(COUNT / 20);
    },
    RUN_MS,
  );
}
