import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  createSolanaRpcSubscriptions,
  type KeyPairSigner,
  type PendingRpcSubscriptionsRequest,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testAddress } from '../support/chain/fake-chain.ts';
import {
  type SendingClient,
  SOL,
  signatureOf,
  startSendingClient,
  transferSol,
} from '../support/rpc/sending-client.ts';

let client: SendingClient;
let payer: KeyPairSigner;
let subscriptions: ReturnType<typeof createSolanaRpcSubscriptions>;
let stop: AbortController;

beforeAll(async () => {
  client = await startSendingClient();
  payer = await client.wallet(1);
  subscriptions = createSolanaRpcSubscriptions(client.server.wsUrl as `ws://${string}`);
});
afterAll(() => client.server.close());
beforeEach(() => {
  stop = new AbortController();
});
afterEach(() => stop.abort());

/** Subscribes; the function returns the next notification. Kit drops those that nobody waits for, so one is always awaited. */
async function reader<T>(request: PendingRpcSubscriptionsRequest<T>): Promise<() => Promise<T>> {
  const iterator = (await request.subscribe({ abortSignal: stop.signal }))[Symbol.asyncIterator]();
  let pending = iterator.next();
  return async () => {
    const { value, done } = await pending;
    if (done === true) throw new Error('the subscription has ended');
    pending = iterator.next();
    return value;
  };
}

const transfer = (to: number, amount: bigint) =>
  client.signed([transferSol(payer.address, testAddress(to), amount)], [payer]);
const send = async (wire: Awaited<ReturnType<typeof transfer>>, skipPreflight = false) =>
  await client.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight }).send();

describe('while no slot passes', () => {
  test('an account is notified of a transaction, with the slot in which it happened', async () => {
    const next = await reader(subscriptions.accountNotifications(testAddress(10), { encoding: 'base64' }));
    await send(await transfer(10, SOL));
    expect(await next()).toMatchObject({
      context: { slot: client.localChain.slot },
      value: { lamports: SOL, owner: SYSTEM_PROGRAM },
    });
  });

  test('a signature is notified when its transaction has run, with its error', async () => {
    const good = await transfer(11, SOL);
    const bad = await transfer(11, 1_000n * SOL);
    const nextGood = await reader(subscriptions.signatureNotifications(signatureOf(good)));
    const nextBad = await reader(
      subscriptions.signatureNotifications(signatureOf(bad), { enableReceivedNotification: true }),
    );
    await send(good);
    await send(bad, true);
    const contextOf = (wire: typeof good) => ({
      slot: client.localChain.transaction(signatureOf(wire))?.slot,
    });
    expect(await nextGood()).toEqual({ context: contextOf(good), value: { err: null } });
    expect(await nextBad()).toEqual({
      context: contextOf(bad),
      value: { err: { InstructionError: [0n, { Custom: 1n }] } },
    });
  });

  test('a signature that exists already is notified too', async () => {
    const wire = await transfer(12, SOL);
    await send(wire);
    const next = await reader(subscriptions.signatureNotifications(signatureOf(wire)));
    expect(await next()).toMatchObject({ value: { err: null } });
  });
});

describe('logs', () => {
  test('of all transactions', async () => {
    const next = await reader(subscriptions.logsNotifications('all'));
    const signature = await send(await transfer(13, SOL));
    expect(await next()).toEqual({
      context: { slot: client.localChain.slot },
      value: {
        err: null,
        logs: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
        signature,
      },
    });
  });

  test('of transactions that mention an address', async () => {
    const next = await reader(subscriptions.logsNotifications({ mentions: [testAddress(15)] }));
    await send(await transfer(14, SOL));
    const signature = await send(await transfer(15, SOL));
    expect(await next()).toMatchObject({ value: { signature } });
  });

  test('of the world itself, once each', async () => {
    const next = await reader(subscriptions.logsNotifications('all'));
    const from = client.localChain.slot;
    client.advance(50);
    const expected = [];
    for (let slot = from + 1n; slot <= client.localChain.slot; slot += 1n) {
      expected.push(...client.localChain.block(slot).transactions.map(({ signature }) => signature));
    }
    expect(expected.length).toBeGreaterThan(3);
    for (const signature of expected) expect((await next()).value.signature).toBe(signature);
  });
});
