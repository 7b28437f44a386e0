import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs, MAX_BACK_OFF_MS, MAX_PAUSE_MS, retryAfterMs } from '../src/transport/retry.ts';

describe('the backoff between rounds', () => {
  it('is positive, bounded and never decreases over rounds for equal jitter', () => {
    const luck = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat(2_000), luck, (round, random) => {
        const ms = backOffMs(round, random);
        expect(ms).toBeGreaterThan(0);
        expect(ms).toBeLessThanOrEqual(MAX_BACK_OFF_MS);
        expect(backOffMs(round + 1, random)).toBeGreaterThanOrEqual(ms);
      }),
    );
  });

  it('doubles, and half of it is jitter', () => {
    expect([0, 1, 2, 3].map((round) => backOffMs(round, 0))).toEqual([25, 50, 100, 200]);
    expect([0, 1, 2, 3].map((round) => backOffMs(round, 0.5))).toEqual([37.5, 75, 150, 300]);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-3', null],
    ['0', 0],
    [' 2 ', 2_000],
    ['1.5', 1_500],
    ['99999999999', MAX_PAUSE_MS],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ])('%j is %j ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
