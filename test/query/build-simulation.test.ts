import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { serveLedger, TestLedger } from '../support/ledger/test-ledger.ts';
import { FaultyProxy } from '../support/rpc/faulty-proxy.ts';

const { klend } = MAINNET_PROGRAMS;

let ledger: TestLedger;
let rpc: DemoRpcServer;
let proxy: FaultyProxy;
let gateway: TestApp;

beforeAll(async () => {
  ledger = new TestLedger();
  rpc = await serveLedger(ledger);
  proxy = await FaultyProxy.start(rpc.url);
  gateway = await startReadyApp({ rpcUrls: [proxy.url], env: STILL });
});
afterAll(async () => {
  await gateway?.stop();
  await proxy?.die();
  await rpc?.close();
});

/** Answers simulations with the failure of an instruction and these logs. */
function failSimulations(instruction: number, code: number, logs: readonly string[]): void {
  proxy.misbehave(({ method, body, response, pass }) => {
    if (method !== 'simulateTransaction') return pass();
    const { id } = JSON.parse(body.toString()) as { id: unknown };
    const err = { InstructionError: [instruction, { Custom: code }] };
    const value = { err, logs, unitsConsumed: 5_000, accounts: null };
    const result = { context: { slot: Number(ledger.slot) }, value };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
}

async function simulationError(): Promise<unknown> {
  const { wallet, market, borrowReserve } = ledger.addresses;
  const input = { wallet, market, reserve: borrowReserve, amount: { tokens: '1' } };
  const { data, errors } = await gateway.query<{ result: { simulation: { error: unknown } } }>(
    `mutation ($input: LendingActionInput!) { result: buildLendingRepay(input: $input) {
      ... on TransactionPlan { simulation { error { programAddress code name message } } }
    } }`,
    { variables: { input } },
  );
  expect(errors).toEqual([]);
  return data.result.simulation.error;
}

it('names the error of a token program that the lending program called', async () => {
  failSimulations(4, 1, [
    `Program ${klend} invoke [1]`,
    `Program ${TOKEN_PROGRAM} invoke [2]`,
    `Program ${TOKEN_PROGRAM} failed: custom program error: 0x1`,
    `Program ${klend} failed: custom program error: 0x1`,
  ]);
  expect(await simulationError()).toEqual({
    programAddress: TOKEN_PROGRAM,
    code: 1,
    name: 'InsufficientFunds',
    message: 'The balance of the account is too low. Add funds, or lower the amount.',
  });
});

it("names the lending program's own error", async () => {
  failSimulations(4, 6013, [`Program ${klend} failed: custom program error: 0x177d`]);
  expect(await simulationError()).toMatchObject({
    programAddress: klend,
    code: 6013,
    name: 'BorrowTooLarge',
  });
});
