import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';

const OWNER = testAddress(1);
const ACCOUNT = testAddress(2);
const localChain = new FakeChain();
let server: LocalnetRpc;

beforeAll(async () => {
  localChain.accounts.set(ACCOUNT, {
    ...account(Uint8Array.of(1, 2, 3), OWNER),
    lamports: 9_007_199_254_740_993n,
  });
  server = await startRpcServer(localChain);
});
afterAll(() => server.close());

const postText = (body: string) => fetch(server.url, { method: 'POST', body });
const post = async (body: unknown): Promise<unknown> => (await postText(JSON.stringify(body))).json();
const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

test('the response text equals that of a node', async () => {
  const response = await postText(
    JSON.stringify(call('getAccountInfo', [ACCOUNT, { encoding: 'base64' }], 'seven')),
  );
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe(
    `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"2.3.6","slot":5000},"value":{"data":["AQID","base64"],"executable":false,"lamports":9007199254740993,"owner":"${OWNER}","rentEpoch":18446744073709551615,"space":3}},"id":"seven"}`,
  );
});

describe('batches', () => {
  test('are answered in order, each by its id', async () => {
    expect(
      await post([call('getSlot', [], 'a'), call('noSuchMethod', [], 2), call('getHealth', undefined, null)]),
    ).toEqual([
      { jsonrpc: '2.0', id: 'a', result: 5_000 },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: null, result: 'ok' },
    ]);
  });

  test('omit notifications, and may not be empty', async () => {
    const silent = { jsonrpc: '2.0', method: 'getSlot' };
    expect(await post([silent, call('getSlot')])).toEqual([{ jsonrpc: '2.0', id: 1, result: 5_000 }]);
    expect(await (await postText(JSON.stringify(silent))).text()).toBe('');
    expect(await post([])).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'Invalid request' },
    });
  });
});

describe('an invalid request', () => {
  const error = (code: number, message: unknown, id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    error: { code, message },
  });

  test('is rejected with its JSON-RPC error code', async () => {
    expect(await (await postText('{"jsonrpc":')).json()).toEqual(error(-32700, 'Parse error', null));
    expect(await post(7)).toEqual(error(-32600, 'Invalid request', null));
    expect(await post({ id: 1, method: 'getSlot' })).toEqual(error(-32600, 'Invalid request'));
    expect(await post({ ...call('getSlot'), method: 5 })).toEqual(error(-32600, 'Invalid request'));
    expect(await post(call('toString'))).toEqual(error(-32601, 'Method not found'));
    expect(await post(call('getBlockProduction', []))).toEqual(error(-32601, 'Method not found'));
  });

  test('gets a message about its parameters', async () => {
    expect(await post(call('getAccountInfo'))).toEqual(
      error(-32602, '`params` should have at least 1 argument(s)'),
    );
    expect(await post(call('getAccountInfo', [5]))).toEqual(
      error(-32602, 'Invalid params: invalid type: integer `5`, expected a string.'),
    );
    expect(await post(call('getMultipleAccounts', ['x']))).toEqual(
      error(-32602, 'Invalid params: invalid type: string "x", expected a sequence.'),
    );
    expect(await post(call('getBlockTime', ['x']))).toEqual(
      error(-32602, 'Invalid params: invalid type: string "x", expected u64.'),
    );
    expect(await post(call('getBlockTime', [-1]))).toEqual(
      error(-32602, 'Invalid params: invalid type: integer `-1`, expected u64.'),
    );
    expect(await post(call('getAccountInfo', [ACCOUNT, 'base64']))).toEqual(
      error(-32602, 'Invalid params: invalid type: string "base64", expected a struct.'),
    );
    expect(await post(call('getAccountInfo', { address: ACCOUNT }))).toEqual(
      error(-32602, 'Invalid params: expected positional parameters.'),
    );
    expect(await post(call('getAccountInfo', [ACCOUNT, { encoding: 'hex' }]))).toEqual(
      error(-32602, expect.stringContaining('unknown variant `hex`')),
    );
    expect(await post(call('getSignatureStatuses', [['abc']]))).toEqual(
      error(-32602, 'Invalid param: WrongSize'),
    );
  });
});

describe('HTTP', () => {
  test('answers a health check', async () => {
    const response = await fetch(`${server.url}/health`);
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
  });

  test('requires POST', async () => {
    const response = await fetch(server.url);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('accepts bodies up to 5 MB', async () => {
    const padded = (bytes: number) => JSON.stringify(call('getSlot')).padEnd(bytes, ' ');
    expect((await postText(padded(5 * 1024 * 1024))).status).toBe(200);
    expect((await postText(padded(5 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test('fails to start on a port in use, without subscribing to the chain', async () => {
    const before = localChain.listeners;
    await expect(startRpcServer(localChain, { port: server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    expect(localChain.listeners).toBe(before);
  });
});

test('counts calls, addresses and bytes', async () => {
  server.requests.reset();
  const body = JSON.stringify([
    call('getMultipleAccounts', [[ACCOUNT, OWNER]]),
    call('getAccountInfo', [ACCOUNT]),
    call('getSlot'),
  ]);
  const response = await postText(body);
  const { requests } = server;
  expect(requests.httpRequests).toBe(1);
  expect(requests.calls()).toBe(3);
  expect(Object.fromEntries(requests.callsByMethod)).toEqual({
    getAccountInfo: 1,
    getMultipleAccounts: 1,
    getSlot: 1,
  });
  expect(requests.addressesRequested).toBe(3);
  expect([requests.requestsFor(ACCOUNT), requests.requestsFor(OWNER), requests.requestsFor('x')]).toEqual([
    2, 1, 0,
  ]);
  expect(requests.bytesReceived).toBe(body.length);
  expect(requests.bytesSent).toBe((await response.text()).length);
});

test('close unsubscribes from the chain and frees the port', async () => {
  const own = new FakeChain();
  const other = await startRpcServer(own);
  expect(own.listeners).toBe(1);
  await other.close();
  expect(own.listeners).toBe(0);
  await new Promise<void>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(other.port, '127.0.0.1', () => probe.close(() => resolve()));
  });
});
