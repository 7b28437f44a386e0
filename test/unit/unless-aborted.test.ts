import { expect, it } from 'vitest';
import { unlessAborted } from '../../src/node/unless-aborted.ts';

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
