import { type Blockhash, createSolanaRpc } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import { BLOCKHASH, FakeChain, testAddress } from '../support/chain/fake-chain.ts';

const localChain = new FakeChain();
let server: LocalnetRpc;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeAll(async () => {
  server = await startRpcServer(localChain);
  rpc = createSolanaRpc(server.url as `http://${string}`);
});
afterAll(() => server.close());

test('slot and block height are the chain’s', async () => {
  expect(await rpc.getSlot().send()).toBe(5_000n);
  expect(await rpc.getBlockHeight().send()).toBe(4_900n);
  await expect(rpc.getSlot({ minContextSlot: 6_000n }).send()).rejects.toMatchObject({
    context: { __code: -32016, contextSlot: 5_000n },
  });
});

test('getBlockTime covers the first slot to the newest', async () => {
  expect(await rpc.getBlockTime(1_000n).send()).toBe(1_700_000_000n);
  expect(await rpc.getBlockTime(5_000n).send()).toBe(1_700_002_000n);
  await expect(rpc.getBlockTime(5_001n).send()).rejects.toMatchObject({
    context: { __code: -32004, __serverMessage: 'Block not available for slot 5001' },
  });
  await expect(rpc.getBlockTime(3n).send()).rejects.toMatchObject({
    context: {
      __code: -32001,
      __serverMessage: 'Block 3 cleaned up, does not exist on node. First available block: 1000',
    },
  });
  expect(await rpc.getFirstAvailableBlock().send()).toBe(1_000n);
  expect(await rpc.minimumLedgerSlot().send()).toBe(1_000n);
});

test('blockhashes', async () => {
  expect(await rpc.getLatestBlockhash().send()).toEqual({
    context: { apiVersion: '2.3.6', slot: 5_000n },
    value: { blockhash: BLOCKHASH, lastValidBlockHeight: 5_050n },
  });
  expect((await rpc.isBlockhashValid(BLOCKHASH).send()).value).toBe(true);
  const other = testAddress(7) as string as Blockhash;
  expect((await rpc.isBlockhashValid(other).send()).value).toBe(false);
});

test('epochs', async () => {
  expect(await rpc.getEpochInfo().send()).toEqual({
    absoluteSlot: 5_000n,
    blockHeight: 4_900n,
    epoch: 0n,
    slotIndex: 5_000n,
    slotsInEpoch: 432_000n,
    transactionCount: null,
  });
  expect(await rpc.getEpochSchedule().send()).toEqual({
    firstNormalEpoch: 0n,
    firstNormalSlot: 0n,
    leaderScheduleSlotOffset: 432_000n,
    slotsPerEpoch: 432_000n,
    warmup: false,
  });
});

test('performance samples reach back to the first slot, newest first', async () => {
  const samples = await rpc.getRecentPerformanceSamples(2).send();
  expect(samples).toEqual([
    { numNonVoteTransactions: 0n, numSlots: 150n, numTransactions: 0n, samplePeriodSecs: 75, slot: 5_000n },
    { numNonVoteTransactions: 0n, numSlots: 150n, numTransactions: 0n, samplePeriodSecs: 75, slot: 4_850n },
  ]);
  expect(await rpc.getRecentPerformanceSamples().send()).toHaveLength(26);
});

test('priority fees are zero for the last 150 slots', async () => {
  const fees = await rpc.getRecentPrioritizationFees([testAddress(1)]).send();
  expect(fees).toHaveLength(150);
  expect(fees[0]).toEqual({ prioritizationFee: 0n, slot: 4_851n });
  expect(fees.at(-1)).toEqual({ prioritizationFee: 0n, slot: 5_000n });
});

test('the node has an identity, version and genesis hash of no public cluster', async () => {
  expect(await rpc.getHealth().send()).toBe('ok');
  expect(await rpc.getVersion().send()).toEqual({ 'feature-set': 0, 'solana-core': '2.3.6' });
  const genesis = await rpc.getGenesisHash().send();
  expect(genesis).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
  expect(genesis).not.toBe('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d');
  const { identity } = await rpc.getIdentity().send();
  const nodes = await rpc.getClusterNodes().send();
  expect(nodes.map(({ pubkey, rpc: address, version }) => ({ pubkey, address, version }))).toEqual([
    { pubkey: identity, address: null, version: '2.3.6' },
  ]);
  expect(await rpc.getVoteAccounts().send()).toEqual({ current: [], delinquent: [] });
});
