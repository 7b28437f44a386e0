import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Base64EncodedWireTransaction,
  createSolanaRpc,
  getBase58Decoder,
  getTransactionDecoder,
  type Signature,
  type TransactionMessageBytesBase64,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainTransaction } from '../../src/chain.ts';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import {
  BLOCKHASH,
  FakeChain,
  instruction,
  legacyTransaction,
  pastTransaction,
  testAddress,
  testSignature,
  wireTransaction,
} from '../support/chain/fake-chain.ts';

const PAYER = testAddress(1);
const PROGRAM = testAddress(2);
const VAULT = testAddress(3);
const LOADED = testAddress(4);
const TABLE = testAddress(5);
const MINT = testAddress(6);
/** The error of the failed transaction as kit reads it: every integer is a bigint. */
const REFUSED = { InstructionError: [0n, { Custom: 6001n }] };
const NO_SIGNATURE = '1'.repeat(64);
const base58 = (bytes: number[]) => getBase58Decoder().decode(Uint8Array.from(bytes));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64') as Base64EncodedWireTransaction;
const signature = (seed: number) => testSignature(seed) as Signature;

const wire = wireTransaction({
  feePayer: PAYER,
  instructions: [instruction(PROGRAM, [1, 2, 3], [VAULT, LOADED])],
  tables: { [TABLE]: [testAddress(7), LOADED] },
});
/** Deposits a token, in the newest format. */
const deposit: ChainTransaction = pastTransaction({
  signature: signature(10),
  slot: 4_500n,
  blockTime: 1_700_001_750,
  wire,
  addresses: [PAYER, VAULT, PROGRAM, LOADED],
  loadedWritable: [LOADED],
  computeUnits: 60_123,
  preBalances: [18_446_744_073_709_551_615n, 1n, 1n, 0n],
  postBalances: [18_446_744_073_709_546_615n, 1n, 1n, 0n],
  preTokenBalances: [
    { accountIndex: 1, mint: MINT, owner: PAYER, programId: TOKEN_PROGRAM, amount: 0n, decimals: 6 },
  ],
  postTokenBalances: [
    { accountIndex: 1, mint: MINT, owner: PAYER, programId: TOKEN_PROGRAM, amount: 1_500_000n, decimals: 6 },
  ],
  inner: [
    {
      index: 0,
      instructions: [{ programIdIndex: 2, accounts: [3, 0], data: Uint8Array.of(9), stackHeight: 2 }],
    },
  ],
  logs: ['Program log: deposited'],
});
const failed: ChainTransaction = pastTransaction({
  signature: signature(11),
  slot: 4_600n,
  wire: legacyTransaction({ feePayer: PAYER, instructions: [instruction(PROGRAM, [4], [VAULT])] }),
  addresses: [PAYER, VAULT, PROGRAM],
  error: { InstructionError: [0, { Custom: 6001 }] },
});
/** By another wallet, between the two. */
const foreign = pastTransaction({ signature: signature(12), slot: 4_550n, wire, addresses: [LOADED] });

const localChain = new FakeChain();
let server: LocalnetRpc;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeAll(async () => {
  localChain.transactions.push(deposit, foreign, failed);
  server = await startRpcServer(localChain);
  rpc = createSolanaRpc(server.url as `http://${string}`);
});
afterAll(() => server.close());

describe('getTransaction', () => {
  const meta = {
    computeUnitsConsumed: 60_123n,
    err: null,
    fee: 5_000n,
    logMessages: ['Program log: deposited'],
    postBalances: deposit.postBalances,
    preBalances: deposit.preBalances,
    preTokenBalances: [
      {
        accountIndex: 1,
        mint: MINT,
        owner: PAYER,
        programId: TOKEN_PROGRAM,
        uiTokenAmount: { amount: '0', decimals: 6, uiAmount: null, uiAmountString: '0' },
      },
    ],
    postTokenBalances: [
      {
        accountIndex: 1,
        mint: MINT,
        owner: PAYER,
        programId: TOKEN_PROGRAM,
        uiTokenAmount: { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' },
      },
    ],
    rewards: [],
    status: { Ok: null },
  };
  const compiled = {
    innerInstructions: [
      {
        index: 0,
        instructions: [{ accounts: [3, 0], data: base58([9]), programIdIndex: 2, stackHeight: 2 }],
      },
    ],
    loadedAddresses: { readonly: [], writable: [LOADED] },
  };

  test('returns message and meta as JSON', async () => {
    const config = { encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
    expect(await rpc.getTransaction(signature(10), config).send()).toEqual({
      blockTime: 1_700_001_750n,
      slot: 4_500n,
      version: 0,
      meta: { ...meta, ...compiled },
      transaction: {
        message: {
          accountKeys: [PAYER, VAULT, PROGRAM],
          addressTableLookups: [{ accountKey: TABLE, readonlyIndexes: [], writableIndexes: [1] }],
          header: { numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1, numRequiredSignatures: 1 },
          instructions: [{ accounts: [1, 3], data: base58([1, 2, 3]), programIdIndex: 2, stackHeight: 1 }],
          recentBlockhash: BLOCKHASH,
        },
        signatures: [NO_SIGNATURE],
      },
    });
  });

  test('returns the wire bytes in base64', async () => {
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 0 } as const;
    const found = await rpc.getTransaction(signature(10), config).send();
    expect(found?.transaction).toEqual([base64(wire), 'base64']);
    expect(found?.meta).toEqual({ ...meta, ...compiled });
  });

  test('returns addresses instead of indices with jsonParsed', async () => {
    const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 } as const;
    const found = await rpc.getTransaction(signature(10), config).send();
    expect(found?.transaction.message.accountKeys).toEqual([
      { pubkey: PAYER, signer: true, source: 'transaction', writable: true },
      { pubkey: VAULT, signer: false, source: 'transaction', writable: true },
      { pubkey: PROGRAM, signer: false, source: 'transaction', writable: false },
      { pubkey: LOADED, signer: false, source: 'lookupTable', writable: true },
    ]);
    expect(found?.transaction.message.instructions).toEqual([
      { accounts: [VAULT, LOADED], data: base58([1, 2, 3]), programId: PROGRAM, stackHeight: 1 },
    ]);
    expect(found?.meta?.innerInstructions).toEqual([
      {
        index: 0,
        instructions: [{ accounts: [LOADED, PAYER], data: base58([9]), programId: PROGRAM, stackHeight: 2 }],
      },
    ]);
  });

  test('requires maxSupportedTransactionVersion for version 0', async () => {
    await expect(rpc.getTransaction(signature(10), { encoding: 'json' }).send()).rejects.toMatchObject({
      context: {
        __code: -32015,
        __serverMessage: expect.stringContaining('"maxSupportedTransactionVersion": 0'),
      },
    });
  });

  test('returns a legacy transaction to every client, with its error', async () => {
    const found = await rpc.getTransaction(signature(11), { encoding: 'json' }).send();
    expect(found).not.toHaveProperty('version');
    expect(found?.meta?.err).toEqual(REFUSED);
    expect(found?.meta?.status).toEqual({ Err: REFUSED });
    const config = { encoding: 'json', maxSupportedTransactionVersion: 0 } as const;
    expect((await rpc.getTransaction(signature(11), config).send())?.version).toBe('legacy');
  });

  test('returns null for an unknown signature', async () => {
    expect(await rpc.getTransaction(signature(99), { encoding: 'json' }).send()).toBeNull();
  });
});

describe('getSignaturesForAddress', () => {
  const list = async (config?: object) =>
    (await rpc.getSignaturesForAddress(VAULT, config).send()).map((entry) => entry.signature);

  test('lists newest first', async () => {
    expect(await rpc.getSignaturesForAddress(VAULT).send()).toEqual([
      {
        blockTime: 1_700_001_500n,
        confirmationStatus: 'finalized',
        err: REFUSED,
        memo: null,
        signature: signature(11),
        slot: 4_600n,
      },
      {
        blockTime: 1_700_001_750n,
        confirmationStatus: 'finalized',
        err: null,
        memo: null,
        signature: signature(10),
        slot: 4_500n,
      },
    ]);
    expect(await rpc.getSignaturesForAddress(testAddress(77)).send()).toEqual([]);
  });

  test('pages by before, until and limit', async () => {
    expect(await list({ limit: 1 })).toEqual([signature(11)]);
    expect(await list({ before: signature(11) })).toEqual([signature(10)]);
    expect(await list({ before: signature(10) })).toEqual([]);
    expect(await list({ until: signature(10) })).toEqual([signature(11)]);
    expect(await list({ before: signature(10), until: signature(11) })).toEqual([]);
  });

  test('orders a signature of another address by its slot', async () => {
    expect(await list({ before: signature(12) })).toEqual([signature(10)]);
    expect(await list({ until: signature(12) })).toEqual([signature(11)]);
    expect(await list({ before: signature(99) })).toEqual([]);
    expect(await list({ until: signature(99) })).toEqual([signature(11), signature(10)]);
  });

  test('accepts a limit from 1 to 1000', async () => {
    for (const limit of [0, 1001]) {
      await expect(list({ limit })).rejects.toMatchObject({
        context: { __code: -32602, __serverMessage: 'Invalid limit; max 1000' },
      });
    }
  });
});

describe('getBlock', () => {
  const config = { encoding: 'json', maxSupportedTransactionVersion: 0, rewards: false } as const;

  test('returns the transactions of a slot as getTransaction does', async () => {
    const block = await rpc.getBlock(4_500n, config).send();
    const alone = await rpc.getTransaction(signature(10), config).send();
    expect(block).toMatchObject({
      blockHeight: 4_400n,
      blockTime: 1_700_001_750n,
      blockhash: BLOCKHASH,
      parentSlot: 4_499n,
      transactions: [{ meta: alone?.meta, transaction: alone?.transaction, version: 0 }],
    });
  });

  test('can return signatures only, and rejects a slot without a block', async () => {
    const names = { ...config, transactionDetails: 'signatures' } as const;
    expect((await rpc.getBlock(4_600n, names).send())?.signatures).toEqual([signature(11)]);
    expect((await rpc.getBlock(4_601n, names).send())?.signatures).toEqual([]);
    await expect(rpc.getBlock(5_001n, names).send()).rejects.toMatchObject({ context: { __code: -32004 } });
    await expect(rpc.getBlock(3n, names).send()).rejects.toMatchObject({ context: { __code: -32001 } });
    await expect(rpc.getBlock(4_500n, { encoding: 'json' }).send()).rejects.toMatchObject({
      context: { __code: -32015 },
    });
  });
});

test('getSignatureStatuses', async () => {
  const { value } = await rpc.getSignatureStatuses([signature(10), signature(99), signature(11)]).send();
  expect(value).toEqual([
    { confirmationStatus: 'finalized', confirmations: null, err: null, slot: 4_500n, status: { Ok: null } },
    null,
    {
      confirmationStatus: 'finalized',
      confirmations: null,
      err: REFUSED,
      slot: 4_600n,
      status: { Err: REFUSED },
    },
  ]);
});

test('getFeeForMessage is 5000 lamports a signature, null for an expired blockhash', async () => {
  const fee = async (bytes: Uint8Array) => {
    const { messageBytes } = getTransactionDecoder().decode(bytes);
    const message = Buffer.from(messageBytes).toString('base64') as TransactionMessageBytesBase64;
    return (await rpc.getFeeForMessage(message).send()).value;
  };
  expect(await fee(wire)).toBe(5_000n);
  const expired = { feePayer: PAYER, instructions: [], hash: testAddress(66) as string as typeof BLOCKHASH };
  expect(await fee(wireTransaction(expired))).toBeNull();
});
