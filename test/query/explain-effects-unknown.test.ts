import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { reserve } from '../../src/programs/klend/reserve.ts';
import { NO_ADDRESS, SYSTEM_PROGRAM } from '../../src/programs/program-ids.ts';
import { transferLamports } from '../../src/programs/system/instructions.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import { EFFECTS, type Effects } from '../support/explain/effects.ts';
import { accountIn, serveLedger, TestLedger, withFields } from '../support/ledger/test-ledger.ts';
import { FaultyProxy } from '../support/rpc/faulty-proxy.ts';

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
afterEach(() => {
  ledger.restore();
  proxy.misbehave(({ pass }) => pass());
});

/** A present of SOL to the obligation: it touches the position and leaves it as it is. */
function touching(obligation: Address): string {
  const accounts = { source: ledger.addresses.wallet, destination: obligation };
  const move = transferLamports.encode(SYSTEM_PROGRAM, accounts, { lamports: 1n });
  return legacyTransaction(ledger.addresses.wallet, ledger.blockhash(), [move]);
}

async function explain() {
  const { data, errors } = await gateway.query<{ explained: { effects: Effects | null } }>(
    `query ($transaction: Base64!) { explained: explainTransaction(transaction: $transaction) {
      ... on TransactionExplanation { warnings { code } effects { ${EFFECTS} } } } }`,
    {
      variables: { transaction: touching(ledger.addresses.obligation) },
      headers: { 'x-min-slot': String(ledger.slot) },
    },
  );
  return { effects: data.explained.effects, errors };
}

it('a price that is unknown makes values unknown, with the reason, and amounts stay known', async () => {
  const known = (await explain()).effects?.obligations?.[0];
  expect(known).toMatchObject({ unknown: null, unknownReserveAddress: null });
  expect(Number(known?.loanToValue.after)).toBeGreaterThan(0);

  const { borrowReserve } = ledger.addresses;
  const priceless = withFields(reserve, accountIn(ledger, borrowReserve), {
    liquidity: { marketPriceSf: 0n },
    config: { tokenInfo: { scopeConfiguration: { priceFeed: NO_ADDRESS } } },
  });
  ledger.place(borrowReserve, priceless);
  ledger.advance();
  const { effects, errors } = await explain();
  expect(errors).toEqual([]);
  const nothing = { before: null, after: null };
  expect(effects?.obligations).toMatchObject([
    {
      address: ledger.addresses.obligation,
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

it('an RPC that simulates without accounts gives an error, not closed positions', async () => {
  proxy.misbehave(({ method, body, response, pass }) => {
    if (method !== 'simulateTransaction') return pass();
    const { id } = JSON.parse(body.toString()) as { id: unknown };
    const value = { err: null, logs: [], unitsConsumed: 150, accounts: null };
    const result = { context: { slot: Number(ledger.slot) }, value };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const { effects, errors } = await explain();
  expect(effects).toBeNull();
  expect(errors).toMatchObject([
    { path: ['explained', 'effects'], extensions: { code: 'RPC_BAD_RESPONSE' } },
  ]);
});
