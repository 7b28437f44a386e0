import { SUBSCRIBE_UPDATE, type SubscribeUpdateInput } from '@sluice/geyser/messages';
import { base58Of } from '@sluice/protocol/layout/base58-text';
import { describe, expect, it } from 'vitest';
import { BlockAssembly, type FinalBlock } from '../../src/chain/transactions/block-assembly.ts';

const signature = (id: number) => new Uint8Array(64).fill(id);

function transaction(slot: bigint, id: number, index = id): SubscribeUpdateInput {
  const key = new Uint8Array(32).fill(id);
  const message = { accountKeys: [key], instructions: [] };
  const meta = { preBalances: [1n], postBalances: [1n] };
  return {
    transaction: {
      slot,
      transaction: {
        signature: signature(id),
        index: BigInt(index),
        transaction: { signatures: [signature(id)], message },
        meta,
      },
    },
  };
}

function block(
  slot: bigint,
  over: { parent?: bigint; hash?: string; parentHash?: string; time?: null } = {},
) {
  const parentSlot = over.parent ?? slot - 1n;
  const blockTime = over.time === null ? null : { timestamp: 1_700_000_000n + slot };
  return {
    blockMeta: {
      slot,
      blockhash: over.hash ?? `hash ${slot}`,
      parentSlot,
      parentBlockhash: over.parentHash ?? `hash ${parentSlot}`,
      blockTime,
    },
  };
}

/** As a client decodes it. */
const decoded = (update: SubscribeUpdateInput) => SUBSCRIBE_UPDATE.decode(SUBSCRIBE_UPDATE.encode(update));

/** The blocks that come of the updates. */
function blocksOf(updates: readonly SubscribeUpdateInput[]): FinalBlock[] {
  const assembly = new BlockAssembly();
  return updates.flatMap((update) => assembly.take(decoded(update)));
}

const shown = (blocks: readonly FinalBlock[]) =>
  blocks.map(({ slot, transactions }) => [
    Number(slot),
    transactions.map(({ transaction: { signature: text } }) => text),
  ]);
const text = (id: number) => base58Of(signature(id));

describe('blocks of a stream', () => {
  it('are delivered when a later one comes, with their transactions in the order of the block', () => {
    const updates = [transaction(5n, 2), transaction(5n, 1), block(5n), transaction(6n, 3), block(6n)];
    expect(shown(blocksOf(updates))).toEqual([[5, [text(1), text(2)]]]);
    expect(shown(blocksOf([...updates, block(8n, { parent: 6n })]))).toEqual([
      [5, [text(1), text(2)]],
      [6, [text(3)]],
    ]);
  });

  it('give their transactions slot, time and place', () => {
    const [found] = blocksOf([transaction(5n, 1, 40), block(5n), block(6n)]);
    expect(found).toMatchObject({ slot: 5n, parentSlot: 4n, blockhash: 'hash 5', parentBlockhash: 'hash 4' });
    expect(found?.transactions).toMatchObject([
      { place: 40, transaction: { slot: 5n, blockTime: 1_700_000_005, failed: false } },
    ]);
  });

  it('are complete whatever the order within a slot', () => {
    const updates = [block(5n), transaction(5n, 1), block(6n), transaction(6n, 2), block(7n)];
    expect(shown(blocksOf(updates))).toEqual([
      [5, [text(1)]],
      [6, [text(2)]],
    ]);
  });

  it('are delivered once when everything comes twice', () => {
    const once = [transaction(5n, 1), block(5n), transaction(6n, 2), block(6n)];
    const updates = [...once.flatMap((each) => [each, each]), ...once, block(7n)];
    expect(shown(blocksOf(updates))).toEqual([
      [5, [text(1)]],
      [6, [text(2)]],
    ]);
  });

  it('are delivered again with a transaction that comes late', () => {
    expect(shown(blocksOf([transaction(5n, 1), block(5n), block(6n), transaction(5n, 2)]))).toEqual([
      [5, [text(1)]],
      [5, [text(2)]],
    ]);
  });

  it('are missing without a time', () => {
    expect(shown(blocksOf([transaction(5n, 1), block(5n, { time: null }), block(6n), block(7n)]))).toEqual([
      [6, []],
    ]);
  });

  it('are refused when they exclude each other', () => {
    expect(() => blocksOf([block(5n), block(5n, { hash: 'other' })])).toThrow('FORK');
    expect(() => blocksOf([block(5n), block(6n, { parentHash: 'other' })])).toThrow('FORK');
  });

  it('are refused when more transactions come than may wait', () => {
    const assembly = new BlockAssembly(2);
    const flood = () => {
      for (const id of [1, 1, 2, 3]) assembly.take(decoded(transaction(5n, id)));
    };
    expect(flood).toThrow('FLOOD');
  });

  it('are refused when a transaction has no outcome', () => {
    const update = transaction(5n, 1);
    Object.assign(update.transaction?.transaction ?? {}, { meta: null });
    expect(() => blocksOf([update, block(5n), block(6n)])).toThrow('MALFORMED');
  });
});
