import { expect, test } from 'vitest';
import { RateLimit } from '../../src/rpc/rate-limit.ts';

test('the limit allows a burst and then a steady rate', () => {
  let nowMs = 0;
  const limit = new RateLimit(3, 2, () => nowMs);
  const taken = () => Array.from({ length: 5 }, () => limit.take());
  expect(taken()).toEqual([true, true, true, false, false]);
  nowMs = 1_000;
  expect(taken()).toEqual([true, true, false, false, false]);
  nowMs = 100_000;
  expect(taken()).toEqual([true, true, true, false, false]);
});
