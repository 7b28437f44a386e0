import { expect, it } from 'vitest';
import { unlessAborted } from '../src/abort.ts';

it('drops the failure of work that was aborted before it began', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  await expect(unlessAborted(work, AbortSignal.abort('stopped'))).rejects.toBe('stopped');
  fail(new Error('too late'));
  // Unhandled rejections are reported after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listener);
  expect(unhandled).toEqual([]);
});

it('lets many wait for the end of one request without a warning of a leak', async () => {
  const warnings: Error[] = [];
  const listener = (warning: Error) => warnings.push(warning);
  process.on('warning', listener);
  const request = new AbortController();
  const never = new Promise<never>(() => undefined);
  const waiting = Array.from({ length: 11 }, () => unlessAborted(never, request.signal));
  request.abort('gone');
  expect(await Promise.allSettled(waiting)).toEqual(
    waiting.map(() => ({ status: 'rejected', reason: 'gone' })),
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listener);
  expect(warnings).toEqual([]);
});
