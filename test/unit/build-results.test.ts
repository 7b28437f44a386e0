import { expect, it, vi } from 'vitest';
import type { PreparedBuild } from '../../src/services/builds/builds.ts';
import { simulateBuild, transactionsOf } from '../../src/services/builds/results.ts';
import type { Session } from '../../src/services/request/session.ts';

it.each([
  ['transactions', transactionsOf],
  ['simulation', simulateBuild],
])('the %s of a build are computed once, under however many names they are selected', async (_, compute) => {
  const fees = vi.fn(() => Promise.reject(new Error('no fee is known')));
  const prepared = { nonce: 'nonce', compute: fees } as Partial<PreparedBuild> as PreparedBuild;
  const session = {} as Session;
  const selected = [compute(session, prepared), compute(session, prepared)];
  for (const each of selected) await expect(each).rejects.toThrow('no fee is known');
  expect(fees).toHaveBeenCalledOnce();
  await expect(compute(session, { ...prepared })).rejects.toThrow();
  expect(fees).toHaveBeenCalledTimes(2);
});
