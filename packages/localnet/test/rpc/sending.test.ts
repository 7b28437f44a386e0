import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Base64EncodedWireTransaction,
  type Blockhash,
  getBase58Decoder,
  type KeyPairSigner,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RateLimit } from '../../src/rpc/rate-limit.ts';
import { startRpcServer } from '../../src/rpc/server.ts';
import { testAddress } from '../support/chain/fake-chain.ts';
import {
  type SendingClient,
  SOL,
  signatureOf,
  startSendingClient,
  transferSol,
} from '../support/rpc/sending-client.ts';

/** Rent of the 15 bytes that stand for the system program. */
const PROGRAM_LAMPORTS = (128n + 15n) * 6_960n;

let client: SendingClient;
let payer: KeyPairSigner;

beforeAll(async () => {
  client = await startSendingClient();
  payer = await client.wallet(1);
});
afterAll(() => client.server.close());

const balanceOf = async (address: string) =>
  (await client.rpc.getBalance(address as typeof payer.address).send()).value;
const send = (wire: Base64EncodedWireTransaction, config: { skipPreflight?: boolean } = {}) =>
  client.rpc.sendTransaction(wire, { encoding: 'base64', ...config }).send();
const transfer = (to: number, amount: bigint, blockhash?: Blockhash) =>
  client.signed([transferSol(payer.address, testAddress(to), amount)], [payer], { blockhash });

describe('a transfer', () => {
  test('takes effect at once and is reported with the current slot', async () => {
    const before = await balanceOf(payer.address);
    const wire = await transfer(10, SOL);
    const signature = await send(wire);
    expect(signature).toBe(signatureOf(wire));
    expect(await balanceOf(testAddress(10))).toBe(SOL);
    expect(await balanceOf(payer.address)).toBe(before - SOL - 5_000n);
    const { value } = await client.rpc.getSignatureStatuses([signature]).send();
    expect(value).toEqual([
      {
        confirmationStatus: 'finalized',
        confirmations: null,
        err: null,
        slot: client.localChain.slot,
        status: { Ok: null },
      },
    ]);
  });

  test('is in the history with balances, logs and units', async () => {
    const before = await balanceOf(payer.address);
    const wire = await transfer(11, SOL);
    const signature = await send(wire);
    const found = await client.rpc
      .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send();
    expect(found?.transaction).toEqual([wire, 'base64']);
    expect(found?.slot).toBe(client.localChain.slot);
    expect(found?.meta).toMatchObject({
      err: null,
      fee: 5_000n,
      computeUnitsConsumed: 150n,
      preBalances: [before, 0n, PROGRAM_LAMPORTS],
      postBalances: [before - SOL - 5_000n, SOL, PROGRAM_LAMPORTS],
      logMessages: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
    });
    const block = await client.rpc
      .getBlock(client.localChain.slot, {
        maxSupportedTransactionVersion: 0,
        transactionDetails: 'signatures',
        rewards: false,
      })
      .send();
    expect(block?.signatures).toContain(signature);
  });
});

describe('a transaction that fails', () => {
  test('is stopped by the preflight, with the result of the simulation, and costs nothing', async () => {
    const before = await balanceOf(payer.address);
    await expect(send(await transfer(12, 100n * SOL))).rejects.toMatchObject({
      context: {
        __code: -32002,
        accounts: null,
        logs: expect.arrayContaining([`Program ${SYSTEM_PROGRAM} invoke [1]`]),
        unitsConsumed: 150n,
      },
      cause: { context: { code: 1, index: 0 } },
    });
    expect(await balanceOf(payer.address)).toBe(before);
  });

  test('costs its fee without preflight, changes nothing else and keeps its error', async () => {
    const before = await balanceOf(payer.address);
    const signature = await send(await transfer(13, 100n * SOL), { skipPreflight: true });
    expect(await balanceOf(payer.address)).toBe(before - 5_000n);
    expect(await balanceOf(testAddress(13))).toBe(0n);
    const err = { InstructionError: [0n, { Custom: 1n }] };
    const { value } = await client.rpc.getSignatureStatuses([signature]).send();
    expect(value[0]).toMatchObject({ err, status: { Err: err } });
    const [newest] = await client.rpc.getSignaturesForAddress(payer.address, { limit: 1 }).send();
    expect(newest).toMatchObject({ signature, err });
  });
});

describe('a replay', () => {
  test('changes nothing: the preflight reports it, and without preflight it is ignored', async () => {
    const wire = await transfer(14, SOL);
    const signature = await send(wire);
    expect((await client.call('sendTransaction', [wire, { encoding: 'base64' }])).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
    expect(await send(wire, { skipPreflight: true })).toBe(signature);
    expect(await balanceOf(testAddress(14))).toBe(SOL);
  });
});

describe('the age of a blockhash', () => {
  test('ends after 150 blocks', async () => {
    const { blockhash, lastValidBlockHeight } = (await client.rpc.getLatestBlockhash().send()).value;
    client.advance(149);
    expect((await client.rpc.isBlockhashValid(blockhash).send()).value).toBe(true);
    await send(await transfer(15, SOL, blockhash));
    expect(client.localChain.blockHeight).toBe(lastValidBlockHeight);
    expect((await client.rpc.isBlockhashValid(blockhash).send()).value).toBe(true);
    client.advance(1);
    expect((await client.rpc.isBlockhashValid(blockhash).send()).value).toBe(false);
    const late = await transfer(15, 2n * SOL, blockhash);
    await expect(send(late)).rejects.toMatchObject({ context: { __code: -32002 } });
    const signature = await send(late, { skipPreflight: true });
    expect((await client.rpc.getSignatureStatuses([signature]).send()).value).toEqual([null]);
    expect(await balanceOf(testAddress(15))).toBe(SOL);
  });
});

describe('what no block can hold', () => {
  test('a wrong signature', async () => {
    const bytes = Buffer.from(await transfer(16, SOL), 'base64');
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    await expect(send(bytes.toString('base64') as Base64EncodedWireTransaction)).rejects.toMatchObject({
      context: { __code: -32003 },
    });
    expect(await balanceOf(testAddress(16))).toBe(0n);
  });

  test('bytes that are no transaction, or too many of them', async () => {
    const codes = async (text: string, encoding: string) =>
      (await client.call('sendTransaction', [text, { encoding }])).error?.code;
    const whole = Buffer.from(await transfer(17, SOL), 'base64');
    expect(await codes('%%%%', 'base64')).toBe(-32602);
    expect(await codes('0OIl', 'base58')).toBe(-32602);
    expect(await codes('', 'base64')).toBe(-32602);
    expect(await codes(whole.subarray(0, 100).toString('base64'), 'base64')).toBe(-32602);
    expect(await codes(Buffer.alloc(1_233).toString('base64'), 'base64')).toBe(-32602);
    expect(await codes(whole.toString('base64'), 'base32')).toBe(-32602);
    const none = await client.call('sendTransaction', []);
    expect(none.error?.code).toBe(-32602);
  });

  test('an unknown program', async () => {
    const stranger = { programAddress: testAddress(99), data: Uint8Array.of(1), accounts: [] };
    const wire = await client.signed([transferSol(payer.address, testAddress(22), SOL), stranger], [payer]);
    const before = await balanceOf(payer.address);
    const answer = await client.call('sendTransaction', [wire, { encoding: 'base64' }]);
    expect(answer.error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Attempt to load a program that does not exist',
      data: { err: 'ProgramAccountNotFound', logs: [], unitsConsumed: 0 },
    });
    // Without preflight it costs its fee, as on a cluster, although nothing of it ran.
    const signature = await send(wire, { skipPreflight: true });
    const { value } = await client.rpc.getSignatureStatuses([signature]).send();
    expect(value[0]).toMatchObject({ err: 'ProgramAccountNotFound' });
    expect(await balanceOf(payer.address)).toBe(before - 5_000n);
    expect(await balanceOf(testAddress(22))).toBe(0n);
  });

  test('a payer without funds', async () => {
    const poor = await client.wallet(2);
    await send(await client.signed([transferSol(poor.address, payer.address, 10n * SOL - 5_000n)], [poor]));
    const wire = await client.signed([transferSol(poor.address, payer.address, 1n)], [poor]);
    const answer = await client.call('sendTransaction', [wire, { encoding: 'base64' }]);
    expect(answer.error).toMatchObject({ code: -32002, data: { err: 'AccountNotFound' } });
  });
});

test('base58 is the default encoding', async () => {
  const wire = Buffer.from(await transfer(18, SOL), 'base64');
  const { result } = await client.call('sendTransaction', [getBase58Decoder().decode(wire)]);
  expect(result).toEqual(expect.any(String));
  expect(await balanceOf(testAddress(18))).toBe(SOL);
});

test('minContextSlot is checked', async () => {
  const wire = await transfer(19, SOL);
  const config = { encoding: 'base64', minContextSlot: Number(client.localChain.slot) + 1 };
  expect((await client.call('sendTransaction', [wire, config])).error?.code).toBe(-32016);
});

test('ten thousand at once: most are answered with an error, and reads go on', async () => {
  const limited = await startRpcServer(client.localChain, { sends: new RateLimit(100, 0) });
  try {
    const params = [await transfer(20, SOL), { encoding: 'base64', skipPreflight: true }];
    const request = { jsonrpc: '2.0', method: 'sendTransaction', params };
    const batch = Array.from({ length: 10_000 }, (_, id) => ({ ...request, id }));
    const answer = await fetch(limited.url, { method: 'POST', body: JSON.stringify(batch) });
    const answers = (await answer.json()) as { readonly error?: { readonly code: number } }[];
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(100);
    expect(answers.filter(({ error }) => error?.code === 429)).toHaveLength(9_900);
    expect(await balanceOf(testAddress(20))).toBe(SOL);
    expect(await client.rpc.getSignaturesForAddress(testAddress(20)).send()).toHaveLength(1);
  } finally {
    await limited.close();
  }
});

// Last, because the chain does not go on after it.
test('a stopping chain takes no transactions and still answers', async () => {
  const wire = await transfer(21, SOL);
  client.localChain.stop();
  const answer = await client.call('sendTransaction', [wire, { encoding: 'base64' }]);
  expect(answer.error).toMatchObject({
    code: -32005,
    message: 'Node is unhealthy',
    data: { numSlotsBehind: null },
  });
  expect((await client.call('requestAirdrop', [payer.address, 1])).error?.code).toBe(-32005);
  expect(await balanceOf(testAddress(21))).toBe(0n);
});
