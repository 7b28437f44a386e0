import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Chain } from '../../src/chain/chain.ts';
import type { Ingestion } from '../../src/ingest/ingestion.ts';
import { TransactionFollower } from '../../src/ingest/transaction-follower.ts';
import { StreamWorld } from '../support/ingest/stream-world.ts';

/** Polls after which an address that is due has certainly been read. */
const SEVERAL = 30;

describe('lists of vaults beside a stream', () => {
  let world: StreamWorld;
  let chain: Chain;
  let follower: TransactionFollower;
  let reads: Address[] = [];
  let streamedSince: bigint | null = null;
  let finalizedSlot = 1_000n;
  let polls = 0;
  let isReadable = true;
  let mints: readonly Address[] = [];

  beforeAll(async () => {
    world = await StreamWorld.open();
    chain = new Chain({
      rpcUrls: [world.rpcUrl],
      wsUrls: [],
      programs: MAINNET_PROGRAMS,
      cluster: 'localnet',
      commitment: 'confirmed',
      viewRefreshMs: 50,
      vaultRefreshMs: 50,
      discoveryIntervalMs: 60_000,
      viewsKept: 4,
      rpcTimeoutMs: 60_000,
      rpcMaxAttempts: 3,
      rpcConcurrency: 16,
    });
    chain.start();
    const ingestion = {
      source: { transactions: { finalizedSlot: async () => finalizedSlot } },
      follow: async (address: Address, { back }: { back: boolean }) => {
        if (!back) reads.push(address);
        return isReadable;
      },
      status: async () => ({ reachedStart: true }),
    };
    follower = new TransactionFollower({
      ingestion: ingestion as unknown as Ingestion,
      chain,
      leadership: { tryLead: async () => 1n, onLoss: () => undefined, resign: async () => undefined },
      stream: {
        follow(_fence, followed) {
          mints = followed;
          polls += 1;
        },
        streamedSince: () => streamedSince,
        stop: async () => undefined,
      },
      onFailure: (_, error) => {
        throw error;
      },
      pollMs: 5,
    });
    follower.start();
  }, 300_000);

  afterAll(async () => {
    await follower.stop();
    await chain.stop();
    await world.close();
  });

  beforeEach(() => {
    reads = [];
  });

  const lists = () =>
    world.chain.world.vaults.flatMap(({ address, sharesMint, farm }) => [
      address,
      sharesMint.address,
      ...(farm === null ? [] : [farm.address]),
    ]);

  async function pollOften(): Promise<void> {
    const before = polls;
    while (polls < before + SEVERAL) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Slots pass until the newest View shows a changed vault. */
  async function changeVaults(): Promise<void> {
    const slots = () =>
      [...(chain.views.newest?.all('vault').values() ?? [])].map(({ slot }) => String(slot)).join();
    const before = slots();
    while (slots() === before) {
      await world.advance(5);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('are all read once, and again when a vault changes, without a stream', async () => {
    while (polls === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await pollOften();
    expect(new Set(reads)).toEqual(new Set(lists()));
    expect(new Set(mints)).toEqual(new Set(world.shareMints));
    reads = [];
    await changeVaults();
    await pollOften();
    expect(reads.length).toBeGreaterThan(0);
  }, 300_000);

  it('are not read while the stream delivers what came after the last read', async () => {
    streamedSince = finalizedSlot + 1n;
    await pollOften();
    reads = [];
    await changeVaults();
    await pollOften();
    expect(reads).toEqual([]);
  }, 300_000);

  it('are read once more when the stream has begun anew after a gap', async () => {
    streamedSince = 2_001n;
    finalizedSlot = 2_000n;
    await pollOften();
    expect(reads.toSorted()).toEqual(lists().toSorted());
    reads = [];
    await pollOften();
    expect(reads).toEqual([]);
  }, 300_000);

  it('are read as before when a read failed, or the stream is lost', async () => {
    isReadable = false;
    streamedSince = 3_001n;
    finalizedSlot = 3_000n;
    await changeVaults();
    await pollOften();
    isReadable = true;
    reads = [];
    await changeVaults();
    await pollOften();
    expect(reads.length).toBeGreaterThan(0);
    streamedSince = null;
    await pollOften();
    reads = [];
    await changeVaults();
    await pollOften();
    expect(reads.length).toBeGreaterThan(0);
  }, 300_000);
});
