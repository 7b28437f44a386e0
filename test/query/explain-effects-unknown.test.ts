import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { reserve } from '@sluice/protocol/klend/reserve';
import { NO_ADDRESS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import { EFFECTS, type Effects } from '../support/explain/effects.ts';
import { FaultyProxy } from '../support/rpc/faulty-proxy.ts';

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
afterEach(() => {
  localChain.restore();
  proxy.misbehave(({ pass }) => pass());
});

/** A present of SOL to the obligation: it touches the position and leaves it as it is. */
function touching(obligation: Address): string {
  const accounts = { source: localChain.addresses.wallet, destination: obligation };
  const move = transferLamports.encode(SYSTEM_PROGRAM, accounts, { lamports: 1n });
  return legacyTransaction(localChain.addresses.wallet, localChain.blockhash(), [move]);
}

async function explain() {
  interface Explained {
    readonly instructions: readonly { readonly summary: string }[];
    readonly simulation: { readonly success: boolean } | null;
    readonly effects: Effects | null;
  }
  const { data, errors } = await gateway.query<{ explained: Explained }>(
    `query ($transaction: Base64!) { explained: explainTransaction(transaction: $transaction) {
      ... on TransactionExplanation { instructions { summary } simulation { success } effects { ${EFFECTS} } } } }`,
    {
      variables: { transaction: touching(localChain.addresses.obligation) },
      headers: { 'x-min-slot': String(localChain.slot) },
    },
  );
  return { ...data.explained, errors };
}

it('a price that is unknown makes values unknown, with the reason, and amounts stay known', async () => {
  const known = (await explain()).effects?.obligations?.[0];
  expect(known).toMatchObject({ unknown: null, unknownReserveAddress: null });
  expect(Number(known?.loanToValue.after)).toBeGreaterThan(0);

  const { borrowReserve } = localChain.addresses;
  const priceless = withFields(reserve, accountIn(localChain, borrowReserve), {
    liquidity: { marketPriceSf: 0n },
    config: { tokenInfo: { scopeConfiguration: { priceFeed: NO_ADDRESS } } },
  });
  localChain.place(borrowReserve, priceless);
  localChain.advance();
  const { effects, errors } = await explain();
  expect(errors).toEqual([]);
  const nothing = { before: null, after: null };
  expect(effects?.obligations).toMatchObject([
    {
      address: localChain.addresses.obligation,
      unknown: 'PRICE_UNKNOWN',
      unknownReserveAddress: borrowReserve,
      loanToValue: nothing,
      healthFactor: nothing,
      netValueUsd: nothing,
      liquidatable: nothing,
      borrows: [{ reserveAddress: borrowReserve, before: { usd: null }, after: { usd: null } }],
    },
  ]);
  const [debt] = effects?.obligations?.[0]?.borrows ?? [];
  expect(BigInt(debt?.after?.baseUnits ?? 0)).toBeGreaterThan(0n);
});

describe('an RPC that', () => {
  /** Answers simulations with this part of an answer. */
  function answerSimulations(part: object): void {
    proxy.misbehave(({ method, body, response, pass }) => {
      if (method !== 'simulateTransaction') return pass();
      const { id } = JSON.parse(body.toString()) as { id: unknown };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...part }));
    });
  }
  const unsimulated = (code: string) => ['simulation', 'effects'].map((field) => [field, code]);
  const failedFields = (errors: Awaited<ReturnType<typeof explain>>['errors']) =>
    errors.map(({ path, extensions }) => [path?.[1], extensions?.code]);

  it('simulates without returning accounts gives an error, not closed positions', async () => {
    const value = { err: null, logs: [], unitsConsumed: 150, accounts: null };
    answerSimulations({ result: { context: { slot: Number(localChain.slot) }, value } });
    const { errors, ...explained } = await explain();
    expect(explained).toMatchObject({ simulation: null, effects: null });
    expect(failedFields(errors)).toEqual(unsimulated('RPC_BAD_RESPONSE'));
  });

  it('refuses to simulate leaves the explanation in words', async () => {
    answerSimulations({ error: { code: -32602, message: 'invalid transaction' } });
    const { errors, ...explained } = await explain();
    expect(explained).toMatchObject({
      simulation: null,
      effects: null,
      instructions: [{ summary: expect.stringMatching(/^Transfer 0\.000000001 SOL to your obligation/) }],
    });
    expect(failedFields(errors)).toEqual(unsimulated('RPC_REFUSED'));
  });
});
