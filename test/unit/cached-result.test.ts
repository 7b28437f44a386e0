import { expect, it } from 'vitest';
import { cachedResult } from '../../src/http/cached-result.ts';

it('computes once for callers at the same time and within the hold time', async () => {
  let nowMs = 0;
  let computed = 0;
  const read = cachedResult(
    async () => {
      computed += 1;
      return computed;
    },
    1_000,
    () => nowMs,
  );
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  nowMs = 999;
  expect(await read()).toBe(1);
  nowMs = 1_000;
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
});

it('counts the hold time from the end of the computation', async () => {
  let nowMs = 0;
  let computed = 0;
  const read = cachedResult(
    async () => {
      nowMs += 5_000;
      computed += 1;
      return computed;
    },
    1_000,
    () => nowMs,
  );
  expect([await read(), await read()]).toEqual([1, 1]);
});

it('does not keep a failure', async () => {
  const results = [Promise.reject(new Error('first')), Promise.resolve('second')];
  const read = cachedResult(
    () => results.shift() ?? Promise.reject(new Error('none left')),
    1_000,
    () => 0,
  );
  await expect(read()).rejects.toThrow('first');
  expect(await read()).toBe('second');
});
