import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startLocalnet } from '@sluice/localnet/localnet';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { STILL, startTestApp, type TestApp } from '../support/apps/test-app.ts';

const FIRST_VIEW_WAIT_MS = 120_000;

let gateway: TestApp;
beforeAll(async () => {
  // Nothing listens there: the chain will never be read.
  gateway = await startTestApp({
    rpcUrls: ['http://127.0.0.1:9'],
    env: { RPC_TIMEOUT_MS: '200', LOG_LEVEL: 'silent' },
  });
});
afterAll(() => gateway?.stop());

it('the schema is served before the chain has been read, so that GraphiQL works', async () => {
  const answer = await gateway.query('{ __schema { queryType { name } } __type(name: "Vault") { name } }');
  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual({ __schema: { queryType: { name: 'Query' } }, __type: { name: 'Vault' } });
});

it('a query about the chain is rejected with a code until then', async () => {
  const answer = await gateway.query('{ __typename chain { slot } }');
  expect(answer.errors[0]?.extensions).toMatchObject({ code: 'VIEW_NOT_READY', retryable: true });
});

it('a query that arrives while the first View is being read is answered from that View', async () => {
  const chain = await startLocalnet({ scale: 0.2 });
  let isOpen = false;
  const held: (() => void)[] = [];
  const proxy = createServer((request, response) => {
    const forward = () => {
      const upstream = httpRequest(chain.rpc.url, { method: 'POST', headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(upstream);
    };
    // Every call waits until the question has been asked; no View can be there before.
    if (isOpen) forward();
    else held.push(forward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const starting = await startTestApp({ rpcUrls: [`http://127.0.0.1:${port}`], env: STILL });
  try {
    // The usual wait of two seconds is too short for the first View on a busy machine.
    const { views } = starting.app.chain;
    const first = views.first.bind(views);
    vi.spyOn(views, 'first').mockImplementation((_, signal) => first(FIRST_VIEW_WAIT_MS, signal));
    const asked = starting.query<{ vaults: { nodes: unknown[] } }>(
      '{ vaults(first: 1) { nodes { address } } }',
    );
    expect(starting.app.chain.views.newest).toBeUndefined();
    isOpen = true;
    for (const forward of held) forward();
    const { data, errors, extensions } = await asked;
    expect(errors).toEqual([]);
    expect(data.vaults.nodes).toHaveLength(1);
    expect(extensions.chain?.view).toMatch(/^[0-9a-f]{8}-1$/);
  } finally {
    await starting.stop();
    proxy.close();
    proxy.closeAllConnections();
    await chain.stop();
  }
});
