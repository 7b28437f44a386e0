import type { GetSignatureStatusesApi, Rpc } from '@solana/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SignatureStatuses } from '../../src/chain/relay/signature-statuses.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** Statuses on an RPC that knows no transaction, and the signatures of each call. */
function setUp() {
  const calls: (readonly string[])[] = [];
  const rpc = {
    getSignatureStatuses(signatures: readonly string[]) {
      calls.push(signatures);
      return { send: async () => ({ value: signatures.map(() => null) }) };
    },
  } as unknown as Rpc<GetSignatureStatusesApi>;
  const { signal } = new AbortController();
  const statuses = new SignatureStatuses(rpc, signal);
  const ask = async (signatures: readonly string[]) => {
    const answers = Promise.all(signatures.map((each) => statuses.read(each, signal)));
    await vi.advanceTimersByTimeAsync(20);
    expect(await answers).toEqual(signatures.map(() => null));
  };
  return { calls, ask };
}

const named = (count: number) => Array.from({ length: count }, (_, i) => `signature ${i}`);

it('reads all that are asked about together, in calls of at most 256', async () => {
  const { calls, ask } = setUp();
  await ask(named(300));
  expect(calls).toEqual([named(300).slice(0, 256), named(300).slice(256)]);
});

it('reads a signature along with others for six seconds after it was asked about', async () => {
  const { calls, ask } = setUp();
  const [first = '', second = '', third = ''] = named(3);
  await ask([first]);
  await vi.advanceTimersByTimeAsync(5_000);
  await ask([second]);
  await vi.advanceTimersByTimeAsync(2_000);
  await ask([third]);
  expect(calls).toEqual([[first], [first, second], [second, third]]);
});
