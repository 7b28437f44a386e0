import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { FaultyProxy } from '../support/rpc/faulty-proxy.ts';

const { klend } = MAINNET_PROGRAMS;

let localChain: TestChain;
let rpc: LocalnetRpc;
let proxy: FaultyProxy;
let gateway: TestApp;

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
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
    const result = { context: { slot: Number(localChain.slot) }, value };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
}

async function simulationError(): Promise<unknown> {
  const { wallet, market, borrowReserve } = localChain.addresses;
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
