import { afterAll, expect, vi } from 'vitest';
import { shadow } from '../support/execution/shadow-executor.ts';

/** Runs the example queries through both executors. */
vi.mock('../../src/graphql/planned-execution.ts', async (original) => {
  const { withShadow } = await import('../support/execution/shadow-executor.ts');
  return withShadow(await original());
});

await import('./examples.test.ts');

afterAll(() => {
  expect(shadow.compared).toBeGreaterThanOrEqual(8);
  expect(shadow.differences).toEqual([]);
});
