import { type LocalnetRpc, startRpcServer } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { failures, startTestApp, type TestApp } from '../support/apps/test-app.ts';

const DOCUMENT = `query ($address: Address!) {
  obligation(address: $address) { address }
  vaults(first: 2) { nodes { name } }
}`;

let localChain: TestChain;
let servers: LocalnetRpc[] = [];
let gateway: TestApp | undefined;

beforeAll(() => {
  localChain = new TestChain();
});

afterEach(async () => {
  await gateway?.stop();
  for (const server of servers) await server.close();
  servers = [];
});

afterAll(() => {
  gateway = undefined;
});

async function open(ports: readonly number[]): Promise<void> {
  servers = await Promise.all(ports.map((port) => startRpcServer(localChain, { port })));
}

async function close(): Promise<void> {
  for (const server of servers) await server.close();
  servers = [];
}

async function readiness(app: TestApp): Promise<{ status: number; text: string }> {
  const response = await app.get('/ready');
  return { status: response.status, text: await response.text() };
}

const ask = (app: TestApp) =>
  app.query(DOCUMENT, { variables: { address: localChain.addresses.obligation } });

it('starts without a working endpoint, reports why it is not ready, and recovers', async () => {
  await open([0, 0]);
  const [ports, rpcUrls] = [servers.map(({ port }) => port), servers.map(({ url }) => url)];
  await close();
  const app = await startTestApp({ rpcUrls, env: { RPC_MAX_ATTEMPTS: '2', DRIFT_INTERVAL_MS: '0' } });
  gateway = app;
  let state = await readiness(app);
  while (!state.text.includes('RPC_UNAVAILABLE')) {
    await new Promise((resolve) => setImmediate(resolve));
    state = await readiness(app);
  }
  expect(state.status).toBe(503);
  expect(JSON.parse(state.text)).toEqual({
    status: 'not ready',
    reasons: ['the chain cannot be read (RPC_UNAVAILABLE)'],
    chain: null,
    history: { status: 'off', doing: null, percent: null, leading: null, lagMs: null },
    drift: null,
    localnet: true,
    positions: null,
    stream: null,
    programs: ['klend', 'kvault', 'farms'].map((program) =>
      expect.objectContaining({ program, state: 'UNKNOWN', deployedSlot: null, warning: null }),
    ),
  });
  expect((await app.get('/health')).status).toBe(200);
  const answer = await ask(app);
  expect(failures(answer)).toEqual([': VIEW_NOT_READY']);
  expect(answer.errors[0]?.extensions?.retryable).toBe(true);
  expect(answer.text).not.toContain('127.0.0.1');

  const first = app.view();
  await open(ports);
  await first;
  await until(() => app.app.chain.state().trouble === null);
  expect((await readiness(app)).status).toBe(200);
  expect((await ask(app)).errors).toEqual([]);
});

it('serves its last View when all endpoints fail, reports it, and recovers', async () => {
  await open([0, 0]);
  const ports = servers.map(({ port }) => port);
  const app = await startTestApp({
    rpcUrls: servers.map(({ url }) => url),
    env: { RPC_MAX_ATTEMPTS: '2', REQUEST_TIMEOUT_MS: '5000' },
  });
  gateway = app;
  if (app.app.chain.views.newest === undefined) await app.view();
  await close();
  await until(() => app.app.chain.state().trouble !== null);
  expect(await readiness(app)).toMatchObject({ status: 503 });
  const answer = await ask(app);
  expect(failures(answer)).toEqual(['obligation: RPC_UNAVAILABLE']);
  expect(answer.data).toMatchObject({ obligation: null });
  expect((answer.data as { vaults: { nodes: object[] } }).vaults.nodes).toHaveLength(2);
  expect(answer.text).not.toContain('127.0.0.1');

  const { number } = app.app.chain.views.current().moment;
  localChain.advance(5);
  await open(ports);
  const view = await app.view((each) => each.moment.number > number);
  expect(view.moment.slot).toBe(localChain.slot);
  await until(() => app.app.chain.state().trouble === null);
  expect((await ask(app)).errors).toEqual([]);
});
