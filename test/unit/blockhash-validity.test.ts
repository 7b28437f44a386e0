import type { Blockhash } from '@solana/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BlockhashValidity } from '../../src/chain/relay/blockhash-validity.ts';
import { EndlessRelay } from '../support/sending/endless-relay.ts';
import { BLOCKHASH } from '../support/sending/signed-transactions.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const atOnce = () => Promise.resolve();

function validity() {
  const chain = new EndlessRelay();
  const { blockhashes } = chain.relay;
  const isValid = (blockhash: Blockhash = BLOCKHASH) => blockhashes.isValid(blockhash, atOnce);
  return { chain, isValid };
}

it('is asked once by all who ask at the same time and within a second', async () => {
  const { chain, isValid } = validity();
  expect(await Promise.all([isValid(), isValid()])).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await isValid()).toBe(true);
  expect(chain.callsOf('isBlockhashValid')).toHaveLength(1);
});

it('is asked again after a pause of two seconds whose timer fires a little early', async () => {
  const { chain, isValid } = validity();
  chain.isBlockhashValid = false;
  expect(await isValid()).toBe(false);
  chain.isBlockhashValid = true;
  // Timers count from the start of the turn in which they are set.
  await vi.advanceTimersByTimeAsync(1_950);
  expect(await isValid()).toBe(true);
  expect(chain.callsOf('isBlockhashValid')).toHaveLength(2);
});

it('is asked again after a failure', async () => {
  const { chain } = validity();
  const failing = new BlockhashValidity(
    {
      isBlockhashValid: () => ({ send: () => Promise.reject(new Error('down')) }),
    } as unknown as ConstructorParameters<typeof BlockhashValidity>[0],
    'confirmed',
    chain.relay.signal,
  );
  await expect(failing.isValid(BLOCKHASH, atOnce)).rejects.toThrow('down');
  await expect(failing.isValid(BLOCKHASH, () => Promise.reject(new Error('in turn')))).rejects.toThrow(
    'in turn',
  );
});
