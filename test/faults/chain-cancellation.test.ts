import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { requestListener } from '../../src/http/server.ts';
import { failures, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc/counting-proxy.ts';

const DOCUMENT = `query ($address: Address!) {
  obligation(address: $address) { address }
  vaults(first: 1) { nodes { name } }
}`;

let localChain: UnchangedChain;
let rpc: LocalnetRpc;
let proxy: RpcProxy;
let gateway: TestApp;
let letGo: () => void = () => {};

beforeAll(async () => {
  localChain = unchangedChain();
  rpc = await serveChain(localChain);
  proxy = await startRpcProxy(rpc.url);
  gateway = await startReadyApp({ rpcUrls: [proxy.url], env: { ...STILL, RPC_TIMEOUT_MS: '60000' } });
});

afterEach(() => letGo());

afterAll(async () => {
  await gateway?.stop();
  await proxy?.stop();
  await rpc?.close();
});

const hold = () => {
  letGo = proxy.hold(({ method }) => method === 'getMultipleAccounts');
};
const variables = () => ({ address: localChain.addresses.obligation });

describe('a client that disconnects', () => {
  it('cancels its RPC reads', async () => {
    hold();
    const before = proxy.abandoned();
    const client = new AbortController();
    const gone = gateway.query(DOCUMENT, { variables: variables(), signal: client.signal });
    gone.catch(() => undefined);
    await until(() => proxy.held() === 1);
    client.abort();
    await until(() => proxy.abandoned() === before + 1);
  });

  it('cancels them over a real connection as well', async () => {
    hold();
    const before = proxy.abandoned();
    const server = createServer(requestListener(gateway.app.fetch));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = new AbortController();
    const gone = fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: DOCUMENT, variables: variables() }),
      signal: client.signal,
    });
    gone.catch(() => undefined);
    await until(() => proxy.held() === 1);
    client.abort();
    await until(() => proxy.abandoned() === before + 1);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });

  it('does not cancel reads that another request shares', async () => {
    hold();
    const before = proxy.abandoned();
    const client = new AbortController();
    const gone = gateway.query(DOCUMENT, { variables: variables(), signal: client.signal });
    gone.catch(() => undefined);
    await until(() => proxy.held() === 1);
    const stays = gateway.query<{ obligation: { address: string } }>(DOCUMENT, { variables: variables() });
    // A later read of another account shows that this one has joined by then.
    const marker = new AbortController();
    const other = gateway.query(DOCUMENT, {
      variables: { address: localChain.addresses.emptyWallet },
      signal: marker.signal,
    });
    other.catch(() => undefined);
    await until(() => proxy.held() === 2);
    client.abort();
    marker.abort();
    await until(() => proxy.abandoned() === before + 1);
    letGo();
    expect((await stays).data.obligation.address).toBe(localChain.addresses.obligation);
    expect(proxy.abandoned()).toBe(before + 1);
  });
});

describe('a request that takes too long', () => {
  it('returns partial data at its deadline, and its reads are cancelled', async () => {
    const hasty = await startReadyApp({
      rpcUrls: [proxy.url],
      env: { ...STILL, RPC_TIMEOUT_MS: '60000', REQUEST_TIMEOUT_MS: '300' },
    });
    try {
      hold();
      const before = proxy.abandoned();
      const answer = await hasty.query<{ vaults: { nodes: object[] } }>(DOCUMENT, { variables: variables() });
      expect(failures(answer)).toEqual(['obligation: DEADLINE_EXCEEDED']);
      expect(answer.errors[0]?.extensions?.retryable).toBe(true);
      expect(answer.data.vaults.nodes).toHaveLength(1);
      await until(() => proxy.abandoned() === before + 1);
    } finally {
      letGo();
      await hasty.stop();
    }
  });
});
