import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { type SocketAnswer, type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp;
let site: SocketSite;

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
});
afterAll(() => rpc?.close());

/** Each test has a gateway of its own, whose caches are empty. */
async function start(env: Readonly<Record<string, string>> = {}) {
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, ...env } });
  site = await serveOnSocket(gateway.app);
}
afterEach(async () => {
  await site?.close();
  await gateway?.stop();
});

const asked = (query: string, more: object = {}) => JSON.stringify({ query, ...more });
const VAULTS = asked(
  'query Vaults { vaults(first: 5) { nodes { name totalValue { usd } currentApy { total } } } }',
);
/** Everything that does not differ between two requests. */
const shown = ({ status, headers, text }: SocketAnswer) => {
  const { date, 'x-request-id': id, 'content-length': length, ...rest } = headers;
  return { status, rest, text: text };
};
const cachedTwice = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
  const first = await site.post(body, headers);
  const again = await site.post(body, headers);
  return [first.cached, again.cached];
};
interface Body {
  readonly extensions: {
    readonly chain: { readonly view: string; readonly builtAt: string };
    readonly cost: object;
  };
}

describe('a query that was answered before on the same View', () => {
  beforeEach(() => start());

  it.each([
    ['uncompressed', {}],
    ['gzip', { 'accept-encoding': 'gzip' }],
    ['brotli', { 'accept-encoding': 'br' }],
    ['the newer media type', { accept: 'application/graphql-response+json' }],
    ['for a page of another origin', { origin: 'https://app.test' }],
  ])('gets the same bytes and headers: %s', async (_, headers) => {
    const first = await site.post(VAULTS, headers);
    const again = await site.post(VAULTS, headers);
    expect([first.status, first.cached, again.cached]).toEqual([200, false, true]);
    expect(shown(again)).toEqual(shown(first));
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('names when its View was built, which never changes', async () => {
    const { builtAt } = (JSON.parse((await site.post(VAULTS)).text) as Body).extensions.chain;
    expect(builtAt).toBe(new Date(gateway.app.chain.views.newest?.moment.builtAtMs ?? 0).toISOString());
  });

  it('is counted like any other', async () => {
    await site.post(VAULTS);
    await site.post(VAULTS, { 'x-request-id': 'trace-9' });
    const metrics = await (await gateway.get('/metrics')).text();
    expect(metrics).toContain('sluice_http_requests_total{route="/graphql",method="POST",status="200"} 2');
  });

  it('has an entry per variables, operation, media type and host', async () => {
    const query =
      'query One($n: Int) { vaults(first: $n) { totalCount nodes { name } } } query Two { markets { totalCount } }';
    const one = asked(query, { operationName: 'One', variables: { n: 1 } });
    expect(await cachedTwice(one)).toEqual([false, true]);
    for (const [body, headers] of [
      [asked(query, { operationName: 'One', variables: { n: 2 } }), {}],
      [asked(query, { operationName: 'Two' }), {}],
      [one, { accept: 'application/graphql-response+json' }],
      [one, { host: 'other.test' }],
    ] as const) {
      expect(await cachedTwice(body, headers)).toEqual([false, true]);
    }
    const names = async (n: number) => {
      const answer = await site.post(asked(query, { operationName: 'One', variables: { n } }));
      return (JSON.parse(answer.text) as { data: { vaults: { nodes: unknown[] } } }).data.vaults.nodes.length;
    };
    expect([await names(1), await names(2)]).toEqual([1, 2]);
  });

  it('gives concurrent callers the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.post(VAULTS)));
    for (const each of answers) expect(shown(each)).toEqual(shown(answers[0] ?? each));
  });
});

describe('an answer that is not cached', () => {
  beforeEach(() => start());

  it.each([
    ['a field error', () => asked('{ vault(address: "11111111111111111111111111111111") { name } }')],
    ['a request error', () => asked('{ nothing }')],
    [
      'a live read',
      () => asked(`{ wallet(address: "${localChain.addresses.wallet}") { balances { amount } } }`),
    ],
    ['the state of the chain', () => asked('{ chain { viewAgeMs } }')],
    ['the schema', () => asked('{ __schema { queryType { name } } }')],
    ['no JSON', () => '{"query":'],
  ])('%s', async (_, body) => {
    expect(await cachedTwice(body())).toEqual([false, false]);
  });

  it.each([
    ['a View', () => ({ 'x-view': gateway.app.chain.views.current().moment.id })],
    ['a minimum slot', () => ({ 'x-min-slot': '1' })],
  ])('is that of a request that names %s, before it is routed', async (_, headers) => {
    await site.post(VAULTS);
    expect(await cachedTwice(VAULTS, headers())).toEqual([false, false]);
  });

  it('belongs to an older View', async () => {
    const old = JSON.parse((await site.post(VAULTS)).text) as Body;
    localChain.advance(2);
    const newest = gateway.app.chain.views.newest?.moment.slot ?? 0n;
    await site.post(VAULTS, { 'x-min-slot': String(newest + 1n) });
    const now = await site.post(VAULTS);
    const { view } = (JSON.parse(now.text) as Body).extensions.chain;
    expect([now.cached, view === old.extensions.chain.view]).toEqual([false, false]);
    expect((await site.post(VAULTS)).cached).toBe(true);
  });
});

describe('limits', () => {
  it('charge a cached answer like an executed one', async () => {
    await start({ RATE_LIMIT: '40' });
    const statuses: [number, boolean][] = [];
    for (let i = 0; i < 50; i += 1) {
      const { status, cached } = await site.post(VAULTS);
      statuses.push([status, cached]);
    }
    const answered = statuses.filter(([status]) => status === 200).length;
    expect(answered).toBeGreaterThan(1);
    expect(answered).toBeLessThanOrEqual(40);
    expect(statuses.at(-1)).toEqual([429, true]);
  });

  it('refuse a cached answer without the required key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
    try {
      const { key, text } = makeKey({ name: 'tests', limit: 100, origins: [] }, new Date());
      await new KeyFolder(folder).add(key);
      await start({ REQUIRE_KEY: 'on', KEYS_DIR: folder });
      expect(await cachedTwice(VAULTS, { authorization: `Bearer ${text}` })).toEqual([false, true]);
      expect(await site.post(VAULTS)).toMatchObject({ status: 401, cached: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
