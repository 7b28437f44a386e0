import { CommitmentLevel, GrpcStatus, type SubscribeRequest } from '@sluice/geyser';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalnetGeyser } from '../../src/geyser/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';
import { StreamBench } from '../support/geyser/stream-client.ts';

const PROGRAM = testAddress(1);
const VAULT = testAddress(2);
const RESERVE = testAddress(3);
const [V, R] = [VAULT, RESERVE].map((address) => address.slice(0, 4));
const { PROCESSED, CONFIRMED, FINALIZED } = CommitmentLevel;

let chain: FakeChain;
let server: LocalnetGeyser;
let bench: StreamBench;
beforeEach(async () => {
  bench = new StreamBench();
  chain = new FakeChain();
  server = await bench.serve(chain);
});
afterEach(() => bench.close());

const changes = (...entries: [typeof VAULT, number[], typeof PROGRAM?][]) =>
  new Map(
    entries.map(([address, bytes, owner]) => [address, account(Uint8Array.from(bytes), owner ?? PROGRAM)]),
  );
const accountsOf = (
  filter: NonNullable<SubscribeRequest['accounts']> extends ReadonlyMap<string, infer F> ? F : never,
) => ({
  accounts: new Map([['a', filter]]),
});

describe('a subscription', () => {
  it('gets accounts of an owner, then the block, then the statuses of the slot', async () => {
    const request = {
      ...accountsOf({ owner: [PROGRAM] }),
      slots: new Map([['s', {}]]),
      blocksMeta: new Map([['b', {}]]),
    };
    const readers = await Promise.all(
      [PROCESSED, CONFIRMED, FINALIZED].map((commitment) => bench.read(server, { ...request, commitment })),
    );
    chain.tick(changes([VAULT, [1, 2]], [RESERVE, [3]], [testAddress(4), [9], testAddress(5)]));
    for (const reader of readers) {
      expect(await reader.upToNow()).toEqual([
        `a: 5001 ${V} 1000000 [0102]`,
        `a: 5001 ${R} 1000000 [03]`,
        'b: 5001 block',
        's: 5001<5000 PROCESSED',
        's: 5001<5000 CONFIRMED',
        's: 5001<5000 FINALIZED',
      ]);
    }
  });

  it('gets the whole of an account and of a block', async () => {
    const reader = await bench.read(server, {
      ...accountsOf({ account: [VAULT] }),
      blocksMeta: new Map([['b', {}]]),
    });
    chain.tick(changes([VAULT, [7]]));
    const update = await reader.next();
    expect(update.account).toEqual({
      slot: 5_001n,
      isStartup: false,
      account: {
        pubkey: addressBytes(VAULT),
        lamports: 1_000_000n,
        owner: addressBytes(PROGRAM),
        executable: false,
        rentEpoch: 18_446_744_073_709_551_615n,
        data: Uint8Array.of(7),
        writeVersion: 1n,
        txnSignature: null,
      },
    });
    expect(Number(update.createdAt?.seconds)).toBeGreaterThan(1_700_000_000);
    expect((await reader.next()).blockMeta).toMatchObject({
      slot: 5_001n,
      parentSlot: 5_000n,
      blockHeight: { blockHeight: 4_901n },
      blockTime: { timestamp: 1_700_002_000n },
      executedTransactionCount: 0n,
    });
  });

  it('sees a closed account without lamports, by address or by System but not by its former owner', async () => {
    chain.accounts.set(VAULT, account(Uint8Array.of(1), PROGRAM));
    const reader = await bench.read(server, {
      accounts: new Map([
        ['address', { account: [VAULT] }],
        ['owner', { owner: [PROGRAM] }],
        ['closed', { owner: [SYSTEM_PROGRAM], filters: [{ lamports: { eq: 0n } }] }],
      ]),
    });
    chain.tick(new Map([[VAULT, null]]));
    expect(await reader.upToNow()).toEqual([`address+closed: 5001 ${V} 0 []`]);
  });

  it('is replaced by the next request', async () => {
    const reader = await bench.read(server, accountsOf({ account: [VAULT] }));
    reader.update(accountsOf({ account: [RESERVE] }));
    await reader.upToNow();
    chain.tick(changes([VAULT, [1]], [RESERVE, [2]]));
    expect(await reader.upToNow()).toEqual([`a: 5001 ${R} 1000000 [02]`]);
  });

  it('gets statuses of its level, or those between, on request', async () => {
    const own = await bench.read(server, {
      commitment: CONFIRMED,
      slots: new Map([['s', { filterByCommitment: true }]]),
    });
    const all = await bench.read(server, { slots: new Map([['s', { interslotUpdates: true }]]) });
    chain.tick();
    // A slot begins with its first change.
    chain.tick(changes([VAULT, [1]]));
    expect(await own.upToNow()).toEqual(['s: 5001<5000 CONFIRMED', 's: 5002<5001 CONFIRMED']);
    const statuses = [
      'FIRST_SHRED_RECEIVED',
      'CREATED_BANK',
      'COMPLETED',
      'PROCESSED',
      'CONFIRMED',
      'FINALIZED',
    ];
    expect(await all.upToNow()).toEqual([
      ...statuses.map((status) => `s: 5001<5000 ${status}`),
      ...statuses.map((status) => `s: 5002<5001 ${status}`),
    ]);
  });

  it('gets a ping now and then', async () => {
    const { url } = await bench.serve(chain, { pingIntervalMs: 10 });
    const { client } = bench.open({ url }, {});
    let pings = 0;
    for await (const { ping } of client.subscribe({}, new AbortController().signal)) {
      if (ping !== null) pings += 1;
      if (pings === 2) break;
    }
    expect(pings).toBe(2);
  });
});

describe('filters of accounts', () => {
  const DATA = [10, 20, 30, 40];
  it.each([
    ['bytes in place', { memcmp: { offset: 1n, bytes: Uint8Array.of(20, 30) } }, true],
    ['base58 of other bytes', { memcmp: { offset: 1n, base58: 'LU' } }, false],
    ['base58 in place', { memcmp: { offset: 0n, base58: 'B' } }, true],
    ['base64 in place', { memcmp: { offset: 2n, base64: 'Hig=' } }, true],
    ['bytes that reach beyond the data', { memcmp: { offset: 3n, base64: 'Hig=' } }, false],
    ['its size', { datasize: 4n }, true],
    ['another size', { datasize: 5n }, false],
    ['the state of a token account', { tokenAccountState: true }, false],
    ['equal lamports', { lamports: { eq: 1_000_000n } }, true],
    ['unequal lamports', { lamports: { ne: 1_000_000n } }, false],
    ['fewer lamports', { lamports: { lt: 1_000_000n } }, false],
    ['more lamports', { lamports: { gt: 999_999n } }, true],
  ])('compare with %s', async (_, filter, passes) => {
    const reader = await bench.read(server, accountsOf({ filters: [filter] }));
    chain.tick(changes([VAULT, DATA]));
    expect(await reader.upToNow()).toHaveLength(passes ? 1 : 0);
  });

  it('know token accounts', async () => {
    const reader = await bench.read(server, accountsOf({ filters: [{ tokenAccountState: true }] }));
    const token = Array<number>(165).fill(0);
    token[108] = 1;
    const extended = [...token, 2, 0];
    chain.tick(
      changes(
        [VAULT, token],
        [RESERVE, Array(165).fill(0)],
        [testAddress(6), extended],
        [testAddress(7), [...token, 1]],
      ),
    );
    expect((await reader.upToNow()).map((line) => line.slice(0, 12))).toEqual([
      `a: 5001 ${V}`,
      `a: 5001 ${testAddress(6).slice(0, 4)}`,
    ]);
  });

  it('must all pass, while one name of several is enough', async () => {
    const reader = await bench.read(server, {
      accounts: new Map([
        [
          'both',
          {
            owner: [PROGRAM],
            filters: [{ datasize: 1n }, { memcmp: { offset: 0n, bytes: Uint8Array.of(5) } }],
          },
        ],
        ['size', { filters: [{ datasize: 1n }] }],
        ['address', { account: [RESERVE], owner: [testAddress(9)] }],
      ]),
    });
    chain.tick(changes([VAULT, [5]], [RESERVE, [6]]));
    expect(await reader.upToNow()).toEqual([
      `both+size: 5001 ${V} 1000000 [05]`,
      `size: 5001 ${R} 1000000 [06]`,
    ]);
  });

  it('go with slices of the data; one beyond its end is left out', async () => {
    const reader = await bench.read(server, {
      ...accountsOf({ owner: [PROGRAM] }),
      accountsDataSlice: [
        { offset: 0n, length: 1n },
        { offset: 2n, length: 2n },
      ],
    });
    chain.tick(changes([VAULT, [1, 2, 3, 4, 5]], [RESERVE, [1, 2, 3]]));
    expect(await reader.upToNow()).toEqual([`a: 5001 ${V} 1000000 [010304]`, `a: 5001 ${R} 1000000 [01]`]);
  });

  it.each([
    ['five filters', accountsOf({ filters: Array(5).fill({ lamports: { gt: 0n } }) })],
    ['two sizes', accountsOf({ filters: [{ datasize: 1n }, { datasize: 1n }] })],
    ['a state that is false', accountsOf({ filters: [{ tokenAccountState: false }] })],
    ['a long memcmp', accountsOf({ filters: [{ memcmp: { offset: 0n, bytes: new Uint8Array(129) } }] })],
    ['a memcmp without bytes', accountsOf({ filters: [{ memcmp: { offset: 0n } }] })],
    ['a memcmp that is not base58', accountsOf({ filters: [{ memcmp: { offset: 0n, base58: '0' } }] })],
    ['an empty filter', accountsOf({ filters: [{}] })],
    ['an owner that is no address', accountsOf({ owner: ['abc'] })],
    ['a long name', { accounts: new Map([['n'.repeat(129), {}]]) }],
    [
      'slices that overlap',
      {
        accountsDataSlice: [
          { offset: 0n, length: 2n },
          { offset: 1n, length: 1n },
        ],
      },
    ],
    ['an unknown commitment', { commitment: 3 }],
    ['blocks', { blocks: new Map([['b', {}]]) }],
    [
      'a transaction filter with a bad address',
      { transactions: new Map([['t', { accountInclude: ['x'] }]]) },
    ],
  ])('are refused: %s', async (_, request) => {
    const error = await bench.open(server, request).failure();
    expect(error).toMatchObject({ status: GrpcStatus.INVALID_ARGUMENT });
    expect(error.message).toMatch(/^INVALID_ARGUMENT: failed to create filter: /);
  });
});

describe('access', () => {
  it('needs the token', async () => {
    const closed = await bench.serve(chain, { token: 'sesame' });
    expect(await bench.open(closed, {}).failure()).toMatchObject({ status: GrpcStatus.UNAUTHENTICATED });
    expect(await bench.open(closed, {}, 'guess').failure()).toMatchObject({
      status: GrpcStatus.UNAUTHENTICATED,
    });
    const reader = await bench.read(closed, accountsOf({ owner: [PROGRAM] }), 'sesame');
    chain.tick(changes([VAULT, [1]]));
    expect(await reader.take(1)).toEqual([`a: 5001 ${V} 1000000 [01]`]);
  });
});
