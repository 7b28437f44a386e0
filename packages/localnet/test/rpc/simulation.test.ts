import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  AccountRole,
  type Base64EncodedWireTransaction,
  type Blockhash,
  type KeyPairSigner,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAddress } from '../support/chain/fake-chain.ts';
import { accountIn } from '../support/chain/test-world.ts';
import { type SendingClient, SOL, startSendingClient, transferSol } from '../support/rpc/sending-client.ts';

const RECEIVER = testAddress(20);
const OLD = testAddress(66) as string as Blockhash;

let client: SendingClient;
let payer: KeyPairSigner;

beforeAll(async () => {
  client = await startSendingClient();
  payer = await client.wallet(1);
});
afterAll(() => client.server.close());

const transfer = (amount: bigint, blockhash?: Blockhash) =>
  client.signed([transferSol(payer.address, RECEIVER, amount)], [payer], { blockhash });
const simulate = async (wire: string, config: object = {}) =>
  await client.call('simulateTransaction', [wire, { encoding: 'base64', ...config }]);
const resultOf = async (wire: string, config: object = {}) => {
  const { result, error } = await simulate(wire, config);
  if (error !== undefined) throw new Error(error.message);
  return (result as { value: Record<string, unknown> }).value;
};
/** The same transaction without its signature. */
const unsigned = (wire: string) => {
  const bytes = Buffer.from(wire, 'base64');
  bytes.fill(0, 1, 65);
  return bytes.toString('base64');
};

test('a transfer: logs, units and size, without effect', async () => {
  const wire = await transfer(SOL);
  const answer = await client.rpc.simulateTransaction(wire, { encoding: 'base64' }).send();
  expect(answer).toEqual({
    context: { apiVersion: '2.3.6', slot: client.localChain.slot },
    value: {
      accounts: null,
      err: null,
      innerInstructions: null,
      loadedAccountsDataSize: expect.any(Number),
      logs: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
      replacementBlockhash: null,
      returnData: null,
      unitsConsumed: 150n,
    },
  });
  expect((await client.rpc.getBalance(RECEIVER).send()).value).toBe(0n);
  expect((await client.rpc.getBalance(payer.address).send()).value).toBe(10n * SOL);
});

describe('accounts', () => {
  test('are returned as the transaction leaves them, in the order asked for', async () => {
    const addresses = [RECEIVER, payer.address, testAddress(21)];
    const { accounts } = await resultOf(await transfer(SOL), { accounts: { addresses, encoding: 'base64' } });
    const account = (lamports: bigint) => ({
      data: ['', 'base64'],
      executable: false,
      lamports: Number(lamports),
      owner: SYSTEM_PROGRAM,
      rentEpoch: expect.any(Number),
      space: 0,
    });
    expect(accounts).toEqual([account(SOL), account(9n * SOL - 5_000n), null]);
  });

  test('are all null when the transaction fails', async () => {
    const addresses = [RECEIVER, payer.address];
    const { accounts, err } = await resultOf(await transfer(100n * SOL), { accounts: { addresses } });
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(accounts).toEqual([null, null]);
  });

  test('are limited in number and encoding', async () => {
    const wire = await transfer(SOL);
    const four = [1, 2, 3, 4].map(testAddress);
    const many = await simulate(wire, { accounts: { addresses: four, encoding: 'base64' } });
    expect(many.error).toMatchObject({ code: -32602, message: 'Too many accounts provided; max 3' });
    const base58 = await simulate(wire, { accounts: { addresses: [RECEIVER], encoding: 'base58' } });
    expect(base58.error).toMatchObject({ code: -32602, message: 'base58 encoding not supported' });
    const malformed = await simulate(wire, { accounts: { addresses: ['!'] } });
    expect(malformed.error?.code).toBe(-32602);
  });
});

describe('signatures', () => {
  test('are not needed unless asked for', async () => {
    const wire = unsigned(await transfer(SOL));
    expect((await resultOf(wire)).err).toBeNull();
    expect((await simulate(wire, { sigVerify: true })).error).toEqual({
      code: -32003,
      message: 'Transaction signature verification failure',
    });
    expect((await resultOf(await transfer(SOL), { sigVerify: true })).err).toBeNull();
  });

  test('cannot be verified with a replaced blockhash', async () => {
    const both = { sigVerify: true, replaceRecentBlockhash: true };
    expect((await simulate(await transfer(SOL), both)).error).toMatchObject({
      code: -32602,
      message: 'sigVerify may not be used with replaceRecentBlockhash',
    });
  });
});

test('an unknown blockhash is an error unless it is replaced', async () => {
  const wire = await transfer(SOL, OLD);
  expect(await resultOf(wire)).toMatchObject({ err: 'BlockhashNotFound', logs: [], unitsConsumed: 0 });
  const replaced = await resultOf(wire, { replaceRecentBlockhash: true });
  const { blockhash, lastValidBlockHeight } = client.localChain.blockhash();
  expect(replaced).toMatchObject({
    err: null,
    replacementBlockhash: { blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) },
  });
});

test('inner instructions are listed when asked for', async () => {
  const wire = await transfer(SOL);
  expect((await resultOf(wire)).innerInstructions).toBeNull();
  expect((await resultOf(wire, { innerInstructions: true })).innerInstructions).toEqual([]);
});

test('minContextSlot is checked', async () => {
  const wire = await transfer(SOL);
  const slot = Number(client.localChain.slot);
  expect((await resultOf(wire, { minContextSlot: slot })).err).toBeNull();
  expect((await simulate(wire, { minContextSlot: slot + 1 })).error?.code).toBe(-32016);
});

test('more than 64 accounts are too many', async () => {
  const { market } = client.localChain.addresses;
  const table = client.localChain.world.markets.find(({ address }) => address === market)?.lookupTable;
  if (table === undefined) throw new Error('the market has no lookup table');
  const content = [...decodeLookupTable(accountIn(client.localChain, table)).addresses];
  const accounts = content.slice(0, 62).map((address) => ({ address, role: AccountRole.READONLY }));
  const wide = { programAddress: COMPUTE_BUDGET_PROGRAM, data: Uint8Array.of(2, 0, 2, 0, 0), accounts };
  const full = await client.signed([wide], [payer], { tables: { [table]: content } });
  expect((await resultOf(full)).err).toBeNull();
  // Kit compiles no more than 64. The message ends with the number of loaded read-only accounts and their indexes.
  const bytes = Buffer.from(full, 'base64');
  const countAt = bytes.length - 63;
  expect(bytes[countAt]).toBe(62);
  bytes[countAt] = 63;
  const over = Buffer.concat([bytes, Buffer.of(62)]).toString('base64');
  expect(await resultOf(over)).toMatchObject({ err: 'TooManyAccountLocks', logs: [], unitsConsumed: 0 });
  expect((await client.call('sendTransaction', [over, { encoding: 'base64' }])).error).toMatchObject({
    code: -32002,
    data: { err: 'TooManyAccountLocks' },
  });
});

test('bytes that are not a transaction are rejected', async () => {
  const fail = (text: string) =>
    expect(
      client.rpc.simulateTransaction(text as Base64EncodedWireTransaction, { encoding: 'base64' }).send(),
    ).rejects;
  await fail('%%%%').toMatchObject({
    context: { __code: -32602, __serverMessage: 'invalid base64 encoding' },
  });
  await fail('AQID').toMatchObject({
    context: { __code: -32602, __serverMessage: expect.stringContaining('failed to deserialize') },
  });
  await fail(Buffer.alloc(1_233).toString('base64')).toMatchObject({
    context: { __code: -32602, __serverMessage: expect.stringContaining('too large: 1233 bytes') },
  });
});
