import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

let rpc: LocalnetRpc;
let localChain: UnchangedChain;
const gateways: TestApp[] = [];

beforeAll(async () => {
  localChain = unchangedChain();
  rpc = await serveChain(localChain);
});

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

afterAll(async () => {
  await rpc?.close();
});

async function gatewayWith(env: Readonly<Record<string, string>>): Promise<TestApp> {
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, ...env } });
  gateways.push(gateway);
  return gateway;
}

const PLAIN = '{ chain { slot } }';
/** A vault page with 20 of 20 allocations costs some hundreds. */
const NESTED = '{ vaults(first: 50) { nodes { allocations { reserve { market { reserves { id } } } } } } }';

async function post(gateway: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await gateway.app.fetch(
    new Request(`http://sluice.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

describe('a limit', () => {
  it('is stated in every counted response, and each API refuses in its own format', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '3' });
    // REST is loaded by its first request, so send one before counting.
    await gateway.get('/health');
    const first = await gateway.get('/kvaults/vaults');
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=2;t=6[01]$/);
    expect(first.headers.get('retry-after')).toBeNull();
    expect(first.headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
    expect((await post(gateway, '/graphql', { query: PLAIN })).headers.get('ratelimit')).toMatch(/;r=1;/);
    expect((await gateway.get('/nowhere')).status).toBe(404);

    const read = await gateway.get('/kvaults/vaults');
    const seconds = Number(read.headers.get('retry-after'));
    expect(read.status).toBe(429);
    expect(read.headers.get('x-error-code')).toBe('RATE_LIMITED');
    expect(read.headers.get('ratelimit')).toMatch(/;r=0;/);
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(61);
    expect(await read.json()).toEqual({
      error: `This request exceeds your limit of 3 cost units per minute. Try again in ${seconds} s.`,
    });

    const built = await post(gateway, '/ktx/klend/deposit', {});
    expect(built.status).toBe(429);
    expect(built.body).toMatchObject({ statusCode: 429, error: 'Too Many Requests', code: 'RATE_LIMITED' });

    const asked = await post(gateway, '/graphql', { query: PLAIN });
    expect(asked.status).toBe(429);
    expect(asked.headers.get('retry-after')).toMatch(/^[56]\d$/);
    const { errors } = asked.body as { errors: { extensions: Record<string, unknown> }[] };
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryable: true, limit: 3 });
    expect(errors[0]?.extensions.retryAfter).toBe(Number(asked.headers.get('retry-after')));
  });

  it('does not apply to health checks, documentation and preflights', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '1' });
    expect((await gateway.get('/kvaults/vaults')).status).toBe(200);
    expect((await gateway.get('/kvaults/vaults')).status).toBe(429);
    for (const path of ['/health', '/ready', '/metrics', '/docs', '/openapi.json']) {
      const free = await gateway.get(path);
      expect([path, free.status, free.headers.get('ratelimit')]).toEqual([path, 200, null]);
    }
    expect((await gateway.get('/graphql', { accept: 'text/html' })).status).toBe(200);
    const asking = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    expect((await gateway.get('/kvaults/vaults', asking, 'OPTIONS')).status).toBe(204);
  });

  it('charges a query before anything is read, and admits any query for a client that has spent nothing', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '30' });
    const { extensions } = await gateway.query(NESTED);
    const { requested } = (extensions as unknown as { cost: { requested: number } }).cost;
    // The cost of the most expensive query is capped at the limit.
    expect(Math.ceil(requested / 100)).toBeGreaterThan(30);
    const next = await gateway.get('/kvaults/vaults');
    expect(next.status).toBe(429);

    const other = await gatewayWith({ RATE_LIMIT: '30' });
    await other.get('/kvaults/vaults');
    const refused = await post(other, '/graphql', { query: NESTED });
    expect(refused.status).toBe(429);
    expect(refused.body).not.toHaveProperty('data');
    // Only the two requests themselves were counted.
    expect((await other.get('/kvaults/vaults')).headers.get('ratelimit')).toMatch(/;r=27;/);
  });

  it('charges a long document for its length', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '100' });
    const left = async (query: string) => {
      const { status, headers } = await post(gateway, '/graphql', { query });
      return [status, headers.get('ratelimit')?.match(/;r=(\d+);/)?.[1]];
    };
    expect(await left(PLAIN)).toEqual([200, '99']);
    expect(await left(`${PLAIN} # ${'x'.repeat(3 * 4_096)}`)).toEqual([200, '95']);
  });

  it('charges invalid documents tenfold, and builders and reads outside the View more than a plain read', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '1000' });
    const left = async () => {
      const response = await gateway.get('/kvaults/vaults');
      return Number(/;r=(\d+);/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
    };
    const costOf = async (ask: () => Promise<unknown>) => {
      const before = await left();
      await ask();
      return before - (await left()) - 1;
    };
    const { wallet, market, reserve } = localChain.addresses;
    expect(await costOf(() => gateway.get('/kvaults/vaults'))).toBe(1);
    expect(await costOf(() => post(gateway, '/graphql', { query: PLAIN }))).toBe(1);
    expect(await costOf(() => post(gateway, '/graphql', { query: '{ nonsense' }))).toBe(10);
    expect(await costOf(() => post(gateway, '/graphql', { query: '{ nonsense }' }))).toBe(10);
    expect(await costOf(() => gateway.get(`/kvaults/users/${wallet}/positions`))).toBe(5);
    const deposit = { wallet, market, reserve, amount: '1' };
    expect(await costOf(() => post(gateway, '/ktx/klend/deposit', deposit))).toBe(10);
  });

  it('is disabled when it is 0', async () => {
    const gateway = await gatewayWith({});
    const response = await gateway.get('/kvaults/vaults');
    expect(response.headers.get('ratelimit')).toBeNull();
    expect(response.headers.get('ratelimit-policy')).toBeNull();
  });
});

describe('a limit on a socket', () => {
  const sites: SocketSite[] = [];
  afterEach(async () => {
    for (const site of sites.splice(0)) await site.close();
  });

  it('applies before the answer cache, per client', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '3', TRUSTED_PROXIES: '127.0.0.1' });
    const site = await serveOnSocket(gateway.app);
    sites.push(site);
    const ask = (client: string) => site.get('/kvaults/vaults', { 'x-forwarded-for': client });
    await ask('198.51.100.1');
    const [second, third, over] = [
      await ask('198.51.100.1'),
      await ask('198.51.100.1'),
      await ask('198.51.100.1'),
    ];
    expect([second.cached, third.cached, over.cached]).toEqual([true, true, true]);
    expect([second.status, third.status, over.status]).toEqual([200, 200, 429]);
    expect(second.headers.ratelimit).toMatch(/;r=1;/);
    expect(over.headers['retry-after']).toMatch(/^\d\d$/);
    expect(over.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(over.bytes.toString())).toHaveProperty('error');
    const another = await ask('198.51.100.2');
    expect([another.status, another.cached]).toEqual([200, true]);
    expect(another.headers.ratelimit).toMatch(/;r=2;/);
    expect(another.bytes.equals(second.bytes)).toBe(true);
  });

  it('ignores proxy headers of clients that are not trusted proxies', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '2' });
    const site = await serveOnSocket(gateway.app);
    sites.push(site);
    const statuses = [];
    for (let i = 1; i <= 4; i += 1) {
      const { status } = await site.get('/kvaults/vaults', { 'x-forwarded-for': `198.51.100.${i}` });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('keeps a client over the limit away from the chain while others are answered', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '60', TRUSTED_PROXIES: '127.0.0.1' });
    const site = await serveOnSocket(gateway.app);
    sites.push(site);
    const { wallet } = localChain.addresses;
    const from = (client: string) => ({ 'x-forwarded-for': client });
    const greedy = await Promise.all(
      Array.from({ length: 200 }, () =>
        site.get(`/kvaults/users/${wallet}/positions`, from('198.51.100.66')),
      ),
    );
    const admitted = greedy.filter(({ status }) => status === 200).length;
    // Each costs five, so at most twelve are read; the others cost the gateway only their refusal.
    expect(admitted).toBeGreaterThan(0);
    expect(admitted).toBeLessThanOrEqual(12);
    expect(new Set(greedy.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const both = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const isGreedy = i % 2 === 0;
        const path = isGreedy ? `/kvaults/users/${wallet}/positions` : '/kvaults/vaults';
        const { status } = await site.get(path, from(isGreedy ? '198.51.100.66' : '198.51.100.77'));
        return { isGreedy, status };
      }),
    );
    expect(new Set(both.filter((each) => each.isGreedy).map(({ status }) => status))).toEqual(new Set([429]));
    expect(new Set(both.filter((each) => !each.isGreedy).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
  });

  it('charges a unit for every 256 KB of an answer, computed or cached', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '1000' });
    const site = await serveOnSocket(gateway.app);
    sites.push(site);
    const { data } = await gateway.query('{ markets(first: 10) { nodes { address } } }');
    const { nodes } = (data as unknown as { markets: { nodes: { address: string }[] } }).markets;
    const path = `/svc-market/reserves/account-data?${nodes.map(({ address }) => `markets=${address}`).join('&')}`;
    const left = async () => {
      const { headers } = await site.get('/nowhere');
      return Number(/;r=(\d+);/.exec(String(headers.ratelimit))?.[1]);
    };
    const costs: number[] = [];
    let before = await left();
    for (let i = 0; i < 2; i += 1) {
      const { text, cached } = await site.get(path);
      expect(cached).toBe(i === 1);
      expect(text.length).toBeGreaterThan(262_144);
      const after = await left();
      costs.push(before - after - 1 - Math.floor(text.length / 262_144));
      before = after;
    }
    expect(costs).toEqual([1, 1]);
  });
});
