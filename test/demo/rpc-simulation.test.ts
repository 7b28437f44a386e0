import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoRpcServer, startDemoRpc } from '../../src/demo/rpc/server.ts';
import { COMPUTE_BUDGET_PROGRAM, MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '../../src/programs/program-ids.ts';
import {
  BLOCKHASH,
  FakeLedger,
  instruction,
  testAddress,
  wireTransaction,
} from '../support/ledger/fake-ledger.ts';

const PAYER = testAddress(1);
const REASON =
  'the embedded chain runs no lending, vault or farm program; point SOLANA_RPC_URLS at a cluster to simulate';
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64') as Base64EncodedWireTransaction;
const lending = wireTransaction({
  feePayer: PAYER,
  instructions: [
    instruction(COMPUTE_BUDGET_PROGRAM, [2, 0, 0, 0, 0], []),
    instruction(SYSTEM_PROGRAM, [2], [testAddress(2)]),
    instruction(MAINNET_PROGRAMS.klend, [1], [testAddress(3)]),
  ],
});

let server: DemoRpcServer;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeAll(async () => {
  server = await startDemoRpc(new FakeLedger());
  rpc = createSolanaRpc(server.url as `http://${string}`);
});
afterAll(() => server.close());

test('a simulation fails at the first program instruction, with a reason', async () => {
  const answer = await rpc.simulateTransaction(base64(lending), { encoding: 'base64' }).send();
  expect(answer).toEqual({
    context: { apiVersion: '2.3.6', slot: 5_000n },
    value: {
      accounts: null,
      err: { InstructionError: [2n, 'UnsupportedProgramId'] },
      innerInstructions: null,
      loadedAccountsDataSize: 0,
      logs: [REASON],
      replacementBlockhash: null,
      returnData: null,
      unitsConsumed: 0n,
    },
  });
});

test('a transaction of system programs only is not run either', async () => {
  const plain = wireTransaction({
    feePayer: PAYER,
    instructions: [instruction(SYSTEM_PROGRAM, [2], [PAYER])],
  });
  const { value } = await rpc.simulateTransaction(base64(plain), { encoding: 'base64' }).send();
  expect(value.err).toEqual({ InstructionError: [0n, 'UnsupportedProgramId'] });
});

test('an unknown blockhash is an error unless it is replaced', async () => {
  const stale = wireTransaction({
    feePayer: PAYER,
    instructions: [instruction(MAINNET_PROGRAMS.klend, [1], [])],
    hash: testAddress(66) as string as typeof BLOCKHASH,
  });
  const { value } = await rpc.simulateTransaction(base64(stale), { encoding: 'base64' }).send();
  expect(value.err).toBe('BlockhashNotFound');
  const replaced = await rpc
    .simulateTransaction(base64(stale), { encoding: 'base64', replaceRecentBlockhash: true })
    .send();
  expect(replaced.value.err).toEqual({ InstructionError: [0n, 'UnsupportedProgramId'] });
  expect(replaced.value.replacementBlockhash).toEqual({ blockhash: BLOCKHASH, lastValidBlockHeight: 5_050n });
});

test('bytes that are not a transaction are rejected', async () => {
  const fail = (text: string) =>
    expect(rpc.simulateTransaction(text as Base64EncodedWireTransaction, { encoding: 'base64' }).send())
      .rejects;
  await fail('%%%%').toMatchObject({
    context: { __code: -32602, __serverMessage: 'invalid base64 encoding' },
  });
  await fail('AQID').toMatchObject({
    context: { __code: -32602, __serverMessage: expect.stringContaining('failed to deserialize') },
  });
  await fail(base64(new Uint8Array(1_233))).toMatchObject({
    context: { __code: -32602, __serverMessage: expect.stringContaining('too large: 1233 bytes') },
  });
});

test('sendTransaction is rejected', async () => {
  await expect(rpc.sendTransaction(base64(lending), { encoding: 'base64' }).send()).rejects.toMatchObject({
    context: {
      __code: -32002,
      logs: ['the embedded chain accepts no transactions; point SOLANA_RPC_URLS at a cluster to send'],
    },
  });
});
