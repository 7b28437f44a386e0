import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendThroughGateway } from '../../docs/signing/through-gateway.ts';
import { ADDED_OPERATIONS } from '../../src/rest/operation-table.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { post } from '../support/contract/contract-app.ts';
import { BUILDER_ERROR } from '../support/contract/error-bodies.ts';
import { misfits } from '../support/contract/field-shapes.ts';
import { answerProblems } from '../support/contract/openapi-validator.ts';
import { serveSite } from '../support/http/browser.ts';
import { SendingCluster } from '../support/rpc/sending-cluster.ts';
import { signatureOf, unsigned, Wallet } from '../support/sending/signed-transactions.ts';

const PATH = '/transactions';
const SEND = `mutation ($input: SendTransactionInput!) { sendTransaction(input: $input) {
  ... on SentTransaction { signature status slot error { instructionIndex programAddress code name message } logs }
} }`;

let wallet: Wallet;
let cluster: SendingCluster;
let gateway: TestApp;

beforeAll(async () => {
  wallet = await Wallet.create();
  cluster = await SendingCluster.start(1, signatureOf);
  gateway = await startReadyApp({ rpcUrls: cluster.urls, env: { ...STILL, SEND_TRANSACTIONS: 'on' } });
});
beforeEach(() => cluster.reset());
afterAll(async () => {
  await gateway?.stop();
  await cluster?.stop();
});

describe('POST /transactions', () => {
  it('is our own addition to the documented paths', () => {
    expect(ADDED_OPERATIONS.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'post /ktx/plan',
      'post /ktx/plan-instructions',
      'post /ktx/kvault/exit',
      'post /ktx/kvault/exit-instructions',
      'post /ktx/kvault/rebalance-plan',
      'post /ktx/kvault/rebalance',
      'post /ktx/kvault/rebalance-instructions',
      'post /transactions',
    ]);
  });

  it.each([
    ['one that succeeds', null, null],
    ['one that fails', { InstructionError: [0, { Custom: 6013 }] }, null],
    ['one that is rejected', null, { InstructionError: [0, { Custom: 6009 }] }],
  ])('answers as GraphQL does and as documented: %s', async (_, err, preflight) => {
    const transaction = await wallet.sign();
    cluster.landing = () => ({ slot: 1_000, confirmationStatus: 'confirmed', err });
    cluster.preflight = preflight === null ? null : { err: preflight, logs: ['a line'] };
    cluster.logs.set(signatureOf(transaction), ['a line']);
    const body = { transaction, lastValidBlockHeight: 200, wait: 'CONFIRMED' };
    const rest = await post(gateway, PATH, body);
    expect([rest.status, answerProblems('post', PATH, 200, rest.body)]).toEqual([200, []]);
    const graph = await gateway.query<{ sendTransaction: object }>(SEND, {
      variables: { input: { transaction } },
    });
    expect(rest.body).toEqual(graph.data.sendTransaction);
    expect(rest.headers.get('cache-control')).toMatch(/no-store|no-cache/);
  });

  it.each<[string, (signed: string) => unknown, string]>([
    ['no body', () => ({}), 'BAD_REQUEST'],
    ['not JSON', () => '{', 'BAD_REQUEST'],
    ['a number', () => ({ transaction: 5 }), 'BAD_REQUEST'],
    ['an unknown wait', (transaction) => ({ transaction, wait: 'FOREVER' }), 'BAD_REQUEST'],
    ['a negative height', (transaction) => ({ transaction, lastValidBlockHeight: -1 }), 'BAD_REQUEST'],
    ['a height of text', (transaction) => ({ transaction, lastValidBlockHeight: 'soon' }), 'BAD_REQUEST'],
    ['malformed base64', () => ({ transaction: '&&&' }), 'TRANSACTION_MALFORMED'],
    ['no signature', (transaction) => ({ transaction: unsigned(transaction) }), 'TRANSACTION_UNSIGNED'],
    ['too large', () => ({ transaction: 'A'.repeat(4_000) }), 'TRANSACTION_TOO_LARGE'],
  ])('refuses %s', async (_, change, code) => {
    const { status, body } = await post(gateway, PATH, change(await wallet.sign()));
    expect([status, misfits(BUILDER_ERROR, body)]).toEqual([400, []]);
    expect(body).toMatchObject({ statusCode: 400, code });
    expect(answerProblems('post', PATH, 400, body)).toEqual([]);
  });

  it('refuses a body that a form of another site could send', async () => {
    const transaction = await wallet.sign();
    const headers = { 'content-type': 'text/plain' };
    const { status, body } = await post(gateway, PATH, JSON.stringify({ transaction }), { headers });
    expect([status, body]).toMatchObject([415, { code: 'UNSUPPORTED_MEDIA_TYPE' }]);
    const blob = new Blob([JSON.stringify({ transaction })]);
    const typeless = new Request(`http://sluice.test${PATH}`, { method: 'POST', body: blob });
    const answer = await gateway.app.fetch(typeless);
    expect([answer.status, await answer.json()]).toMatchObject([415, { code: 'UNSUPPORTED_MEDIA_TYPE' }]);
    expect(cluster.skippedPreflights(transaction)).toEqual([]);
  });

  it('does not allow GET', async () => {
    const answer = await gateway.get(PATH);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(misfits(BUILDER_ERROR, await answer.json())).toEqual([]);
  });

  it('is 403 where sending is off, and says which setting enables it', async () => {
    const usual = await startReadyApp({ rpcUrls: cluster.urls, env: STILL });
    try {
      const { status, body } = await post(usual, PATH, { transaction: await wallet.sign() });
      expect([status, answerProblems('post', PATH, 403, body)]).toEqual([403, []]);
      expect(body).toMatchObject({ code: 'SENDING_DISABLED' });
      expect(JSON.stringify(body)).toContain('SEND_TRANSACTIONS=on');
    } finally {
      await usual.stop();
    }
  });
});

it('the documented way to send works, and throws a refusal with its code', async () => {
  const site = await serveSite(gateway.app.fetch);
  try {
    const transaction = await wallet.sign();
    const sent = await sendThroughGateway(site.origin, transaction);
    expect(sent).toMatchObject({ signature: signatureOf(transaction), status: 'CONFIRMED', slot: '1000' });
    const refused = sendThroughGateway(site.origin, unsigned(transaction));
    await expect(refused).rejects.toMatchObject({ code: 'TRANSACTION_UNSIGNED' });
  } finally {
    await site.close();
  }
});
