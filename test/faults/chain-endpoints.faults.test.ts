import type { FaultRule } from '@sluice/localnet/rpc/faults';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { type Answer, failures, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

const DOCUMENT = `query ($address: Address!) {
  obligation(address: $address) { address }
  vaults(first: 2) { nodes { name } }
  chain { endpoints { name healthy } }
}`;

interface Data {
  readonly obligation: { readonly address: string } | null;
  readonly vaults: { readonly nodes: readonly { readonly name: string }[] };
  readonly chain: { readonly endpoints: readonly { readonly name: string }[] };
}

/** Short enough to time out soon, and long enough for a busy machine. */
const TIMEOUT_MS = '1200';
const TOO_SLOW_MS = 5_000;

const FAULTS: readonly (readonly [string, FaultRule, string])[] = [
  ['answers 429', { status: 429 }, 'RPC_RATE_LIMITED'],
  ['answers 500', { status: 500 }, 'RPC_UNAVAILABLE'],
  ['answers something that is not JSON', { garbage: true }, 'RPC_BAD_RESPONSE'],
  ['hangs up in the middle of its answer', { halfBody: true }, 'RPC_BAD_RESPONSE'],
  ['hangs up without an answer', { reset: true }, 'RPC_UNAVAILABLE'],
  ['answers null', { nullResult: true }, 'RPC_BAD_RESPONSE'],
  ['has failed inside', { rpcError: { code: -32603, message: 'Internal error' } }, 'RPC_UNAVAILABLE'],
  ['is behind', { slotOffset: -1_000 }, 'MIN_SLOT_NOT_REACHED'],
  ['is too slow', { delayMs: TOO_SLOW_MS }, 'RPC_TIMEOUT'],
  ['never answers', { hang: true }, 'RPC_TIMEOUT'],
];

let localChain: UnchangedChain;
let servers: LocalnetRpc[];

beforeAll(async () => {
  localChain = unchangedChain();
  servers = await Promise.all([serveChain(localChain), serveChain(localChain), serveChain(localChain)]);
});

afterEach(() => {
  for (const { faults } of servers) faults.clear();
});

afterAll(async () => {
  for (const server of servers ?? []) await server.close();
});

const ask = (gateway: TestApp) =>
  gateway.query<Data>(DOCUMENT, { variables: { address: localChain.addresses.obligation } });

/** No address of an endpoint, whole or in part. */
function expectNoUrl({ text }: Answer<unknown>): void {
  expect(text).not.toMatch(/https?:|wss?:|127\.0\.0\.1|localhost/);
  for (const { port } of servers) expect(text).not.toContain(String(port));
}

describe('the only endpoint', () => {
  let gateway: TestApp;

  beforeAll(async () => {
    gateway = await startReadyApp({
      rpcUrls: servers.slice(0, 1).map(({ url }) => url),
      env: { ...STILL, RPC_TIMEOUT_MS: TIMEOUT_MS, RPC_MAX_ATTEMPTS: '2' },
    });
  });

  afterAll(async () => {
    await gateway?.stop();
  });

  it.each(FAULTS)('%s: the field has an error code, and the others answer', async (_, fault, code) => {
    servers[0]?.faults.add({ ...fault, method: 'getMultipleAccounts' });
    const answer = await ask(gateway);
    expect(failures(answer)).toEqual([`obligation: ${code}`]);
    expect(answer.errors[0]?.extensions?.retryable).toBe(true);
    expect(answer.data.obligation).toBeNull();
    expect(answer.data.vaults.nodes).toHaveLength(2);
    expectNoUrl(answer);

    servers[0]?.faults.clear();
    const recovered = await ask(gateway);
    expect(recovered.errors).toEqual([]);
    expect(recovered.data.obligation?.address).toBe(localChain.addresses.obligation);
  });
});

describe('one endpoint of three', () => {
  it.each(FAULTS)('%s: callers see no error', async (_, fault) => {
    const [first] = servers;
    first?.requests.reset();
    first?.faults.add(fault);
    const gateway = await startReadyApp({
      rpcUrls: servers.map(({ url }) => url),
      env: { ...STILL, RPC_TIMEOUT_MS: TIMEOUT_MS },
    });
    try {
      for (let i = 0; i < 3; i += 1) {
        const answer = await ask(gateway);
        expect(answer.errors).toEqual([]);
        expect(answer.data.obligation?.address).toBe(localChain.addresses.obligation);
        expectNoUrl(answer);
      }
      expect(first?.requests.calls()).toBeGreaterThan(0);
    } finally {
      await gateway.stop();
    }
  });

  it('refuses connections: callers see no error', async () => {
    const gone = await serveChain(localChain);
    await gone.close();
    const gateway = await startReadyApp({ rpcUrls: [gone.url, ...servers.slice(1).map(({ url }) => url)] });
    try {
      await gateway.view((view) => view.moment.number >= 3);
      const answer = await ask(gateway);
      expect(answer.errors).toEqual([]);
      expect(answer.data.chain.endpoints.map(({ name }) => name)).toEqual(['rpc-1', 'rpc-2', 'rpc-3']);
      expect((await gateway.get('/ready')).status).toBe(200);
    } finally {
      await gateway.stop();
    }
  });
});
