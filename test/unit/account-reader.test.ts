import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { account, testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { accountsAt, fakeRpc } from '../../packages/rpc-pool/test/support/fake-rpc.ts';
import { failureOf } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type AccountKey, AccountReader, type ReadOptions } from '../../src/chain/accounts/account-reader.ts';

interface Page {
  readonly addresses: readonly Address[];
  readonly minContextSlot: bigint | undefined;
  readonly signal: AbortSignal | undefined;
  answer(slot?: bigint): void;
  fail(error: Error): void;
}

const address = testAddress;
const SLOT = 100n;

/** A reader whose pages wait until the test answers them. */
function readerOver(pageBytes?: number) {
  const pages: Page[] = [];
  const rpc = fakeRpc(({ params, signal }) => {
    const [addresses, config] = params as [Address[], { minContextSlot?: bigint }];
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => setTimeout(() => reject(signal.reason), 5));
      pages.push({
        addresses: addresses.filter((each) => each !== CLOCK_SYSVAR),
        minContextSlot: config.minContextSlot,
        signal,
        answer: (slot = SLOT) =>
          resolve(accountsAt(slot, addresses, (each) => account(Buffer.from(each.slice(0, 8))))),
        fail: reject,
      });
    });
  });
  const reader = new AccountReader(rpc, {
    commitment: 'confirmed',
    ...(pageBytes === undefined ? {} : { pageBytes }),
  });
  const read = (of: Address, options: Partial<ReadOptions & AccountKey> = {}) => {
    const { expectedBytes = 100, minSlot = 0n, signal = new AbortController().signal } = options;
    return reader.read({ address: of, expectedBytes }, { minSlot, signal });
  };
  const readMany = (of: readonly Address[], signal = new AbortController().signal) =>
    reader.readMany(
      of.map((each) => ({ address: each, expectedBytes: 100 })),
      { minSlot: 0n, signal },
    );
  return { pages, read, readMany };
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('reads in one turn of the event loop', () => {
  it('share a page with each address once, and each read gets its account', async () => {
    const { pages, read } = readerOver();
    const reads = [1, 2, 3, 2, 1].map((seed) => read(address(seed)));
    await turn();
    expect(pages.map((page) => page.addresses)).toEqual([[address(1), address(2), address(3)]]);
    pages[0]?.answer();
    const found = await Promise.all(reads);
    expect(found.map((each) => each.account?.address)).toEqual([1, 2, 3, 2, 1].map(address));
    expect(found[1]?.account?.data).toEqual(new TextEncoder().encode(address(2).slice(0, 8)));
  });

  it('are split into pages by count', async () => {
    const { pages, read } = readerOver();
    const reads = Array.from({ length: 200 }, (_, i) => read(address(i)));
    await turn();
    expect(pages.map((page) => page.addresses.length)).toEqual([98, 98, 4]);
    for (const page of pages) page.answer();
    await Promise.all(reads);
  });

  it('are split into pages by bytes, and an account larger than a page gets its own', async () => {
    const { pages, read } = readerOver(1_000);
    const sizes = [400, 400, 400, 5_000, 100];
    const reads = sizes.map((expectedBytes, i) => read(address(i), { expectedBytes }));
    await turn();
    expect(pages.map((page) => page.addresses.length)).toEqual([2, 1, 1, 1]);
    for (const page of pages) page.answer();
    await Promise.all(reads);
  });
});

describe('batches', () => {
  it('in one turn are merged into one page, and each gets its accounts in order', async () => {
    const { pages, readMany } = readerOver();
    const batches = [readMany([address(1), address(2)]), readMany([address(3), address(1)])];
    await turn();
    expect(pages.map((page) => page.addresses)).toEqual([[address(1), address(2), address(3)]]);
    pages[0]?.answer();
    const found = await Promise.all(batches);
    const addresses = found.map((batch) =>
      batch.map((each) => (each instanceof Error ? each : each.account?.address)),
    );
    expect(addresses).toEqual([
      [address(1), address(2)],
      [address(3), address(1)],
    ]);
  });

  it('report the failure of a page for each of its accounts', async () => {
    const { pages, readMany } = readerOver();
    const batch = readMany(Array.from({ length: 99 }, (_, i) => address(i)));
    await turn();
    pages[0]?.fail(new RangeError('broken'));
    pages[1]?.answer();
    const found = await batch;
    expect(found.filter((each) => each instanceof Error)).toHaveLength(98);
    expect(found[98]).toMatchObject({ account: { address: address(98) } });
  });

  it('settle every account when they are cancelled', async () => {
    const { pages, readMany } = readerOver();
    const leaver = new AbortController();
    const batch = readMany([address(1), address(2)], leaver.signal);
    await turn();
    leaver.abort();
    expect((await batch).map((each) => each instanceof Error && 'code' in each && each.code)).toEqual([
      'REQUEST_CANCELLED',
      'REQUEST_CANCELLED',
    ]);
    expect(pages[0]?.signal?.aborted).toBe(true);
  });

  it('without a key need no page', async () => {
    const { pages, readMany } = readerOver();
    expect(await readMany([])).toEqual([]);
    await turn();
    expect(pages).toHaveLength(0);
  });
});

describe('a read of an account already in flight', () => {
  it('joins the read in flight', async () => {
    const { pages, read } = readerOver();
    const first = read(address(1));
    await turn();
    const second = read(address(1));
    await turn();
    expect(pages).toHaveLength(1);
    pages[0]?.answer();
    expect((await first).page).toBe((await second).page);
  });

  it('is sent separately when it requires a later slot', async () => {
    const { pages, read } = readerOver();
    const first = read(address(1), { minSlot: 50n });
    await turn();
    const second = read(address(1), { minSlot: 120n });
    await turn();
    expect(pages.map((page) => page.minContextSlot)).toEqual([50n, 120n]);
    pages[1]?.answer(130n);
    pages[0]?.answer(60n);
    expect((await first).account?.slot).toBe(60n);
    expect((await second).account?.slot).toBe(130n);
  });

  it('does not join a read that all its callers have cancelled', async () => {
    const { pages, read } = readerOver();
    const leaver = new AbortController();
    const first = failureOf(read(address(1), { signal: leaver.signal }));
    await turn();
    leaver.abort();
    expect((await first).code).toBe('REQUEST_CANCELLED');
    const second = read(address(1));
    await turn();
    pages[1]?.answer();
    expect((await second).account?.address).toBe(address(1));
  });
});

describe('a cancelled read', () => {
  it('ends at once and leaves the page to the remaining callers', async () => {
    const { pages, read } = readerOver();
    const leaver = new AbortController();
    const left = failureOf(read(address(1), { signal: leaver.signal }));
    const stayed = read(address(2));
    await turn();
    leaver.abort();
    expect((await left).code).toBe('REQUEST_CANCELLED');
    expect(pages[0]?.signal?.aborted).toBe(false);
    pages[0]?.answer();
    expect((await stayed).account?.address).toBe(address(2));
  });

  it('cancels the page when it was its last caller', async () => {
    const { pages, read } = readerOver();
    const leavers = [new AbortController(), new AbortController()];
    const left = leavers.map(({ signal }, i) => failureOf(read(address(i), { signal })));
    await turn();
    leavers[0]?.abort();
    await turn();
    expect(pages[0]?.signal?.aborted).toBe(false);
    leavers[1]?.abort();
    await Promise.all(left);
    expect(pages[0]?.signal?.aborted).toBe(true);
  });

  it('sends nothing when cancelled before its turn', async () => {
    const { pages, read } = readerOver();
    const left = failureOf(read(address(1), { signal: AbortSignal.abort() }));
    await turn();
    expect((await left).code).toBe('REQUEST_CANCELLED');
    expect(pages).toHaveLength(0);
  });
});

it('fails all reads of a page that fails, and none of another', async () => {
  const { pages, read } = readerOver(1_000);
  const [bad, good] = [read(address(1), { expectedBytes: 900 }), read(address(2), { expectedBytes: 900 })];
  await turn();
  pages[0]?.fail(new RangeError('broken'));
  pages[1]?.answer();
  await expect(bad).rejects.toThrow('broken');
  expect((await good).account?.address).toBe(address(2));
});
