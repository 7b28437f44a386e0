import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { type HotSite, type HotSiteAnswer, serveHotSite } from '../support/http/cached-graphql-site.ts';
import { serveLedger, TestLedger } from '../support/ledger/test-ledger.ts';

let ledger: TestLedger;
let rpc: DemoRpcServer;
let gateway: TestApp;
let site: HotSite;

async function start(env: Readonly<Record<string, string>> = {}) {
  ledger = new TestLedger();
  rpc = await serveLedger(ledger);
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, ...env } });
  site = await serveHotSite(gateway.app);
}
afterEach(async () => {
  await site?.close();
  await gateway?.stop();
  await rpc?.close();
});

const asked = (query: string, more: object = {}) => JSON.stringify({ query, ...more });
const VAULTS = asked('query Vaults { vaults(first: 5) { nodes { name totalValue { usd } apy { total } } } }');
const withoutAge = (text: string) => text.replace(/"ageMs":\d+/, '"ageMs":?');
/** Everything but what tells one request from another. */
const shown = ({ status, headers, text }: HotSiteAnswer) => {
  const { date, 'x-request-id': id, 'content-length': length, ...rest } = headers;
  return { status, rest, text: withoutAge(text) };
};
const hot = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
  const first = await site.post(body, headers);
  const again = await site.post(body, headers);
  return [first.hot, again.hot];
};
interface Body {
  readonly extensions: {
    readonly chain: { readonly view: number; readonly ageMs: number };
    readonly cost: object;
  };
}

describe('a question that was just asked', () => {
  beforeEach(() => start());

  it.each([
    ['as it is', {}],
    ['gzip', { 'accept-encoding': 'gzip' }],
    ['brotli', { 'accept-encoding': 'br' }],
    ['the newer media type', { accept: 'application/graphql-response+json' }],
    ['for a page', { origin: 'https://app.test' }],
  ])('has the same answer, to the last header: %s', async (_, headers) => {
    const first = await site.post(VAULTS, headers);
    const again = await site.post(VAULTS, headers);
    expect([first.status, first.hot, again.hot]).toEqual([200, false, true]);
    expect(shown(again)).toEqual(shown(first));
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('tells the age that the View has now', async () => {
    const first = JSON.parse((await site.post(VAULTS)).text) as Body;
    await new Promise((resolve) => setTimeout(resolve, 30));
    const again = JSON.parse((await site.post(VAULTS)).text) as Body;
    expect(again.extensions.chain.ageMs).toBeGreaterThanOrEqual(first.extensions.chain.ageMs + 25);
    expect(again.extensions.cost).toEqual(first.extensions.cost);
  });

  it('is logged and counted like any other', async () => {
    await site.post(VAULTS);
    await site.post(VAULTS, { 'x-request-id': 'trace-9' });
    const metrics = await (await gateway.get('/metrics')).text();
    expect(metrics).toContain('sluice_http_requests_total{route="/graphql",method="POST",status="200"} 2');
  });

  it('is another one with other variables, another operation, another media type or another host', async () => {
    const query =
      'query One($n: Int) { vaults(first: $n) { totalCount nodes { name } } } query Two { markets { totalCount } }';
    const one = asked(query, { operationName: 'One', variables: { n: 1 } });
    expect(await hot(one)).toEqual([false, true]);
    for (const [body, headers] of [
      [asked(query, { operationName: 'One', variables: { n: 2 } }), {}],
      [asked(query, { operationName: 'Two' }), {}],
      [one, { accept: 'application/graphql-response+json' }],
      [one, { host: 'other.test' }],
    ] as const) {
      expect(await hot(body, headers)).toEqual([false, true]);
    }
    const names = async (n: number) => {
      const answer = await site.post(asked(query, { operationName: 'One', variables: { n } }));
      return (JSON.parse(answer.text) as { data: { vaults: { nodes: unknown[] } } }).data.vaults.nodes.length;
    };
    expect([await names(1), await names(2)]).toEqual([1, 2]);
  });

  it('asked at once by many is answered once, and right for each', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.post(VAULTS)));
    for (const each of answers) expect(shown(each)).toEqual(shown(answers[0] ?? each));
  });
});

describe('what is made anew each time', () => {
  beforeEach(() => start());

  it.each([
    ['an error somewhere', () => asked('{ vault(address: "11111111111111111111111111111111") { name } }')],
    ['an error of the whole', () => asked('{ nothing }')],
    ['a live read', () => asked(`{ wallet(address: "${ledger.addresses.wallet}") { balances { amount } } }`)],
    ['how the chain stands', () => asked('{ chain { viewAgeMs } }')],
    ['the schema', () => asked('{ __schema { queryType { name } } }')],
    ['no JSON', () => '{"query":'],
  ])('%s', async (_, body) => {
    expect(await hot(body())).toEqual([false, false]);
  });

  it.each([
    ['a View by its number', { 'x-view': '1' }],
    ['a slot', { 'x-min-slot': '1' }],
  ])('what names %s', async (_, headers) => {
    await site.post(VAULTS);
    expect(await hot(VAULTS, headers)).toEqual([false, false]);
  });

  it('what a new View has changed', async () => {
    const old = JSON.parse((await site.post(VAULTS)).text) as Body;
    ledger.advance(2);
    const newest = gateway.app.chain.views.newest?.moment.slot ?? 0n;
    await site.post(VAULTS, { 'x-min-slot': String(newest + 1n) });
    const now = await site.post(VAULTS);
    const { view } = (JSON.parse(now.text) as Body).extensions.chain;
    expect([now.hot, view > old.extensions.chain.view]).toEqual([false, true]);
    expect((await site.post(VAULTS)).hot).toBe(true);
  });
});

describe('limits', () => {
  it('count it as if it were executed', async () => {
    await start({ RATE_LIMIT: '40' });
    const statuses: [number, boolean][] = [];
    for (let i = 0; i < 50; i += 1) {
      const { status, hot: fromDoor } = await site.post(VAULTS);
      statuses.push([status, fromDoor]);
    }
    const answered = statuses.filter(([status]) => status === 200).length;
    expect(answered).toBeGreaterThan(1);
    expect(answered).toBeLessThanOrEqual(40);
    expect(statuses.at(-1)).toEqual([429, true]);
  });

  it('let nobody in without a key where one is needed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
    try {
      const { key, text } = makeKey({ name: 'tests', limit: 100, origins: [] }, new Date());
      await new KeyFolder(folder).add(key);
      await start({ REQUIRE_KEY: 'on', KEYS_DIR: folder });
      expect(await hot(VAULTS, { authorization: `Bearer ${text}` })).toEqual([false, true]);
      expect(await site.post(VAULTS)).toMatchObject({ status: 401, hot: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
