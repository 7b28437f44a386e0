import { CommitmentLevel, GrpcStatus } from '@sluice/geyser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';
import { StreamBench } from '../support/geyser/stream-client.ts';

const VAULT = testAddress(2);
const V = VAULT.slice(0, 4);
const REQUEST = { accounts: new Map([['a', { account: [VAULT] }]]), commitment: CommitmentLevel.CONFIRMED };
const never = new AbortController().signal;

let chain: FakeChain;
let bench: StreamBench;
beforeEach(() => {
  bench = new StreamBench();
  chain = new FakeChain();
});
afterEach(() => bench.close());

const write = (byte: number) => chain.tick(new Map([[VAULT, account(Uint8Array.of(byte))]]));

describe('replay', () => {
  it('begins with the slot it is asked for, repeats the newest, and goes on live', async () => {
    const server = await bench.serve(chain);
    for (const byte of [1, 2, 3]) write(byte);
    const reader = await bench.read(server, {});
    reader.update({ ...REQUEST, fromSlot: 5_002n });
    const replayed = await reader.upToNow();
    write(4);
    expect([...replayed, ...(await reader.upToNow())]).toEqual([
      `a: 5002 ${V} 1000000 [02]`,
      `a: 5003 ${V} 1000000 [03]`,
      `a: 5003 ${V} 1000000 [03]`,
      `a: 5004 ${V} 1000000 [04]`,
    ]);
  });

  it('is OUT_OF_RANGE beyond the window, whose first slot it names', async () => {
    const server = await bench.serve(chain, { replaySlots: 2 });
    const reader = bench.open(server, {});
    expect(await reader.client.subscribeReplayInfo(never)).toEqual({ firstAvailable: 5_001n });
    for (const byte of [1, 2, 3]) write(byte);
    expect(await reader.client.subscribeReplayInfo(never)).toEqual({ firstAvailable: 5_002n });
    const error = await bench.open(server, { ...REQUEST, fromSlot: 5_001n }).failure();
    expect(error).toMatchObject({ status: GrpcStatus.OUT_OF_RANGE });
    expect(error.message).toContain('5002');
    await bench.read(server, { ...REQUEST, fromSlot: 5_002n });
  });

  it('is INTERNAL ahead of the chain', async () => {
    const server = await bench.serve(chain);
    write(1);
    const error = await bench.open(server, { ...REQUEST, fromSlot: 5_002n }).failure();
    expect(error).toMatchObject({ message: 'INTERNAL: failed to get replay response' });
  });

  it('is INTERNAL when it is off', async () => {
    const server = await bench.serve(chain, { replaySlots: 0 });
    write(1);
    const { client } = bench.open(server, {});
    expect(await client.subscribeReplayInfo(never)).toEqual({ firstAvailable: null });
    const error = await bench.open(server, { ...REQUEST, fromSlot: 5_001n }).failure();
    expect(error).toMatchObject({ message: 'INTERNAL: from_slot is not supported' });
  });

  it('is lost with a restart', async () => {
    const server = await bench.serve(chain);
    write(1);
    const reader = await bench.read(server, REQUEST);
    server.faults.restart();
    expect(await reader.failure()).toMatchObject({ status: GrpcStatus.UNAVAILABLE });
    const error = await bench.open(server, { ...REQUEST, fromSlot: 5_001n }).failure();
    expect(error).toMatchObject({ status: GrpcStatus.OUT_OF_RANGE });
    write(2);
    expect(await bench.open(server, { ...REQUEST, fromSlot: 5_002n }).take(1)).toEqual([
      `a: 5002 ${V} 1000000 [02]`,
    ]);
  });
});

describe('unary methods', () => {
  it('answer from the chain', async () => {
    const { url } = await bench.serve(chain);
    write(1);
    const { client } = bench.open({ url }, {});
    expect(await client.getSlot(CommitmentLevel.CONFIRMED, never)).toBe(5_001n);
    expect(await client.getLatestBlockhash(CommitmentLevel.CONFIRMED, never)).toEqual({
      slot: 5_001n,
      ...chain.blockhash(),
    });
    expect(await client.ping(1, never)).toBe(2);
    expect(JSON.parse(await client.getVersion(never))).toHaveProperty('version');
  });
});
