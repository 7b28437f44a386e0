import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { type KeptSite, type SocketAnswer, serveKeptSite } from '../support/http/cached-rest-site.ts';

let world: ContractWorld;
let site: KeptSite;

async function start(env: Readonly<Record<string, string>> = {}) {
  world = await startContractWorld(env);
  site = await serveKeptSite(world.gateway.app);
}
afterEach(async () => {
  await site?.close();
  await world?.stop();
});

const LIST = '/kvaults/vaults';
/** Everything but what tells one request from another. */
const shown = ({ status, headers, bytes }: SocketAnswer) => {
  const { date, 'x-request-id': id, ...rest } = headers;
  return { status, headers: rest, text: bytes.toString('base64') };
};
const nextView = async () => {
  const newest = world.gateway.app.chain.views.newest?.moment;
  // A slot that has not been read yet makes the gateway read again.
  const wanted = { 'x-min-slot': String((newest?.slot ?? 0n) + 1n) };
  world.ledger.advance();
  return await site.ask(LIST, wanted);
};

describe('an answer that is asked for again', () => {
  beforeEach(() => start());

  it.each([
    ['as it is', {}],
    ['compressed', { 'accept-encoding': 'br' }],
    ['with its tag', { 'if-none-match': '*' }],
  ])('comes from what is kept, the same to the last header: %s', async (_, headers) => {
    const first = await site.ask(LIST, headers);
    const again = await site.ask(LIST, headers);
    expect([first.kept, again.kept]).toEqual([false, true]);
    expect(shown(again)).toEqual(shown(first));
    expect(again.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('by HEAD has the same headers and no body', async () => {
    const get = await site.ask(LIST);
    const head = await site.ask(LIST, {}, 'HEAD');
    expect([head.kept, head.bytes.length]).toEqual([true, 0]);
    expect(shown({ ...head, bytes: get.bytes })).toEqual(shown(get));
  });

  it('keeps the id that the caller gives, and is counted by its route', async () => {
    const { vault } = world.ledger.addresses;
    await site.ask(`${LIST}/${vault}`);
    const again = await site.ask(`${LIST}/${vault}`, { 'x-request-id': 'trace-9' });
    expect([again.kept, again.headers['x-request-id']]).toEqual([true, 'trace-9']);
    const metrics = (await site.ask('/metrics')).bytes.toString();
    expect(metrics).toContain(
      'sluice_http_requests_total{route="/kvaults/vaults/:pubkey",method="GET",status="200"} 2',
    );
  });

  it('is the same question with parameters that nobody documented', async () => {
    const plain = await site.ask(LIST);
    const odd = await site.ask(`${LIST}?nobody=knows`);
    expect([odd.kept, shown(odd)]).toEqual([false, shown(plain)]);
  });

  it('is another question for another host: answers may name it', async () => {
    await site.ask(LIST);
    expect((await site.ask(LIST, { host: 'other.test' })).kept).toBe(false);
  });

  it('is not kept when it was an error', async () => {
    const asked = async () => await site.ask(`${LIST}/nonsense`);
    const answers = [await asked(), await asked()];
    expect(answers.map(({ status, kept }) => [status, kept])).toEqual([
      [400, false],
      [400, false],
    ]);
  });
});

describe('a new View', () => {
  beforeEach(() => start());

  it('has answers of its own; the older View still has its own', async () => {
    const old = await site.ask(LIST);
    const fresh = await nextView();
    expect(Number(fresh.headers['x-view'])).toBeGreaterThan(Number(old.headers['x-view']));
    const now = await site.ask(LIST);
    expect([now.headers['x-view'], now.headers['x-slot']]).toEqual([
      fresh.headers['x-view'],
      fresh.headers['x-slot'],
    ]);
    const pinned = await site.ask(LIST, { 'x-view': String(old.headers['x-view']) });
    expect(pinned.kept).toBe(false);
    expect(shown(pinned)).toEqual(shown(old));
    expect(pinned.headers.vary).toContain('X-View');
  });

  it('is what a caller with a slot waits for, whatever is kept of the one before', async () => {
    const old = await site.ask(LIST);
    await site.ask(LIST);
    const fresh = await nextView();
    expect(BigInt(String(fresh.headers['x-slot']))).toBeGreaterThan(BigInt(String(old.headers['x-slot'])));
  });
});

describe('with a list of origins', () => {
  beforeEach(() => start({ CORS_ORIGINS: 'https://app.example' }));

  it('what is kept is dressed for the one who asks', async () => {
    const origins = ['https://app.example', 'https://other.example'];
    await site.ask(LIST, { origin: 'https://other.example' });
    const answers = await Promise.all(origins.map((origin) => site.ask(LIST, { origin })));
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([
      'https://app.example',
      undefined,
    ]);
    for (const { headers } of answers)
      expect(headers.vary).toBe('Accept-Encoding, X-View, X-Min-Slot, Origin');
  });
});

describe('another name for the market service', () => {
  beforeEach(() => start({ MARKET_SEGMENT_ALIAS: 'xyz-market' }));

  it('leads to the same answers, the same routes in the metrics and the same kept bytes', async () => {
    const { market } = world.ledger.addresses;
    const path = `/svc-market/${market}/reserves/metrics`;
    const documented = await site.ask(path);
    const other = await site.ask(path.replace('svc-market', 'xyz-market'));
    expect([documented.status, other.kept, shown(other)]).toEqual([200, true, shown(documented)]);
    const configs = await site.ask('/v2/svc-market');
    expect(configs.status).toBe(200);
    expect(shown(await site.ask('/v2/xyz-market'))).toEqual(shown(configs));
    expect((await site.ask(`/v2/xyz-market/${market}`)).status).toBe(200);
    const metrics = (await site.ask('/metrics')).bytes.toString();
    expect(metrics).not.toContain('xyz-market');
    expect((await site.ask('/openapi.json')).bytes.toString()).not.toContain('xyz-market');
  });

  it('is not taken for one inside other paths', async () => {
    for (const path of ['/xyz-marketing', '/kvaults/xyz-market', '/v2/v2/xyz-market', '/xyz-market'])
      expect((await site.ask(path)).status, path).not.toBe(200);
  });
});
