import { describe, expect, it } from 'vitest';
import { type FakeCall, fakeRpc } from '../../packages/rpc-pool/test/support/fake-rpc.ts';
import { ChainEpochs } from '../../src/chain/cluster/epochs.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';

const SCHEDULE = {
  firstNormalEpoch: 0n,
  firstNormalSlot: 0n,
  leaderScheduleSlotOffset: 100n,
  slotsPerEpoch: 100n,
  warmup: false,
};
const signal = new AbortController().signal;

const refused = (rpcCode: number) =>
  new SluiceError('RPC_REFUSED', { method: 'getBlockTime', rpcCode, rpcMessage: '' });

/** Epochs of 100 slots of a second each. `blockAt` throws for a slot without a known block. */
function epochsOver(blockAt: (slot: bigint) => unknown) {
  const calls: string[] = [];
  const rpc = fakeRpc(({ method, params }: FakeCall) => {
    calls.push(method);
    return method === 'getEpochSchedule' ? SCHEDULE : blockAt(BigInt(String(params[0])));
  });
  return { epochs: new ChainEpochs(rpc, 5_000), calls };
}

const numbers = (list: readonly { readonly epoch: bigint }[]) => list.map(({ epoch }) => Number(epoch));

describe('completed epochs', () => {
  it('are read once an epoch, for all requests', async () => {
    const { epochs, calls } = epochsOver((slot) => slot);
    const [first, second] = await Promise.all([
      epochs.completedAt(350n, signal),
      epochs.completedAt(399n, signal),
    ]);
    expect(second).toBe(first);
    expect(first[0]).toEqual({
      epoch: 2n,
      firstSlot: 200n,
      lastSlot: 299n,
      startedAt: new Date(200_000),
      endedAt: new Date(299_000),
    });
    expect(numbers(first)).toEqual([2, 1, 0]);
    expect(calls).toHaveLength(1 + 3 * 2);
    expect(numbers(await epochs.completedAt(400n, signal))).toEqual([3, 2, 1, 0]);
    expect(calls).toHaveLength(1 + 4 * 2);
  });

  it('begin and end with the nearest block where slots were skipped', async () => {
    const { epochs } = epochsOver((slot) => {
      if (slot % 100n < 3n) throw refused(-32007);
      if (slot % 100n > 97n) throw refused(-32009);
      return slot;
    });
    const [newest] = await epochs.completedAt(150n, signal);
    expect([newest?.startedAt, newest?.endedAt]).toEqual([new Date(3_000), new Date(97_000)]);
  });

  it.each([
    ['is cleaned up', () => Promise.reject(refused(-32001))],
    ['has no time', () => null],
  ])('go back to the oldest whose block the node has: it %s', async (_what, gone) => {
    const { epochs } = epochsOver((slot) => (slot < 250n ? gone() : slot));
    expect(numbers(await epochs.completedAt(550n, signal))).toEqual([4, 3]);
  });

  it('fail with the error of the RPC, and are read again by the next request', async () => {
    const down = new SluiceError('RPC_UNAVAILABLE', { method: 'getBlockTime', attempts: 1 });
    let isDown = true;
    const { epochs } = epochsOver((slot) => {
      if (isDown) throw down;
      return slot;
    });
    await expect(epochs.completedAt(250n, signal)).rejects.toBe(down);
    isDown = false;
    expect(numbers(await epochs.completedAt(250n, signal))).toEqual([1, 0]);
  });

  it('are at most twenty', async () => {
    const { epochs } = epochsOver((slot) => slot);
    expect(await epochs.completedAt(100_000n, signal)).toHaveLength(20);
  });
});
