import { GrpcStatus } from '@sluice/geyser/errors';
import { TRANSACTION_INFO } from '@sluice/geyser/messages';
import { encodeTransaction } from '@sluice/localnet/geyser/encode-transaction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { streamedTransaction } from '../../src/chain/transactions/streamed-transaction.ts';
import { TransactionStream } from '../../src/chain/transactions/transaction-stream.ts';
import { GapFiller } from '../../src/ingest/stream/gap-filler.ts';
import type { StreamFollowerOptions } from '../../src/ingest/stream/stream-follower.ts';
import { EVENT_TABLES } from '../../src/store/transactions/event-rows.ts';
import { addRange } from '../../src/store/transactions/slot-ranges.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { SCOPE, StreamReader, StreamWorld, storedEvents } from '../support/ingest/stream-world.ts';
import { allTransactions } from '../support/localnet/confirmed-transactions.ts';

const TIMEOUT = 300_000;
/** Lists and transactions of the RPC. The stream is only checked against blocks. */
const LISTS = ['getSignaturesForAddress', 'getTransaction'];

describe.each(postgres())('transactions of a stream on $name', (kind) => {
  let world: StreamWorld;
  const readers: StreamReader[] = [];
  beforeAll(async () => {
    world = await StreamWorld.open();
  }, TIMEOUT);
  afterAll(() => world.close());
  afterEach(async () => {
    world.geyser.faults.clear();
    for (const reader of readers.splice(0)) await reader.close();
  });

  async function reader(options: Partial<StreamFollowerOptions> = {}): Promise<StreamReader> {
    const opened = await StreamReader.open(kind, world, options);
    readers.push(opened);
    return opened;
  }

  /** Everything between the slots is stored once, and proven. */
  async function expectWhole({ history }: StreamReader, after: bigint, to: bigint): Promise<void> {
    const expected = world.eventsBetween(after, to);
    expect(expected.length).toBeGreaterThan(3);
    expect(await storedEvents(history.db, after, to)).toEqual(expected);
  }

  it('are read to the same form as from the RPC', async () => {
    const { chain } = world;
    const sample = allTransactions(chain).filter((_, i) => i % 40 === 0);
    const read = await reader();
    const { signal } = new AbortController();
    const signatures = sample.map(({ signature }) => signature);
    const expected = await read.source.transactions.readTransactions(signatures, { concurrency: 8, signal });
    const codec = TRANSACTION_INFO;
    const streamed = sample.map((each, i) => {
      const { slot, blockTime: time, signature } = each;
      const info = codec.decode(codec.encode(encodeTransaction(each, i)));
      return { signature, transaction: streamedTransaction(info, { slot, time }) };
    });
    expect(streamed).toEqual(expected);
    // The sample has what the two encodings write differently.
    const given = streamed.map(({ transaction }) => transaction);
    const loaded = sample.map(
      ({ loadedWritable, loadedReadonly }) => loadedWritable.length + loadedReadonly.length,
    );
    expect(loaded.some((count) => count > 0)).toBe(true);
    expect(given.some(({ innerInstructions }) => innerInstructions.length > 0)).toBe(true);
    expect(
      given.some(({ postTokenBalances }) => postTokenBalances.some(({ amount }) => amount > 2n ** 32n)),
    ).toBe(true);
  }, 300_000);

  it('are stored as they come, without a list of the RPC', async () => {
    const read = await reader();
    const first = await read.begin();
    expect(read.follower.isLive).toBe(false);
    read.follow();
    const to = await world.advance(60);
    await read.storedTo(to);
    await expectWhole(read, first, to);
    expect(LISTS.map((method) => read.callsOf(method))).toEqual([0, 0]);
    expect(read.failures).toEqual([]);
    expect(read.follower.isLive).toBe(true);
    expect(read.follower.streamedSince(MAINNET_PROGRAMS.kvault)).toBe(first + 1n);
  }, 300_000);

  it('are the same rows as those that the RPC lists', async () => {
    const [streamed, listed] = [await reader(), await reader()];
    const first = await streamed.begin();
    streamed.follow();
    const to = await world.advance(60);
    await streamed.storedTo(to);
    for (const slot of [first, to + 1n]) await addRange(listed.history.db, SCOPE, { from: slot, to: slot });
    const gaps = new GapFiller({ source: listed.source, programs: MAINNET_PROGRAMS });
    const { signal } = new AbortController();
    await gaps.fill({ fence: listed.history.fence, mints: world.shareMints, signal });
    expect(await listed.ranges()).toEqual([{ from: first, to: to + 1n }]);
    await expectWhole(listed, first, to);
    for (const table of EVENT_TABLES) {
      const rows = ({ history }: StreamReader) =>
        history.db.rows(
          `SELECT signature, event_index, slot::text, place, block_time, kind FROM ${table}
           WHERE slot > $1::bigint AND slot <= $2::bigint ORDER BY signature, event_index`,
          [first, to],
        );
      expect(await rows(streamed)).toEqual(await rows(listed));
    }
  }, 300_000);

  it('continue after a lost connection, by replay', async () => {
    const read = await reader();
    const first = await read.begin();
    read.follow();
    for (let i = 0; i < 4; i += 1) {
      await world.advance(15);
      world.geyser.faults.drop();
    }
    const to = await world.advance(15);
    await read.storedTo(to);
    await expectWhole(read, first, to);
    expect(LISTS.map((method) => read.callsOf(method))).toEqual([0, 0]);
  }, 300_000);

  it('are asked for again where slots did not come', async () => {
    const read = await reader();
    const first = await read.begin();
    read.follow();
    await read.storedTo(await world.advance(10));
    world.geyser.faults.skip(20);
    const to = await world.advance(60);
    await read.storedTo(to);
    await expectWhole(read, first, to);
    expect(read.failures.join()).toContain('(GAP)');
    expect(LISTS.map((method) => read.callsOf(method))).toEqual([0, 0]);
  }, 300_000);

  it('are read from the RPC where the server cannot replay, and proven then', async () => {
    const read = await reader({ fillEveryMs: 86_400_000 });
    const first = await read.begin();
    read.follow();
    await read.storedTo(await world.advance(10));
    await read.stop();
    await world.advance(40);
    world.geyser.faults.restart();
    const resumed = await world.advance(2);
    read.follow();
    while ((await read.ranges()).length < 2) await world.advance(1);
    const [before, after] = await read.ranges();
    expect(before?.from).toBe(first);
    expect(after?.from).toBeGreaterThan(resumed - 2n);
    expect(LISTS.map((method) => read.callsOf(method))).toEqual([0, 0]);
    const gaps = new GapFiller({ source: read.source, programs: MAINNET_PROGRAMS });
    const { signal } = new AbortController();
    await gaps.fill({ fence: read.history.fence, mints: world.shareMints, signal });
    expect(read.callsOf('getSignaturesForAddress')).toBeGreaterThan(0);
    const to = await world.advance(10);
    await read.storedTo(to);
    await expectWhole(read, first, to);
  }, 300_000);

  it('are stored once when the stream repeats and reorders', async () => {
    world.geyser.faults.copies = 3;
    world.geyser.faults.isReordered = true;
    const read = await reader();
    const first = await read.begin();
    read.follow();
    const to = await world.advance(60);
    await read.storedTo(to);
    await expectWhole(read, first, to);
  }, 300_000);

  it('of a fork that dies are not stored twice', async () => {
    const read = await reader();
    const first = await read.begin();
    read.follow();
    for (let i = 0; i < 4; i += 1) {
      world.geyser.faults.fork({ isAnnounced: i % 2 === 0 });
      await world.advance(10);
    }
    const to = await world.advance(20);
    await read.storedTo(to);
    await expectWhole(read, first, to);
  }, 300_000);

  it('continue in another process from the last proven slot', async () => {
    const read = await reader();
    const first = await read.begin();
    for (let i = 0; i < 5; i += 1) {
      await read.restart();
      await world.advance(12);
    }
    const to = await world.advance(10);
    await read.storedTo(to);
    await expectWhole(read, first, to);
    expect(LISTS.map((method) => read.callsOf(method))).toEqual([0, 0]);
  }, 300_000);

  it('are not stored when the RPC has another block in the slot', async () => {
    const chain = { finalBlock: async () => ({ isFinal: true, blockhash: 'another' }) };
    const read = await reader({ chain });
    const first = await read.begin();
    read.follow();
    while (!read.failures.join().includes('CONTRADICTS_RPC')) await world.advance(1);
    expect(read.follower.isLive).toBe(false);
    expect(await read.ranges()).toEqual([{ from: first, to: first }]);
    expect(await storedEvents(read.history.db, 0n, world.chain.slot)).toEqual([]);
  }, 300_000);

  it.each([
    ['stalls', () => world.geyser.faults.stall()],
    ['answers Internal for ever', () => world.geyser.faults.refuse(GrpcStatus.INTERNAL, 'broken')],
  ])(
    'are left to the lists while the stream %s',
    async (_, fault) => {
      const stream = new TransactionStream({ endpoints: [{ url: world.geyser.url }], stallMs: 1_000 });
      const read = await reader({ stream });
      const first = await read.begin();
      read.follow();
      await read.storedTo(await world.advance(10));
      fault();
      while (read.follower.isLive) await world.advance(1);
      expect(read.follower.streamedSince(MAINNET_PROGRAMS.kvault)).toBeNull();
      world.geyser.faults.clear();
      const to = await world.advance(20);
      await read.storedTo(to);
      expect(read.follower.isLive).toBe(true);
      await expectWhole(read, first, to);
    },
    300_000,
  );
});
