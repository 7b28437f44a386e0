import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { LOOKUP_TABLE_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Address,
  type Base58EncodedBytes,
  type Base64EncodedBytes,
  createSolanaRpc,
  fetchAddressesForLookupTables,
  getBase58Decoder,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';

const PROGRAM = testAddress(1);
const SMALL = testAddress(2);
const LARGE = testAddress(3);
const RICH = testAddress(4);
const TABLE = testAddress(5);
const MISSING = testAddress(9);
const U64_MAX = 18_446_744_073_709_551_615n;

const smallBytes = Uint8Array.from({ length: 40 }, (_, i) => i);
const largeBytes = Uint8Array.from({ length: 3_000 }, (_, i) => i % 251);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const base58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes);

const localChain = new FakeChain();
let server: LocalnetRpc;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeAll(async () => {
  localChain.accounts.set(SMALL, account(smallBytes, PROGRAM, 1_169_280n));
  localChain.accounts.set(LARGE, account(largeBytes, PROGRAM, 21_771_840n));
  localChain.accounts.set(RICH, { ...account(new Uint8Array()), lamports: U64_MAX, executable: true });
  localChain.accounts.set(
    TABLE,
    account(
      encodeLookupTable({
        deactivationSlot: null,
        lastExtendedSlot: 77n,
        lastExtendedStartIndex: 0,
        authority: SMALL,
        addresses: [LARGE, RICH],
      }),
      LOOKUP_TABLE_PROGRAM,
    ),
  );
  server = await startRpcServer(localChain);
  rpc = createSolanaRpc(server.url as `http://${string}`);
});
afterAll(() => server.close());

describe('getAccountInfo', () => {
  test('returns an account as a node does, at the chain slot', async () => {
    const answer = await rpc.getAccountInfo(SMALL, { encoding: 'base64' }).send();
    expect(answer).toEqual({
      context: { apiVersion: '2.3.6', slot: 5_000n },
      value: {
        data: [base64(smallBytes), 'base64'],
        executable: false,
        lamports: 1_169_280n,
        owner: PROGRAM,
        rentEpoch: U64_MAX,
        space: 40n,
      },
    });
  });

  test('returns null for an account that does not exist', async () => {
    const { value } = await rpc.getAccountInfo(MISSING, { encoding: 'base64' }).send();
    expect(value).toBeNull();
  });

  test('writes integers beyond 2^53 exactly', async () => {
    const { value } = await rpc.getAccountInfo(RICH, { encoding: 'base64' }).send();
    expect(value?.lamports).toBe(U64_MAX);
    expect(value?.executable).toBe(true);
  });

  test('slices the data but reports the full space', async () => {
    const slice = (offset: number, length: number) =>
      rpc.getAccountInfo(LARGE, { encoding: 'base64', dataSlice: { offset, length } }).send();
    expect((await slice(10, 4)).value).toMatchObject({
      data: [base64(largeBytes.subarray(10, 14)), 'base64'],
      space: 3_000n,
    });
    expect((await slice(2_998, 10)).value?.data).toEqual([base64(largeBytes.subarray(2_998)), 'base64']);
    expect((await slice(9_000, 10)).value?.data).toEqual(['', 'base64']);
  });

  test('encodes small data in base58 and rejects large data', async () => {
    const small = await rpc.getAccountInfo(SMALL, { encoding: 'base58' }).send();
    expect(small.value?.data).toEqual([base58(smallBytes), 'base58']);
    const bare = await rpc.getAccountInfo(SMALL).send();
    expect(bare.value?.data).toBe(base58(smallBytes));
    const sliced = { encoding: 'base58', dataSlice: { offset: 0, length: 128 } } as const;
    expect((await rpc.getAccountInfo(LARGE, sliced).send()).value?.data).toEqual([
      base58(largeBytes.subarray(0, 128)),
      'base58',
    ]);
    await expect(rpc.getAccountInfo(LARGE, { encoding: 'base58' }).send()).rejects.toMatchObject({
      context: {
        __code: -32600,
        __serverMessage:
          'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
      },
    });
  });

  test('falls back to base64 when nothing parses the account', async () => {
    const { value } = await rpc.getAccountInfo(SMALL, { encoding: 'jsonParsed' }).send();
    expect(value?.data).toEqual([base64(smallBytes), 'base64']);
  });

  test('rejects compressed encodings', async () => {
    await expect(rpc.getAccountInfo(SMALL, { encoding: 'base64+zstd' }).send()).rejects.toMatchObject({
      context: { __code: -32602, __serverMessage: expect.stringContaining('base64+zstd is not supported') },
    });
  });

  test('rejects a minContextSlot that it has not reached', async () => {
    const reached = await rpc.getAccountInfo(SMALL, { encoding: 'base64', minContextSlot: 5_000n }).send();
    expect(reached.context.slot).toBe(5_000n);
    await expect(
      rpc.getAccountInfo(SMALL, { encoding: 'base64', minContextSlot: 5_001n }).send(),
    ).rejects.toMatchObject({ context: { __code: -32016, contextSlot: 5_000n } });
  });

  test('rejects an invalid address with the message of a node', async () => {
    await expect(rpc.getAccountInfo('abc' as Address).send()).rejects.toMatchObject({
      context: { __code: -32602, __serverMessage: 'Invalid param: WrongSize' },
    });
    await expect(rpc.getAccountInfo('0OIl' as Address).send()).rejects.toMatchObject({
      context: { __code: -32602, __serverMessage: 'Invalid param: Invalid' },
    });
  });
});

describe('getMultipleAccounts', () => {
  test('keeps the order and returns null for missing accounts', async () => {
    const { value } = await rpc
      .getMultipleAccounts([LARGE, MISSING, SMALL], {
        encoding: 'base64',
        dataSlice: { offset: 0, length: 3 },
      })
      .send();
    expect(value.map((found) => found?.data)).toEqual([['AAEC', 'base64'], undefined, ['AAEC', 'base64']]);
    expect(value[1]).toBeNull();
  });

  test('accepts at most one hundred addresses', async () => {
    const hundred = Array.from({ length: 100 }, (_, i) => testAddress(1_000 + i));
    expect((await rpc.getMultipleAccounts(hundred).send()).value).toHaveLength(100);
    await expect(rpc.getMultipleAccounts([...hundred, SMALL]).send()).rejects.toMatchObject({
      context: { __code: -32602, __serverMessage: 'Too many inputs provided; max 100' },
    });
  });

  test('works with the lookup table helper of kit', async () => {
    expect(await fetchAddressesForLookupTables([TABLE], rpc)).toEqual({ [TABLE]: [LARGE, RICH] });
  });
});

describe('getProgramAccounts', () => {
  const scan = (config: object) => rpc.getProgramAccounts(PROGRAM, { encoding: 'base64', ...config }).send();
  const addresses = async (config: object) => (await scan(config)).map(({ pubkey }) => pubkey);
  const memcmp = (offset: bigint, bytes: Uint8Array) => ({
    memcmp: { offset, bytes: base58(bytes) as Base58EncodedBytes, encoding: 'base58' },
  });

  test('lists the accounts of the program with their data', async () => {
    expect(await scan({})).toEqual([
      {
        pubkey: SMALL,
        account: expect.objectContaining({ data: [base64(smallBytes), 'base64'], owner: PROGRAM }),
      },
      {
        pubkey: LARGE,
        account: expect.objectContaining({ data: [base64(largeBytes), 'base64'], space: 3_000n }),
      },
    ]);
  });

  test('filters by size and by bytes in either encoding', async () => {
    expect(await addresses({ filters: [{ dataSize: 40n }] })).toEqual([SMALL]);
    expect(await addresses({ filters: [memcmp(5n, smallBytes.subarray(5, 20))] })).toEqual([SMALL, LARGE]);
    expect(await addresses({ filters: [memcmp(2_000n, largeBytes.subarray(2_000, 2_032))] })).toEqual([
      LARGE,
    ]);
    const bytes = base64(smallBytes.subarray(30, 40)) as Base64EncodedBytes;
    const filter = { memcmp: { offset: 30n, bytes, encoding: 'base64' } };
    expect(await addresses({ filters: [filter, { dataSize: 3_000n }] })).toEqual([LARGE]);
    expect(await addresses({ filters: [memcmp(6n, smallBytes.subarray(5, 20))] })).toEqual([]);
  });

  test('returns addresses without data for an empty slice', async () => {
    const found = await scan({ dataSlice: { offset: 0, length: 0 }, filters: [{ dataSize: 3_000n }] });
    expect(found).toEqual([
      { pubkey: LARGE, account: expect.objectContaining({ data: ['', 'base64'], space: 3_000n }) },
    ]);
  });

  test('returns the slot with withContext', async () => {
    const answer = await rpc
      .getProgramAccounts(PROGRAM, { encoding: 'base64', withContext: true, filters: [{ dataSize: 40n }] })
      .send();
    expect(answer.context.slot).toBe(5_000n);
    expect(answer.value.map(({ pubkey }) => pubkey)).toEqual([SMALL]);
  });

  test('rejects the filters that a node rejects', async () => {
    const fail = (filters: unknown) =>
      expect(scan({ filters })).rejects.toMatchObject({ context: { __code: -32602 } });
    await fail(Array.from({ length: 5 }, () => ({ dataSize: 1n })));
    await fail([{ memcmp: { offset: 0n, bytes: '0', encoding: 'base58' } }]);
    await fail([{ memcmp: { offset: 0n, bytes: base64(new Uint8Array(129)), encoding: 'base64' } }]);
    await fail([{ something: 1 }]);
  });
});

test('getBalance returns lamports, and zero for an unknown account', async () => {
  expect((await rpc.getBalance(SMALL).send()).value).toBe(1_169_280n);
  expect((await rpc.getBalance(RICH).send()).value).toBe(U64_MAX);
  expect((await rpc.getBalance(MISSING).send()).value).toBe(0n);
});

test('getMinimumBalanceForRentExemption is two years of rent', async () => {
  expect(await rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n);
  expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
});
