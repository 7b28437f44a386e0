import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChangingContractWorld, contractWorldOver } from '../support/contract/contract-app.ts';
import { type SocketAnswer, type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

let localChain: TestChain;
let world: ChangingContractWorld;
let site: SocketSite;

beforeAll(() => {
  localChain = new TestChain();
});

/** Each test has a gateway of its own, whose caches are empty. */
async function start(env: Readonly<Record<string, string>> = {}) {
  world = await contractWorldOver(localChain, env);
  site = await serveOnSocket(world.gateway.app);
}
afterEach(async () => {
  await site?.close();
  await world?.stop();
});

const LIST = '/kvaults/vaults';
/** Everything that does not differ between two requests. */
const shown = ({ status, headers, bytes }: SocketAnswer) => {
  const { date, 'x-request-id': id, ...rest } = headers;
  return { status, headers: rest, text: bytes.toString('base64') };
};
const nextView = async () => {
  const newest = world.gateway.app.chain.views.newest?.moment;
  // Waiting for a slot that has not been read makes the gateway refresh.
  const wanted = { 'x-min-slot': String((newest?.slot ?? 0n) + 1n) };
  world.localChain.advance();
  return await site.get(LIST, wanted);
};

describe('an answer that was given before on the same View', () => {
  beforeEach(() => start());

  it.each([
    ['uncompressed', {}],
    ['compressed', { 'accept-encoding': 'br' }],
    ['with its tag', { 'if-none-match': '*' }],
  ])('comes from the cache with the same bytes and headers: %s', async (_, headers) => {
    const first = await site.get(LIST, headers);
    const again = await site.get(LIST, headers);
    expect([first.cached, again.cached]).toEqual([false, true]);
    expect(shown(again)).toEqual(shown(first));
    expect(again.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('by HEAD has the same headers and no body', async () => {
    const get = await site.get(LIST);
    const head = await site.get(LIST, {}, 'HEAD');
    expect([head.cached, head.bytes.length]).toEqual([true, 0]);
    expect(shown({ ...head, bytes: get.bytes })).toEqual(shown(get));
  });

  it('has the request id of its caller and is counted by its route', async () => {
    const { vault } = world.localChain.addresses;
    await site.get(`${LIST}/${vault}`);
    const again = await site.get(`${LIST}/${vault}`, { 'x-request-id': 'trace-9' });
    expect([again.cached, again.headers['x-request-id']]).toEqual([true, 'trace-9']);
    const metrics = (await site.get('/metrics')).bytes.toString();
    expect(metrics).toContain(
      'sluice_http_requests_total{route="/kvaults/vaults/:pubkey",method="GET",status="200"} 2',
    );
  });

  it('ignores undocumented parameters', async () => {
    const plain = await site.get(LIST);
    const odd = await site.get(`${LIST}?nobody=knows`);
    expect([odd.cached, shown(odd)]).toEqual([false, shown(plain)]);
  });

  it('has an entry per host, because answers may contain URLs', async () => {
    await site.get(LIST);
    expect((await site.get(LIST, { host: 'other.test' })).cached).toBe(false);
  });

  it('is not cached if it is an error', async () => {
    const asked = async () => await site.get(`${LIST}/nonsense`);
    const answers = [await asked(), await asked()];
    expect(answers.map(({ status, cached }) => [status, cached])).toEqual([
      [400, false],
      [400, false],
    ]);
  });
});

describe('a new View', () => {
  beforeEach(() => start());

  it('has its own answers, and an older View keeps its own', async () => {
    const old = await site.get(LIST);
    const fresh = await nextView();
    expect(fresh.headers['x-view']).not.toBe(old.headers['x-view']);
    expect(Number(fresh.headers['x-slot'])).toBeGreaterThan(Number(old.headers['x-slot']));
    const now = await site.get(LIST);
    expect([now.headers['x-view'], now.headers['x-slot']]).toEqual([
      fresh.headers['x-view'],
      fresh.headers['x-slot'],
    ]);
    const pinned = await site.get(LIST, { 'x-view': String(old.headers['x-view']) });
    expect(pinned.cached).toBe(false);
    expect(shown(pinned)).toEqual(shown(old));
    expect(pinned.headers.vary).toContain('X-View');
  });

  it('is awaited by a request with a minimum slot, whatever is cached', async () => {
    const old = await site.get(LIST);
    await site.get(LIST);
    const fresh = await nextView();
    expect(BigInt(String(fresh.headers['x-slot']))).toBeGreaterThan(BigInt(String(old.headers['x-slot'])));
  });
});

describe('with a list of origins', () => {
  beforeEach(() => start({ CORS_ORIGINS: 'https://app.example' }));

  it('a cached answer gets the CORS headers of its caller', async () => {
    const origins = ['https://app.example', 'https://other.example'];
    await site.get(LIST, { origin: 'https://other.example' });
    const answers = await Promise.all(origins.map((origin) => site.get(LIST, { origin })));
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([
      'https://app.example',
      undefined,
    ]);
    for (const { headers } of answers)
      expect(headers.vary).toBe('Accept-Encoding, X-View, X-Min-Slot, Origin');
  });
});

describe('an alias of the market segment', () => {
  beforeEach(() => start({ MARKET_SEGMENT_ALIAS: 'xyz-market' }));

  it('gives the same answers, routes in the metrics and cached bytes', async () => {
    const { market } = world.localChain.addresses;
    const path = `/svc-market/${market}/reserves/metrics`;
    const documented = await site.get(path);
    const other = await site.get(path.replace('svc-market', 'xyz-market'));
    expect([documented.status, other.cached, shown(other)]).toEqual([200, true, shown(documented)]);
    const configs = await site.get('/v2/svc-market');
    expect(configs.status).toBe(200);
    expect(shown(await site.get('/v2/xyz-market'))).toEqual(shown(configs));
    expect(shown(await site.get('/xyz-market'))).toEqual(shown(configs));
    expect((await site.get(`/v2/xyz-market/${market}`)).status).toBe(200);
    const metrics = (await site.get('/metrics')).bytes.toString();
    expect(metrics).not.toContain('xyz-market');
    expect((await site.get('/openapi.json')).bytes.toString()).not.toContain('xyz-market');
  });

  it('is not recognised inside other paths', async () => {
    for (const path of ['/xyz-marketing', '/kvaults/xyz-market', '/v2/v2/xyz-market'])
      expect((await site.get(path)).status, path).not.toBe(200);
  });
});
