import {
  type AccountUpdate,
  type BlockMetaUpdate,
  CommitmentLevel,
  decodeTransactionError,
  type SubscribeUpdate,
  type TransactionUpdate,
} from '@sluice/geyser';
import { addressBytes, addressFromBytes } from '@sluice/protocol/layout/base58';
import { base58Of } from '@sluice/protocol/layout/base58-text';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalnet } from '../../src/api.ts';
import type { ChainTransaction } from '../../src/chain.ts';
import { TestChain } from '../support/chain/test-world.ts';
import { StreamBench, StreamReader } from '../support/geyser/stream-client.ts';

const { CONFIRMED } = CommitmentLevel;
const SOL = 1_000_000_000n;
const PROGRAMS = Object.values(MAINNET_PROGRAMS);

let bench: StreamBench;
beforeEach(() => {
  bench = new StreamBench();
});
afterEach(() => bench.close());

describe('a moving world', () => {
  it('streams each change of the programs, so that a follower has what the chain has', async () => {
    const chain = new TestChain();
    const server = await bench.serve(chain);
    const followed = new Map(
      PROGRAMS.flatMap((program) => [...chain.programAccounts(program)]).map(([address, { data }]) => [
        address,
        data,
      ]),
    );
    const before = new Map(followed);
    const reader = await bench.read(server, {
      accounts: new Map([['programs', { owner: PROGRAMS }]]),
      slots: new Map([['s', { filterByCommitment: true }]]),
      commitment: CONFIRMED,
    });
    chain.advance(60);
    for (let update = await reader.next(); ; update = await reader.next()) {
      const written = update.account?.account;
      if (written) followed.set(addressFromBytes(written.pubkey), Uint8Array.from(written.data));
      if (update.slot?.slot === chain.slot) break;
    }
    const now = new Map(
      PROGRAMS.flatMap((program) => [...chain.programAccounts(program)]).map(([address, { data }]) => [
        address,
        data,
      ]),
    );
    const changed = [...now].filter(
      ([address, data]) => !Buffer.from(data).equals(before.get(address) ?? new Uint8Array()),
    );
    expect(changed.length).toBeGreaterThan(50);
    expect([...followed.keys()].sort()).toEqual([...now.keys()].sort());
    for (const [address, data] of now)
      expect(Buffer.from(data).equals(followed.get(address) ?? new Uint8Array())).toBe(true);
  });

  it('streams each transaction, with all that the RPC knows of it', async () => {
    const chain = new TestChain();
    const server = await bench.serve(chain);
    const reader = await bench.read(server, {
      transactions: new Map([['t', { accountInclude: PROGRAMS, vote: false, failed: false }]]),
      slots: new Map([['s', { filterByCommitment: true }]]),
      blocksMeta: new Map([['b', {}]]),
      commitment: CONFIRMED,
    });
    const first = chain.slot;
    chain.advance(200);
    const seen: TransactionUpdate[] = [];
    const blocks = new Map<bigint, BlockMetaUpdate>();
    let update: SubscribeUpdate;
    do {
      update = await reader.next();
      if (update.transaction !== null) seen.push(update.transaction);
      if (update.blockMeta !== null) blocks.set(update.blockMeta.slot, update.blockMeta);
    } while (update.slot?.slot !== chain.slot);

    const expected: ChainTransaction[] = [];
    for (let slot = first + 1n; slot <= chain.slot; slot += 1n) {
      const { transactions, blockhash, previousBlockhash, blockHeight } = chain.block(slot);
      expect(blocks.get(slot)).toMatchObject({
        blockhash,
        parentBlockhash: previousBlockhash,
        parentSlot: slot - 1n,
        blockHeight: { blockHeight },
        executedTransactionCount: BigInt(transactions.length),
      });
      expected.push(
        ...transactions.filter(({ addresses }) => addresses.some((each) => PROGRAMS.includes(each))),
      );
    }
    expect(expected.length).toBeGreaterThan(10);
    expect(seen.map(({ transaction }) => base58Of(transaction?.signature ?? []))).toEqual(
      expected.map(({ signature }) => signature),
    );
    seen.forEach(({ transaction, slot }, i) => {
      const true_ = expected[i];
      if (true_ === undefined) throw new Error('no such transaction');
      expect(slot).toBe(true_.slot);
      const meta = transaction?.meta;
      const keys = [
        ...(transaction?.transaction?.message?.accountKeys ?? []),
        ...(meta?.loadedWritableAddresses ?? []),
        ...(meta?.loadedReadonlyAddresses ?? []),
      ].map(addressFromBytes);
      expect(new Set(keys)).toEqual(new Set(true_.addresses));
      expect(meta).toMatchObject({
        err: null,
        fee: true_.feeLamports,
        preBalances: true_.preBalances,
        postBalances: true_.postBalances,
        logMessages: true_.logs,
        computeUnitsConsumed: BigInt(true_.computeUnits),
      });
      expect(
        meta?.innerInstructions.flatMap(({ instructions }) => instructions.map(({ data }) => base58Of(data))),
      ).toEqual(true_.inner.flatMap(({ instructions }) => instructions.map(({ data }) => base58Of(data))));
      expect(
        meta?.postTokenBalances.map(({ mint, owner, uiTokenAmount }) => [mint, owner, uiTokenAmount?.amount]),
      ).toEqual(true_.postTokenBalances.map(({ mint, owner, amount }) => [mint, owner, String(amount)]));
    });
    expect(seen.some(({ transaction }) => (transaction?.meta?.innerInstructions.length ?? 0) > 0)).toBe(true);
    expect(seen.some(({ transaction }) => (transaction?.meta?.loadedWritableAddresses.length ?? 0) > 0)).toBe(
      true,
    );
  });
});

describe('transactions that are sent', () => {
  it('come one by one at PROCESSED, with the last write of a slot at CONFIRMED, and never after their slot', async () => {
    const chain = new TestChain();
    const server = await bench.serve(chain);
    const wallet = chain.addresses.emptyWallet;
    const [immediate, confirmed] = await Promise.all(
      [CommitmentLevel.PROCESSED, CONFIRMED].map((commitment) =>
        bench.read(server, {
          accounts: new Map([['wallet', { account: [wallet] }]]),
          slots: new Map([['s', { filterByCommitment: true }]]),
          commitment,
        }),
      ),
    );
    const failures = await bench.read(server, {
      transactions: new Map([['t', { failed: true, accountInclude: [wallet] }]]),
    });
    // Less than the rent of a new account.
    const refused = chain.send(chain.faucet.airdrop(wallet, 1n));
    const { transaction } = await failures.next();
    expect(decodeTransactionError(transaction?.transaction?.meta?.err?.err ?? new Uint8Array())).toEqual(
      refused.failure,
    );
    expect(refused.failure).toHaveProperty('InsufficientFundsForRent');
    // Twenty transfers at once: the first have slots of their own, the rest share one.
    const signatures: string[] = [];
    for (let i = 1n; i <= 20n; i += 1n) {
      const outcome = chain.send(chain.faucet.airdrop(wallet, SOL + i));
      if (outcome.kind === 'processed') signatures.push(outcome.record.signature);
    }
    const sharedSlot = chain.slot;
    const sharing = chain
      .block(sharedSlot)
      .transactions.filter(({ addresses }) => addresses.includes(wallet));
    expect(sharing.length).toBeGreaterThan(5);
    chain.advance(12);

    const updates = await updatesUntil(immediate, sharedSlot);
    const writes = updates.flatMap(({ account }) => account ?? []);
    expect(writes.map(signatureOf)).toEqual(signatures);
    const versions = writes.map(({ account }) => account?.writeVersion ?? 0n);
    expect(versions).toEqual(versions.toSorted((a, b) => Number(a - b)));
    let ended = 0n;
    for (const { account, slot } of updates) {
      if (slot !== null) ended = slot.slot;
      else expect(account?.slot).toBeGreaterThan(ended);
    }

    const last = (await updatesUntil(confirmed, sharedSlot)).flatMap(({ account }) => account ?? []);
    expect(last).toHaveLength(signatures.length - sharing.length + 1);
    expect(last.map(signatureOf).at(-1)).toBe(signatures.at(-1));
  });
});

async function updatesUntil(reader: StreamReader | undefined, end: bigint): Promise<SubscribeUpdate[]> {
  const updates: SubscribeUpdate[] = [];
  for (;;) {
    const update = await reader?.next();
    if (update === undefined) throw new Error('no reader');
    updates.push(update);
    if (update.slot?.slot === end) return updates;
  }
}

const signatureOf = ({ account }: AccountUpdate) => base58Of(account?.txnSignature ?? []);

describe('a frozen localnet', () => {
  it('streams what a test does, at once', async () => {
    const localnet = await startLocalnet({ geyserPort: 0, geyserToken: 'sesame' });
    try {
      const { addresses, geyserUrl } = localnet;
      const reader = new StreamReader(
        geyserUrl ?? '',
        {
          accounts: new Map([['reserve', { account: [addresses.reserve] }]]),
          commitment: CONFIRMED,
        },
        'sesame',
      );
      await reader.upToNow();
      localnet.setEmergencyMode(addresses.reserve, true);
      const update = await reader.next();
      expect(update.account?.account?.pubkey).toEqual(Uint8Array.from(addressBytes(addresses.reserve)));
      reader.update({
        accounts: new Map([['empty', { account: [addresses.emptyWallet] }]]),
        transactions: new Map([['t', { accountRequired: [addresses.emptyWallet] }]]),
        commitment: CONFIRMED,
      });
      await reader.upToNow();
      const response = await fetch(localnet.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'requestAirdrop',
          params: [addresses.emptyWallet, 1_000_000_000],
        }),
      });
      const { result: signature } = (await response.json()) as { result: string };
      const { account } = await reader.next();
      const { transaction } = await reader.next();
      expect(base58Of(account?.account?.txnSignature ?? [])).toBe(signature);
      expect(base58Of(transaction?.transaction?.signature ?? [])).toBe(signature);
      expect(account?.slot).toBe(transaction?.slot);
      await reader.close();
    } finally {
      await localnet.stop();
    }
  });
});
