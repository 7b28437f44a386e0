import { afterAll, beforeEach, expect, vi } from 'vitest';
import { shadow } from '../support/execution/shadow-executor.ts';

/** All subjects of the contract. */
process.env.MANY_CASES = '1';

/** Runs every query of these suites through both executors. */
vi.mock('../../src/graphql/planned-execution.ts', async (original) => {
  const { withShadow } = await import('../support/execution/shadow-executor.ts');
  return withShadow(await original());
});

/** These tests count reads, which happen twice here. */
const COUNTING = new Set([
  'reads in one round, plus one request for a blockhash',
  'take a fixed number of statements',
  'are paged, newest first, at the prices at that time',
]);
const skipped = new Set<string>();
beforeEach(({ task, skip }) => {
  if (!COUNTING.has(task.name)) return;
  skipped.add(task.name);
  skip();
});

await import('../contract/contract.test.ts');
await import('../contract/parity-unpriced.long.test.ts');
await import('../query/examples.test.ts');
await import('../query/lists.test.ts');
await import('../query/bad-input.test.ts');
await import('../query/builds.test.ts');
await import('../query/position-pnl.test.ts');
await import('../query/obligation-history.test.ts');

afterAll(() => {
  expect(skipped, 'a test to skip was renamed').toEqual(COUNTING);
  expect(shadow.compared).toBeGreaterThan(200);
  expect(shadow.differences).toEqual([]);
});
