import { CommitmentLevel, GrpcStatus } from '@sluice/geyser';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalnetGeyser } from '../../src/geyser/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';
import { StreamBench, type StreamReader } from '../support/geyser/stream-client.ts';

const VAULT = testAddress(2);
const V = VAULT.slice(0, 4);
const REQUEST = {
  accounts: new Map([['a', { account: [VAULT] }]]),
  slots: new Map([['s', { filterByCommitment: true }]]),
  commitment: CommitmentLevel.CONFIRMED,
};

let chain: FakeChain;
let bench: StreamBench;
let server: LocalnetGeyser;
let reader: StreamReader;
beforeEach(async () => {
  bench = new StreamBench();
  chain = new FakeChain();
  server = await bench.serve(chain);
  reader = await bench.read(server, REQUEST);
});
afterEach(() => bench.close());

const write = (...bytes: number[]) => chain.tick(new Map([[VAULT, account(Uint8Array.from(bytes))]]));

describe('faults', () => {
  it('drop connections; clients may come back', async () => {
    server.faults.drop();
    expect(await reader.failure()).toMatchObject({ status: GrpcStatus.UNAVAILABLE });
    const again = await bench.read(server, REQUEST);
    write(1);
    expect(await again.take(1)).toEqual([`a: 5001 ${V} 1000000 [01]`]);
  });

  it('stall: nothing arrives until it resumes', async () => {
    server.faults.stall();
    write(1);
    const pending = reader.take(2);
    const isSilent = await Promise.race([
      pending.then(() => false),
      // The server answers this, so a stalled update would have arrived before.
      reader.client.ping(1, new AbortController().signal).then(() => true),
    ]);
    expect(isSilent).toBe(true);
    server.faults.resume();
    expect(await pending).toEqual([`a: 5001 ${V} 1000000 [01]`, 's: 5001<5000 CONFIRMED']);
  });

  it('repeat each update', async () => {
    server.faults.copies = 2;
    write(1);
    expect(await reader.take(4)).toEqual([
      `a: 5001 ${V} 1000000 [01]`,
      `a: 5001 ${V} 1000000 [01]`,
      's: 5001<5000 CONFIRMED',
      's: 5001<5000 CONFIRMED',
    ]);
  });

  it('reorder a slot, at every level', async () => {
    const immediate = await bench.read(server, { ...REQUEST, commitment: CommitmentLevel.PROCESSED });
    server.faults.isReordered = true;
    write(1);
    expect(await reader.upToNow()).toEqual(['s: 5001<5000 CONFIRMED', `a: 5001 ${V} 1000000 [01]`]);
    expect(await immediate.upToNow()).toEqual(['s: 5001<5000 PROCESSED', `a: 5001 ${V} 1000000 [01]`]);
  });

  it('skip slots, which a replay has', async () => {
    server.faults.skip(2);
    for (const byte of [1, 2, 3]) write(byte);
    expect(await reader.upToNow()).toEqual([`a: 5003 ${V} 1000000 [03]`, 's: 5003<5002 CONFIRMED']);
    const again = bench.open(server, { ...REQUEST, fromSlot: 5_001n });
    expect(await again.take(2)).toEqual([`a: 5001 ${V} 1000000 [01]`, 's: 5001<5000 CONFIRMED']);
  });

  it('show a fork that dies at PROCESSED, and its true contents in the next slot', async () => {
    const immediate = await bench.read(server, {
      accounts: REQUEST.accounts,
      slots: new Map([['s', { interslotUpdates: true }]]),
    });
    server.faults.fork({ alter: (each) => ({ ...each, data: Uint8Array.of(0xff) }) });
    write(1);
    chain.tick();
    // The next slot begins with the writes that the fork displaced.
    expect(await reader.upToNow()).toEqual([`a: 5002 ${V} 1000000 [01]`, 's: 5002<5000 CONFIRMED']);
    expect(await immediate.upToNow()).toEqual([
      's: 5001<5000 FIRST_SHRED_RECEIVED',
      's: 5001<5000 CREATED_BANK',
      `a: 5001 ${V} 1000000 [ff]`,
      's: 5001<5000 COMPLETED',
      's: 5001<5000 PROCESSED',
      's: 5001<5000 DEAD',
      's: 5002<5000 FIRST_SHRED_RECEIVED',
      's: 5002<5000 CREATED_BANK',
      `a: 5002 ${V} 1000000 [01]`,
      's: 5002<5000 COMPLETED',
      's: 5002<5000 PROCESSED',
      's: 5002<5000 CONFIRMED',
      's: 5002<5000 FINALIZED',
    ]);
    const replay = bench.open(server, { ...REQUEST, fromSlot: 5_002n });
    expect(await replay.take(1)).toEqual([`a: 5002 ${V} 1000000 [01]`]);
  });

  it('show a fork of which only a sibling tells', async () => {
    const immediate = await bench.read(server, {
      accounts: REQUEST.accounts,
      slots: new Map([['s', { interslotUpdates: true }]]),
    });
    server.faults.fork({ isAnnounced: false });
    write(1);
    write(2);
    const lines = await immediate.upToNow();
    expect(lines.filter((line) => /DEAD|CONFIRMED|\[/.test(line))).toEqual([
      `a: 5001 ${V} 1000001 [01]`,
      `a: 5002 ${V} 1000000 [01]`,
      `a: 5002 ${V} 1000000 [02]`,
      's: 5002<5000 CONFIRMED',
    ]);
  });

  it('falsify the owner and cut the data of an account', async () => {
    const stop = server.faults.falsify({ address: VAULT, owner: testAddress(66), dataBytes: 1 });
    server.faults.falsify({ address: testAddress(3), dataBytes: 0 });
    write(1, 2, 3);
    const { account: falsified } = await reader.next();
    expect(falsified?.account).toMatchObject({
      owner: addressBytes(testAddress(66)),
      data: Uint8Array.of(1),
    });
    stop();
    write(1, 2, 3);
    await reader.take(1);
    expect(await reader.take(1)).toEqual([`a: 5002 ${V} 1000000 [010203]`]);
  });

  it('flood', async () => {
    write(1);
    await reader.take(2);
    server.faults.flood(5_000);
    const versions = new Set<bigint | undefined>();
    for (let i = 0; i < 5_000; i += 1) versions.add((await reader.next()).account?.account?.writeVersion);
    expect(versions.size).toBe(5_000);
  });

  it('refuse for ever', async () => {
    server.faults.refuse(GrpcStatus.INTERNAL, 'out of order');
    for (const failing of [reader, bench.open(server, REQUEST), bench.open(server, REQUEST)]) {
      expect(await failing.failure()).toMatchObject({ message: 'INTERNAL: out of order' });
    }
    server.faults.clear();
    await bench.read(server, REQUEST);
  });

  it('end with clear', async () => {
    server.faults.copies = 3;
    server.faults.isReordered = true;
    server.faults.skip(9);
    server.faults.falsify({ dataBytes: 0 });
    server.faults.stall();
    server.faults.clear();
    write(1);
    expect(await reader.upToNow()).toEqual([`a: 5001 ${V} 1000000 [01]`, 's: 5001<5000 CONFIRMED']);
  });
});
