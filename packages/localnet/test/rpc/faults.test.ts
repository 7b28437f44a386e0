import { once } from 'node:events';
import { connect } from 'node:net';
import { createSolanaRpc } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';

const ACCOUNT = testAddress(1);
const localChain = new FakeChain();
let server: LocalnetRpc;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeAll(async () => {
  localChain.accounts.set(ACCOUNT, account(new Uint8Array(300_000)));
  server = await startRpcServer(localChain);
  rpc = createSolanaRpc(server.url as `http://${string}`);
});
beforeEach(() => server.faults.clear());
afterAll(() => server.close());

const slot = () => rpc.getSlot().send();
const post = (body: unknown) => fetch(server.url, { method: 'POST', body: JSON.stringify(body) });
const call = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method });

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

test('an HTTP status, as many times as the rule says', async () => {
  server.faults.add({ method: 'getSlot', status: 429, times: 2, retryAfterSeconds: 3 });
  await expect(slot()).rejects.toMatchObject({ context: { statusCode: 429 } });
  const response = await post(call('getSlot'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await slot()).toBe(5_000n);
  server.faults.add({ status: 502, times: 1 });
  expect((await post(call('getHealth'))).status).toBe(502);
});

test('only calls that match the method or the condition of the rule', async () => {
  server.faults.add({ method: 'getBlockHeight', status: 500 });
  expect(await slot()).toBe(5_000n);
  server.faults.add({ when: (_method, params) => params[0] === ACCOUNT, status: 503 });
  expect(await slot()).toBe(5_000n);
  await expect(rpc.getBalance(ACCOUNT).send()).rejects.toMatchObject({ context: { statusCode: 503 } });
  expect((await rpc.getBalance(testAddress(2)).send()).value).toBe(0n);
});

test('a removed rule has no effect', async () => {
  const takeBack = server.faults.add({ status: 500 });
  expect((await post(call('getSlot'))).status).toBe(500);
  takeBack();
  expect(await slot()).toBe(5_000n);
});

test('a delay for one method, and a latency for all', async () => {
  server.faults.add({ method: 'getSlot', delayMs: 80 });
  expect(await elapsedMs(slot)).toBeGreaterThanOrEqual(79);
  server.faults.clear();
  server.faults.latencyMs = 60;
  expect(await elapsedMs(() => rpc.getHealth().send())).toBeGreaterThanOrEqual(59);
});

test('a delayed answer is stale', async () => {
  const before = server.requests.calls('getSlot');
  server.faults.add({ delayMs: 100, times: 1 });
  const early = slot();
  while (server.requests.calls('getSlot') === before) await new Promise(setImmediate);
  localChain.tick();
  expect(await slot()).toBe(5_001n);
  expect(await early).toBe(5_000n);
  localChain.slot = 5_000n;
});

test('garbage', async () => {
  server.faults.add({ garbage: true, times: 1 });
  await expect(slot()).rejects.toBeInstanceOf(SyntaxError);
  expect(await slot()).toBe(5_000n);
});

test('a truncated answer', async () => {
  server.faults.add({ halfBody: true, times: 1 });
  const body = { ...call('getAccountInfo'), params: [ACCOUNT, { encoding: 'base64' }] };
  const response = await post(body);
  expect(response.status).toBe(200);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(400_000);
  await expect(response.text()).rejects.toThrow();
  expect((await (await post(body)).text()).length).toBeGreaterThan(400_000);
});

test('a dropped connection', async () => {
  server.faults.add({ reset: true, times: 1 });
  await expect(slot()).rejects.toThrow('fetch failed');
  expect(await slot()).toBe(5_000n);
});

test('no answer at all', async () => {
  server.faults.add({ method: 'getSlot', hang: true });
  await expect(rpc.getSlot().send({ abortSignal: AbortSignal.timeout(60) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(server.requests.calls('getSlot')).toBeGreaterThan(0);
});

test('a null result, and a JSON-RPC error', async () => {
  server.faults.add({ method: 'getVersion', nullResult: true, times: 1 });
  expect(await rpc.getVersion().send()).toBeNull();
  server.faults.add({ rpcError: { code: -32005, message: 'Node is behind by 42 slots' }, times: 1 });
  expect(await (await post(call('getHealth'))).json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32005, message: 'Node is behind by 42 slots' },
  });
});

test('a node that lags behind', async () => {
  server.faults.add({ slotOffset: -10 });
  expect(await slot()).toBe(4_990n);
  expect((await rpc.getBalance(ACCOUNT).send()).context.slot).toBe(4_990n);
  await expect(rpc.getBalance(ACCOUNT, { minContextSlot: 5_000n }).send()).rejects.toMatchObject({
    context: { __code: -32016, contextSlot: 4_990n },
  });
});

test('several rules combine', async () => {
  server.faults.add({ slotOffset: -5 });
  server.faults.add({ method: 'getSlot', delayMs: 50 });
  const start = performance.now();
  expect(await slot()).toBe(4_995n);
  expect(performance.now() - start).toBeGreaterThanOrEqual(49);
});

test('in a batch, a result applies to one call and a status to all of them', async () => {
  server.faults.add({ method: 'getSlot', nullResult: true, times: 1 });
  expect(await (await post([call('getSlot', 1), call('getBlockHeight', 2)])).json()).toMatchObject([
    { id: 1, result: null },
    { id: 2, result: expect.any(Number) },
  ]);
  server.faults.add({ method: 'getSlot', status: 429, times: 1 });
  expect((await post([call('getSlot', 1), call('getBlockHeight', 2)])).status).toBe(429);
});

test('a refused WebSocket, even if its client is gone when it is refused', async () => {
  server.faults.refuseWebSockets = true;
  const { hostname, port } = new URL(server.url);
  for (let i = 0; i < 20; i += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    const closed = once(socket, 'close');
    // Where nobody listened for the reset, it ended the process.
    setImmediate(() => socket.resetAndDestroy());
    await closed;
  }
  expect(await slot()).toBe(5_000n);
});
