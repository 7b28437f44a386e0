import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Base58EncodedBytes,
  createSolanaRpcSubscriptions,
  getBase58Decoder,
  type Signature,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import {
  account,
  FakeChain,
  pastTransaction,
  testAddress,
  testSignature,
  wireTransaction,
} from '../support/chain/fake-chain.ts';

const PROGRAM = testAddress(1);
const VAULT = testAddress(2);
const RESERVE = testAddress(3);
const U64_MAX = 18_446_744_073_709_551_615n;

let localChain: FakeChain;
let server: LocalnetRpc;
let subscriptions: ReturnType<typeof createSolanaRpcSubscriptions>;
let stop: AbortController;

beforeEach(async () => {
  localChain = new FakeChain();
  localChain.accounts.set(VAULT, account(Uint8Array.of(1, 2, 3), PROGRAM));
  server = await startRpcServer(localChain);
  subscriptions = createSolanaRpcSubscriptions(server.wsUrl as `ws://${string}`);
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await server.close();
});

/** Reads from the subscription, one notification at a time. */
async function reader<T>(pending: {
  subscribe(options: { abortSignal: AbortSignal }): Promise<AsyncIterable<T>>;
}): Promise<() => Promise<T | undefined>> {
  const iterator = (await pending.subscribe({ abortSignal: stop.signal }))[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await iterator.next();
    return done === true ? undefined : value;
  };
}

const change = (address: typeof VAULT, bytes: number[], owner = PROGRAM) =>
  localChain.tick(new Map([[address, account(Uint8Array.from(bytes), owner)]]));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('with kit', () => {
  test('notifies of a changed account and of a closed one', async () => {
    const next = await reader(subscriptions.accountNotifications(VAULT, { encoding: 'base64' }));
    change(RESERVE, [9]);
    change(VAULT, [4, 5, 6]);
    expect(await next()).toEqual({
      context: { slot: 5_002n },
      value: {
        data: ['BAUG', 'base64'],
        executable: false,
        lamports: 1_000_000n,
        owner: PROGRAM,
        rentEpoch: U64_MAX,
        space: 3n,
      },
    });
    localChain.tick(new Map([[VAULT, null]]));
    expect(await next()).toEqual({
      context: { slot: 5_003n },
      value: {
        data: ['', 'base64'],
        executable: false,
        lamports: 0n,
        owner: SYSTEM_PROGRAM,
        rentEpoch: U64_MAX,
        space: 0n,
      },
    });
  });

  test('notifies of program accounts that match the filters', async () => {
    const memcmp = {
      offset: 1n,
      bytes: getBase58Decoder().decode(Uint8Array.of(7)) as Base58EncodedBytes,
      encoding: 'base58',
    } as const;
    const next = await reader(
      subscriptions.programNotifications(PROGRAM, {
        encoding: 'base64',
        filters: [{ dataSize: 3n }, { memcmp }],
      }),
    );
    change(VAULT, [1, 2, 3]);
    change(VAULT, [1, 7]);
    change(RESERVE, [1, 7, 3], SYSTEM_PROGRAM);
    change(RESERVE, [1, 7, 3]);
    expect(await next()).toMatchObject({
      context: { slot: 5_004n },
      value: { pubkey: RESERVE, account: { data: ['AQcD', 'base64'], owner: PROGRAM, space: 3n } },
    });
  });

  test('slots', async () => {
    const next = await reader(subscriptions.slotNotifications());
    localChain.tick();
    localChain.slot += 3n;
    localChain.tick();
    expect(await next()).toEqual({ parent: 5_000n, root: 5_001n, slot: 5_001n });
    expect(await next()).toEqual({ parent: 5_001n, root: 5_005n, slot: 5_005n });
  });

  test('notifies of a later signature and of an existing one', async () => {
    const transaction = (seed: number, error: unknown) =>
      pastTransaction({
        signature: testSignature(seed),
        addresses: [VAULT],
        wire: wireTransaction({ feePayer: VAULT, instructions: [] }),
        error,
      });
    localChain.transactions.push(transaction(1, null));
    const known = await reader(subscriptions.signatureNotifications(testSignature(1) as Signature));
    localChain.tick();
    expect(await known()).toEqual({ context: { slot: 5_001n }, value: { err: null } });
    const awaited = await reader(subscriptions.signatureNotifications(testSignature(2) as Signature));
    localChain.tick();
    localChain.transactions.push(transaction(2, { InstructionError: [1, 'Custom'] }));
    localChain.tick();
    expect(await awaited()).toEqual({
      context: { slot: 5_003n },
      value: { err: { InstructionError: [1n, 'Custom'] } },
    });
  });

  test('sends no notifications after unsubscribing', async () => {
    const nextSlot = await reader(subscriptions.slotNotifications());
    const own = new AbortController();
    const iterator = (
      await subscriptions
        .accountNotifications(VAULT, { encoding: 'base64' })
        .subscribe({ abortSignal: own.signal })
    )[Symbol.asyncIterator]();
    // The client drops notifications that arrive before they are requested.
    const heard = Promise.all([nextSlot(), iterator.next()]);
    change(VAULT, [1]);
    expect(await heard).toMatchObject([{ slot: 5_001n }, { value: { context: { slot: 5_001n } } }]);
    own.abort();
    await until(() => server.requests.calls('accountUnsubscribe') === 1);
    const sent = server.requests.bytesSent;
    change(VAULT, [2]);
    expect((await nextSlot())?.slot).toBe(5_002n);
    expect(server.requests.bytesSent - sent).toBe(
      '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":5001,"root":5002,"slot":5002},"subscription":1}}'
        .length,
    );
  });

  test('a dropped connection ends the subscription', async () => {
    const next = await reader(subscriptions.slotNotifications());
    localChain.tick();
    expect((await next())?.slot).toBe(5_001n);
    server.faults.dropWebSockets();
    await expect(next()).rejects.toThrow();
    const again = await reader(subscriptions.slotNotifications());
    localChain.tick();
    expect((await again())?.slot).toBe(5_002n);
  });
});

describe('on the wire', () => {
  let socket: WebSocket;
  let received: string[];

  beforeEach(async () => {
    socket = new WebSocket(server.wsUrl);
    received = [];
    socket.on('message', (data) => received.push(data.toString()));
    await new Promise((resolve) => socket.once('open', resolve));
  });
  afterEach(() => socket.terminate());

  async function ask(method: string, params: unknown[] = [], id: number | undefined = 1): Promise<unknown> {
    const before = received.length;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    await until(() => received.length > before);
    return JSON.parse(received.at(-1) ?? '');
  }

  test('notifications have the same shape as those of a node', async () => {
    expect(await ask('accountSubscribe', [VAULT, { encoding: 'base64' }], 7)).toEqual({
      jsonrpc: '2.0',
      result: 1,
      id: 7,
    });
    expect(
      await ask('programSubscribe', [PROGRAM, { encoding: 'base64', dataSlice: { offset: 1, length: 1 } }]),
    ).toMatchObject({
      result: 2,
    });
    expect(await ask('slotSubscribe')).toMatchObject({ result: 3 });
    received.length = 0;
    change(VAULT, [4, 5, 6]);
    await until(() => received.length === 3);
    const state = `"executable":false,"lamports":1000000,"owner":"${PROGRAM}","rentEpoch":18446744073709551615,"space":3`;
    expect(received).toEqual([
      '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":5000,"root":5001,"slot":5001},"subscription":3}}',
      `{"jsonrpc":"2.0","method":"accountNotification","params":{"result":{"context":{"slot":5001},"value":{"data":["BAUG","base64"],${state}}},"subscription":1}}`,
      `{"jsonrpc":"2.0","method":"programNotification","params":{"result":{"context":{"slot":5001},"value":{"account":{"data":["BQ==","base64"],${state}},"pubkey":"${VAULT}"}},"subscription":2}}`,
    ]);
  });

  test('a connection can only end its own subscriptions', async () => {
    expect(await ask('slotSubscribe')).toMatchObject({ result: 1 });
    const invalid = { error: { code: -32602, message: 'Invalid subscription id.' } };
    expect(await ask('slotUnsubscribe', [9])).toMatchObject(invalid);
    expect(await ask('slotUnsubscribe', [1])).toMatchObject({ result: true });
    expect(await ask('slotUnsubscribe', [1])).toMatchObject(invalid);
    received.length = 0;
    localChain.tick();
    // A notification would arrive before the answer to a later request.
    expect(await ask('slotUnsubscribe', [1])).toMatchObject(invalid);
    expect(received).toHaveLength(1);
  });

  test('an invalid subscription is rejected', async () => {
    expect(await ask('getSlot')).toMatchObject({ error: { code: -32601 } });
    expect(await ask('rootSubscribe')).toMatchObject({ error: { code: -32601 } });
    expect(await ask('rootUnsubscribe', [1])).toMatchObject({ error: { code: -32601 } });
    expect(await ask('accountSubscribe', ['abc'])).toMatchObject({
      error: { code: -32602, message: 'Invalid param: WrongSize' },
    });
    socket.send('{');
    await until(() => received.length === 5);
    expect(JSON.parse(received[4] ?? '')).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test('pings without an id are not answered', async () => {
    socket.send('{"jsonrpc":"2.0","method":"ping"}');
    expect(await ask('slotSubscribe')).toMatchObject({ result: 1 });
    expect(received).toHaveLength(1);
  });

  test('faults apply to notifications: lost, delayed, of an older slot', async () => {
    await ask('slotSubscribe');
    received.length = 0;
    server.faults.add({ method: 'slotNotification', hang: true, times: 1 });
    localChain.tick();
    server.faults.add({ method: 'slotNotification', delayMs: 60, slotOffset: -100, times: 1 });
    localChain.tick();
    localChain.tick();
    await until(() => received.length === 2);
    expect(received.map((text) => JSON.parse(text).params.result.slot)).toEqual([5_003, 4_902]);
  });

  test('new connections can be refused', async () => {
    server.faults.refuseWebSockets = true;
    const refused = new WebSocket(server.wsUrl);
    const error = await new Promise<Error>((resolve) => refused.once('error', resolve));
    expect(error.message).toBe('Unexpected server response: 503');
  });

  test('a closed socket removes its subscriptions', async () => {
    await ask('accountSubscribe', [VAULT, { encoding: 'base64' }]);
    socket.terminate();
    await until(() => {
      const sent = server.requests.bytesSent;
      change(VAULT, [1]);
      return server.requests.bytesSent === sent;
    });
  });
});
