import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueueComparison, queueStep } from '../support/localnet/queue-comparison.ts';

const STEPS = 700;

describe('a withdraw queue under random actions, against a second implementation of the program', () => {
  it('keeps its tokens, tickets and order, and gives the same errors', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(queueStep, { minLength: STEPS, maxLength: STEPS }), (steps) => {
        const comparison = new QueueComparison();
        for (const step of steps) comparison.take(step);
        expect(comparison.compared).toBeGreaterThan(300);
        for (const result of comparison.seen) seen.add(result);
      }),
      { numRuns: 3, seed: 20_261_118, endOnFailure: true },
    );
    const wanted = [
      ...['accepted', 1, 3012, 6003, 6151, 6154].map((result) => `enqueue ${result}`),
      ...['accepted', 6008, 6148, 6150, 6154].map((result) => `pay ${result}`),
      ...['accepted', 6003, 6152, 6154, 6171].map((result) => `cancel ${result}`),
      ...['accepted', 6147].map((result) => `recover ${result}`),
      ...['accepted', 6003, 6008].map((result) => `redeem ${result}`),
    ];
    expect(wanted.filter((result) => !seen.has(result))).toEqual([]);
  });
});
