import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';
import { EventStream } from '../support/http/event-stream.ts';
import { SendingCluster } from '../support/rpc/sending-cluster.ts';
import { signatureOf, Wallet } from '../support/sending/signed-transactions.ts';

const FOLLOW =
  'subscription ($signature: String!) { transaction(signature: $signature) { signature status slot error { name } logs } }';

interface Followed {
  readonly transaction: {
    readonly signature: string;
    readonly status: string;
    readonly slot: string | null;
    readonly error: { readonly name: string } | null;
    readonly logs: readonly string[];
  };
}

let wallet: Wallet;
let cluster: SendingCluster;
let gateway: TestApp;
let site: Site;

beforeAll(async () => {
  wallet = await Wallet.create();
  cluster = await SendingCluster.start(1, signatureOf);
  const env = { ...STILL, VIEW_REFRESH_MS: '100', SEND_TRANSACTIONS: 'on', MAX_STREAMS_PER_CLIENT: '200' };
  gateway = await startReadyApp({ rpcUrls: cluster.urls, env });
  site = await serveSite(gateway.app.fetch);
  // Views are announced when their slot is new.
  clock = setInterval(() => cluster.localChain.advance(1), 100);
});
beforeEach(() => cluster.reset());
afterAll(async () => {
  clearInterval(clock);
  await site?.close();
  await gateway?.stop();
  await cluster?.stop();
});
let clock: NodeJS.Timeout;

const follow = (signature: string) =>
  EventStream.open<Followed>(site.origin, FOLLOW, { variables: { signature } });
const next = async (stream: EventStream<Followed>) => (await stream.nextData()).data?.transaction;

describe('a followed transaction', () => {
  it('sends its status, each change, and completes when it is finalized', async () => {
    const signature = signatureOf(await wallet.sign());
    const stream = await follow(signature);
    expect(await next(stream)).toEqual({ signature, status: 'PENDING', slot: null, error: null, logs: [] });
    for (const level of ['processed', 'confirmed', 'finalized'] as const) {
      cluster.statuses.set(signature, { slot: 500, confirmationStatus: level, err: null });
      expect(await next(stream)).toMatchObject({ status: level.toUpperCase(), slot: '500' });
    }
    expect((await stream.next())?.event).toBe('complete');
    expect(await stream.next()).toBeNull();
  });

  it('completes after one event when it is final already', async () => {
    const signature = signatureOf(await wallet.sign());
    cluster.archive.set(signature, { slot: 7, confirmationStatus: 'finalized', err: null });
    const stream = await follow(signature);
    expect(await next(stream)).toMatchObject({ status: 'FINALIZED', slot: '7' });
    expect((await stream.next())?.event).toBe('complete');
    expect(await stream.next()).toBeNull();
  });

  it('that fails says why, and completes', async () => {
    const signature = signatureOf(await wallet.sign());
    const stream = await follow(signature);
    expect(await next(stream)).toMatchObject({ status: 'PENDING' });
    const logs = ['Program KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD failed: custom program error: 0x177d'];
    cluster.logs.set(signature, logs);
    const err = { InstructionError: [0, { Custom: 6013 }] };
    cluster.statuses.set(signature, { slot: 501, confirmationStatus: 'confirmed', err });
    expect(await next(stream)).toMatchObject({ status: 'FAILED', error: { name: 'BorrowTooLarge' }, logs });
    expect((await stream.next())?.event).toBe('complete');
  });

  it('that this gateway sends and that expires says so', async () => {
    const transaction = await wallet.sign();
    const stream = await follow(signatureOf(transaction));
    expect(await next(stream)).toMatchObject({ status: 'PENDING' });
    cluster.preflight = { err: 'BlockhashNotFound', logs: [] };
    cluster.isBlockhashValid = false;
    await gateway.query(
      'mutation ($input: SendTransactionInput!) { sendTransaction(input: $input) { __typename } }',
      { variables: { input: { transaction } } },
    );
    expect(await next(stream)).toMatchObject({ status: 'EXPIRED', error: { name: 'BlockhashNotFound' } });
    expect((await stream.next())?.event).toBe('complete');
  });

  it('is read together with all others, in one call', async () => {
    const signatures: string[] = [];
    for (let i = 0; i < 40; i += 1) signatures.push(signatureOf(await wallet.sign()));
    const streams = await Promise.all(signatures.map(follow));
    for (const stream of streams) expect(await next(stream)).toMatchObject({ status: 'PENDING' });
    cluster.statusCalls.length = 0;
    await until(() => cluster.statusCalls.some((call) => signatures.every((each) => call.includes(each))));
    for (const stream of streams) stream.close();
  });
});

describe('a signature', () => {
  it.each(['', 'nonsense', '1'.repeat(32), '<script>'])('%j is refused', async (signature) => {
    const stream = await follow(signature);
    const event = await stream.next();
    expect(event?.data?.errors?.[0]?.extensions?.code).toBe('SIGNATURE_MALFORMED');
    expect((await stream.next())?.event).toBe('complete');
  });
});
