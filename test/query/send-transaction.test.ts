import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { address, type Blockhash } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { post } from '../support/contract/contract-app.ts';
import { answerProblems } from '../support/contract/openapi-validator.ts';
import { SendingCluster } from '../support/rpc/sending-cluster.ts';
import { signatureOf, unsigned, Wallet, withByte } from '../support/sending/signed-transactions.ts';

const { klend } = MAINNET_PROGRAMS;
const NONCE_ACCOUNT = address('6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq');
const SEND = `mutation ($input: SendTransactionInput!) { sendTransaction(input: $input) {
  __typename
  ... on SentTransaction { signature status slot logs error { instructionIndex programAddress code name message } }
  ... on InvalidTransaction { code message }
} }`;

interface Sent {
  readonly sendTransaction: {
    readonly __typename: string;
    readonly signature?: string;
    readonly status?: string;
    readonly slot?: string | null;
    readonly error?: { readonly name: string | null; readonly message: string } | null;
    readonly code?: string;
    readonly message?: string;
  };
}

let wallet: Wallet;
let cluster: SendingCluster;
let gateway: TestApp;
/** Another gateway over the same cluster. */
let second: TestApp;

beforeAll(async () => {
  wallet = await Wallet.create();
  cluster = await SendingCluster.start(2, signatureOf);
  const options = { rpcUrls: cluster.urls, env: { ...STILL, SEND_TRANSACTIONS: 'on' } };
  gateway = await startReadyApp(options);
  second = await startReadyApp(options);
});
beforeEach(() => cluster.reset());
afterAll(async () => {
  await gateway?.stop();
  await second?.stop();
  await cluster?.stop();
});

const ask = (transaction: string, more: object = {}, to: TestApp = gateway): Promise<Answer<Sent>> =>
  to.query<Sent>(SEND, { variables: { input: { transaction, ...more } } });

async function send(transaction: string, more: object = {}, to: TestApp = gateway) {
  const { data, errors } = await ask(transaction, more, to);
  expect(errors).toEqual([]);
  return data.sendTransaction;
}

describe('a signed transaction', () => {
  it('is sent unchanged, and the answer says when it is confirmed', async () => {
    const transaction = await wallet.sign();
    expect(await send(transaction)).toEqual({
      __typename: 'SentTransaction',
      signature: signatureOf(transaction),
      status: 'CONFIRMED',
      slot: '1000',
      logs: [],
      error: null,
    });
    expect(cluster.skippedPreflights(transaction)).toEqual([false]);
  });

  it('is resent without preflight until it lands', async () => {
    cluster.landing = (nth) => (nth < 2 ? null : { slot: 1_001, confirmationStatus: 'confirmed', err: null });
    const transaction = await wallet.sign();
    expect(await send(transaction)).toMatchObject({ status: 'CONFIRMED', slot: '1001' });
    expect(cluster.skippedPreflights(transaction)).toEqual([false, true]);
  });

  it('is waited for as far as the caller wants', async () => {
    cluster.landing = () => null;
    expect(await send(await wallet.sign(), { wait: 'NONE' })).toMatchObject({
      status: 'PENDING',
      slot: null,
    });
    cluster.landing = () => ({ slot: 1_002, confirmationStatus: 'processed', err: null });
    const processed = await send(await wallet.sign(), { wait: 'PROCESSED' });
    expect(processed).toMatchObject({ status: 'PROCESSED', slot: '1002' });
  });

  it('that fails in a block is named with its program error and logs', async () => {
    const transaction = await wallet.sign();
    const logs = [`Program ${klend} invoke [1]`, `Program ${klend} failed: custom program error: 0x177d`];
    cluster.logs.set(signatureOf(transaction), logs);
    const err = { InstructionError: [0, { Custom: 6013 }] };
    cluster.landing = () => ({ slot: 1_003, confirmationStatus: 'confirmed', err });
    expect(await send(transaction)).toMatchObject({
      status: 'FAILED',
      slot: '1003',
      logs,
      error: { instructionIndex: 0, programAddress: klend, code: 6013, name: 'BorrowTooLarge' },
    });
  });

  it('whose simulation fails is rejected in the same shape, and not resent', async () => {
    const logs = [`Program ${klend} failed: custom program error: 0x1771`];
    cluster.preflight = { err: { InstructionError: [0, { Custom: 6009 }] }, logs };
    const transaction = await wallet.sign();
    expect(await send(transaction)).toMatchObject({
      status: 'REJECTED',
      slot: null,
      logs,
      error: { instructionIndex: 0, programAddress: klend, code: 6009, name: 'ReserveStale' },
    });
    expect(cluster.skippedPreflights(transaction)).toEqual([false]);
  });

  it('is sent by another endpoint when one is down', async () => {
    const [first] = cluster.endpoints;
    await first?.die();
    try {
      expect(await send(await wallet.sign())).toMatchObject({ status: 'CONFIRMED' });
    } finally {
      await first?.revive();
    }
  });

  it('is charged for the RPC calls that it took', async () => {
    const { extensions } = await ask(await wallet.sign());
    expect(extensions.chain?.rpcRequests).toBeGreaterThanOrEqual(3);
  });
});

describe('a blockhash', () => {
  /** No other test has asked about it. */
  const UNKNOWN_BLOCKHASH = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' as Blockhash;

  it('that no endpoint knows makes the transaction expired', async () => {
    cluster.preflight = { err: 'BlockhashNotFound', logs: [] };
    cluster.isBlockhashValid = false;
    const sent = await send(await wallet.sign(8, [], UNKNOWN_BLOCKHASH));
    expect(sent).toMatchObject({ status: 'EXPIRED', slot: null, error: { name: 'BlockhashNotFound' } });
    expect(sent.error?.message).toContain('Build the transaction again');
  });

  it('that one endpoint does not know yet is sent nevertheless', async () => {
    cluster.preflight = { err: 'BlockhashNotFound', logs: [] };
    const transaction = await wallet.sign();
    expect(await send(transaction)).toMatchObject({ status: 'CONFIRMED' });
    expect(cluster.skippedPreflights(transaction)).toEqual([false, true]);
  });

  it('that expires before the transaction lands ends the sending', async () => {
    cluster.landing = () => {
      cluster.isBlockhashValid = false;
      return null;
    };
    const transaction = await wallet.sign();
    expect(await send(transaction)).toMatchObject({ status: 'EXPIRED' });
    expect(cluster.skippedPreflights(transaction)).toEqual([false]);
  });

  it('is not expired because a caller says so', async () => {
    cluster.landing = (nth) => (nth < 2 ? null : { slot: 1_004, confirmationStatus: 'confirmed', err: null });
    expect(await send(await wallet.sign(), { lastValidBlockHeight: '1' })).toMatchObject({
      status: 'CONFIRMED',
    });
  });

  it('of a transaction that landed long ago leads to its outcome', async () => {
    const transaction = await wallet.sign();
    cluster.preflight = { err: 'BlockhashNotFound', logs: [] };
    cluster.isBlockhashValid = false;
    cluster.archive.set(signatureOf(transaction), { slot: 7, confirmationStatus: 'finalized', err: null });
    expect(await send(transaction)).toMatchObject({ status: 'FINALIZED', slot: '7' });
  });

  it('that is a durable nonce does not expire', async () => {
    cluster.isBlockhashValid = false;
    cluster.landing = (nth) => (nth < 2 ? null : { slot: 1_005, confirmationStatus: 'confirmed', err: null });
    const transaction = await wallet.sign(8, [wallet.advanceNonce()]);
    expect(await send(transaction)).toMatchObject({ status: 'CONFIRMED', slot: '1005' });
  });
});

describe('the same transaction', () => {
  it('sent again has the same answer and reaches no endpoint', async () => {
    const transaction = await wallet.sign();
    const first = await send(transaction);
    expect(await send(transaction)).toEqual(first);
    expect(await send(transaction, {}, second)).toEqual(first);
    expect(cluster.skippedPreflights(transaction)).toEqual([false]);
  });

  it('sent by many at once is one send', async () => {
    const transaction = await wallet.sign();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(transaction)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(cluster.skippedPreflights(transaction)).toEqual([false]);
  });

  it('that has landed meanwhile through somebody else counts as sent', async () => {
    const transaction = await wallet.sign();
    cluster.preflight = { err: 'AlreadyProcessed', logs: [] };
    setTimeout(() => {
      const status = { slot: 1_006, confirmationStatus: 'confirmed', err: null } as const;
      cluster.statuses.set(signatureOf(transaction), status);
    }, 600);
    expect(await send(transaction)).toMatchObject({ status: 'CONFIRMED', slot: '1006' });
  });
});

describe('a client with as many transactions as its share', () => {
  let small: TestApp;
  beforeAll(async () => {
    const env = { ...STILL, SEND_TRANSACTIONS: 'on', SENDING_PER_CLIENT: '2' };
    small = await startReadyApp({ rpcUrls: cluster.urls, env });
  });
  afterAll(() => small?.stop());

  it('is refused the next one, and told when to try again', async () => {
    cluster.landing = () => null;
    for (let i = 0; i < 2; i += 1) await send(await wallet.sign(), { wait: 'NONE' }, small);
    const transaction = await wallet.sign();
    const { errors } = await ask(transaction, { wait: 'NONE' }, small);
    expect(errors[0]?.extensions).toMatchObject({ code: 'SENDING_BUSY', retryable: true, retryAfter: 5 });
    const rest = await post(small, '/transactions', { transaction, wait: 'NONE' });
    expect([rest.status, rest.headers.get('retry-after')]).toEqual([429, '5']);
    expect(rest.body).toMatchObject({ code: 'SENDING_BUSY' });
    expect(cluster.skippedPreflights(transaction)).toEqual([]);
  });
});

it('a second transaction with a durable nonce is refused while the first is being sent', async () => {
  cluster.landing = () => null;
  const first = await wallet.sign(8, [wallet.advanceNonce(NONCE_ACCOUNT)]);
  const second = await wallet.sign(8, [wallet.advanceNonce(NONCE_ACCOUNT)]);
  expect(await send(first, { wait: 'NONE' })).toMatchObject({ status: 'PENDING' });
  const { errors } = await ask(second, { wait: 'NONE' });
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining(signatureOf(first)),
    extensions: { code: 'DURABLE_NONCE_BUSY', retryable: true },
  });
  const rest = await post(gateway, '/transactions', { transaction: second });
  expect([rest.status, answerProblems('post', '/transactions', 409, rest.body)]).toEqual([409, []]);
  expect(cluster.skippedPreflights(second)).toEqual([]);
  cluster.statuses.set(signatureOf(first), { slot: 1_007, confirmationStatus: 'confirmed', err: null });
  expect(await send(first)).toMatchObject({ status: 'CONFIRMED' });
  cluster.landing = () => ({ slot: 1_008, confirmationStatus: 'confirmed', err: null });
  expect(await send(second)).toMatchObject({ status: 'CONFIRMED', slot: '1008' });
});

describe('what no cluster would accept is refused before any RPC call', () => {
  const SIGNATURE = 1;
  const MESSAGE = 65;

  it.each<[string, string, (signed: string) => string | Promise<string>]>([
    ['nothing', 'TRANSACTION_MALFORMED', () => ''],
    ['no base64', 'TRANSACTION_MALFORMED', () => 'not base64!'],
    ['half of it', 'TRANSACTION_MALFORMED', (signed) => signed.slice(0, 40)],
    ['bytes after its end', 'TRANSACTION_MALFORMED', (signed) => plus(signed, 1)],
    ['an unknown version', 'TRANSACTION_MALFORMED', (signed) => withByte(signed, MESSAGE, () => 0x85)],
    ['no signature', 'TRANSACTION_UNSIGNED', unsigned],
    ['a wrong signature', 'TRANSACTION_SIGNATURE_INVALID', (signed) => withByte(signed, SIGNATURE, flip)],
    [
      'a message that was changed',
      'TRANSACTION_SIGNATURE_INVALID',
      (signed) => withByte(signed, Buffer.from(signed, 'base64').length - 2, flip),
    ],
    ['more than 1232 bytes', 'TRANSACTION_TOO_LARGE', (signed) => plus(signed, 1_232)],
  ])('%s: %s', async (_, code, change) => {
    const { data, extensions } = await ask(await change(await wallet.sign()));
    expect(data.sendTransaction).toEqual({
      __typename: 'InvalidTransaction',
      code,
      message: expect.any(String),
    });
    expect(extensions.chain?.rpcRequests).toBe(0);
  });

  const flip = (byte: number) => byte ^ 1;
  const plus = (signed: string, bytes: number) =>
    Buffer.concat([Buffer.from(signed, 'base64'), Buffer.alloc(bytes)]).toString('base64');
});

describe('sending', () => {
  it('is off on a configured cluster, and the error names the setting', async () => {
    const usual = await startReadyApp({ rpcUrls: cluster.urls, env: STILL });
    try {
      const transaction = await wallet.sign();
      const { data, errors } = await ask(transaction, {}, usual);
      expect(data).toBeNull();
      expect(errors[0]).toMatchObject({ extensions: { code: 'SENDING_DISABLED', retryable: false } });
      expect(errors[0]?.message).toContain('SEND_TRANSACTIONS=on');
      expect(cluster.skippedPreflights(transaction)).toEqual([]);
    } finally {
      await usual.stop();
    }
  });

  it('answers that it is pending when the time of a request is over', async () => {
    const hasty = await startReadyApp({
      rpcUrls: cluster.urls,
      env: { ...STILL, SEND_TRANSACTIONS: 'on', REQUEST_TIMEOUT_MS: '2000' },
    });
    try {
      cluster.landing = () => null;
      expect(await send(await wallet.sign(), {}, hasty)).toMatchObject({ status: 'PENDING', slot: null });
    } finally {
      await hasty.stop();
    }
  });

  it('fails as a read does while all endpoints are down', async () => {
    const transaction = await wallet.sign();
    await Promise.all(cluster.endpoints.map((endpoint) => endpoint.die()));
    try {
      const { errors } = await ask(transaction);
      expect(errors[0]?.extensions).toMatchObject({ code: 'RPC_UNAVAILABLE', retryable: true });
    } finally {
      await Promise.all(cluster.endpoints.map((endpoint) => endpoint.revive()));
    }
  });
});
