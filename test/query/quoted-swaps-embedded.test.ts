import { type Address, createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeTransaction, signWithKey } from '../../docs/signing/with-kit.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

/** What a newcomer gets with `npm start`: swaps that are quoted offline, without any setting. */

let gateway: TestEmbeddedApp;

beforeAll(async () => {
  gateway = await startEmbeddedApp();
});
afterAll(() => gateway?.app.stop());

interface Plan {
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string }[];
  readonly preview: { readonly quote: { readonly router: Address } };
}

const BUILD = `mutation ($input: RepayWithCollateralInput!) { plan: buildRepayWithCollateral(input: $input) {
  ... on TransactionPlan { transactions { base64 } preview { quote { router } } }
  ... on BuildError { code message } } }`;
const SEND = `mutation ($input: SendTransactionInput!) { sent: sendTransaction(input: $input) {
  ... on SentTransaction { status error { message } logs } ... on InvalidTransaction { code message } } }`;

it('a loan is repaid with its collateral, from the build to the confirmed transaction', async () => {
  const { app, addresses } = gateway;
  const { wallet, market, depositReserve, borrowReserve } = addresses;
  const input = {
    wallet,
    market,
    collateralReserve: depositReserve,
    debtReserve: borrowReserve,
    amount: { tokens: '5' },
  };
  const { data } = await askApp<{ plan: Plan }>(app, BUILD, { variables: { input } });
  expect(data.plan.code, data.plan.message).toBeUndefined();
  expect(data.plan.preview.quote.router).toBe('LocaLnetExchange111111111111111111111111111');
  const key = app.embedded?.secretKey ?? expect.fail('no localnet');
  const signer = await createKeyPairSignerFromBytes(key);
  for (const { base64 } of data.plan.transactions) {
    const transaction = await signWithKey(decodeTransaction(base64), signer);
    const sent = await askApp<{ sent: { status: string } }>(app, SEND, {
      variables: { input: { transaction } },
    });
    expect(sent.data.sent, sent.text).toMatchObject({
      status: expect.stringMatching(/^(CONFIRMED|FINALIZED)$/),
      error: null,
    });
  }
});

it('and with QUOTES=off they are not', async () => {
  const { app, addresses } = await startEmbeddedApp({ QUOTES: 'off' });
  try {
    const { wallet, market, depositReserve, borrowReserve } = addresses;
    const sides = { collateralReserve: depositReserve, debtReserve: borrowReserve };
    const input = { wallet, market, ...sides, amount: { tokens: '5' } };
    const { data } = await askApp<{ plan: Plan }>(app, BUILD, { variables: { input } });
    expect(data.plan).toMatchObject({ code: 'QUOTES_OFF' });
  } finally {
    await app.stop();
  }
});
