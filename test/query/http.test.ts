import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ frozen: true });
});

afterAll(async () => {
  await gateway?.stop();
});

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('the process', () => {
  it('reports liveness and readiness', async () => {
    const [health, ready] = [await gateway.get('/health'), await gateway.get('/ready')];
    expect([health.status, await health.json()]).toEqual([200, { status: 'alive' }]);
    const history = { status: 'off', doing: null, percent: null, leading: null, lagMs: null };
    const chain = {
      view: expect.stringMatching(/^[0-9a-f]{8}-\d+$/),
      slot: expect.stringMatching(/^\d+$/),
      ageMs: expect.any(Number),
      role: 'standalone',
    };
    const programs = ['klend', 'kvault', 'farms'].map((program) =>
      expect.objectContaining({ program, state: 'CHECKED', warning: null }),
    );
    expect([ready.status, await ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        chain,
        stream: null,
        positions: null,
        localnet: true,
        history,
        drift: null,
        programs,
      },
    ]);
  });

  it('redirects programs from / to /graphql, and answers 404 for unknown paths', async () => {
    const root = await gateway.get('/', { accept: 'application/json' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/graphql']);
    expect((await gateway.get('/nowhere')).status).toBe(404);
  });

  it('does not list addresses of the localnet when it does not run one', async () => {
    expect((await gateway.get('/localnet.json')).status).toBe(404);
  });
});

describe('GraphQL over GET', () => {
  it('answers a query in the URL', async () => {
    const query = encodeURIComponent('{ chain { cluster } }');
    const response = await gateway.get(`/graphql?query=${query}`, { accept: 'application/json' });
    expect(await response.json()).toMatchObject({ data: { chain: { cluster: 'localnet' } } });
  });
});

describe('GraphiQL', () => {
  const HTML = { accept: 'text/html,application/xhtml+xml' };
  const page = (headers: Record<string, string> = {}, method = 'GET') =>
    gateway.get('/graphql', { ...HTML, ...headers }, method);

  it.each([
    ['text/html', true],
    ['TEXT/HTML;charset=utf-8;q=0.1', true],
    ['application/json, text/html; q=0.001', true],
    ['text/html;q=0', false],
    ['application/json, text/html ; Q=0.000', false],
    ['application/x-text/html', false],
    ['text/html-sandboxed', false],
    ['*/*', false],
  ])('is sent for Accept: %s: %s', async (accept, isPage) => {
    const { headers } = await gateway.get('/graphql?query={__typename}', { accept });
    expect(headers.get('content-type')?.startsWith('text/html')).toBe(isPage);
  });

  it('is one page with the same content in every coding', async () => {
    const plain = await page();
    expect(plain.status).toBe(200);
    expect(plain.headers.get('content-type')).toContain('text/html');
    expect(plain.headers.get('content-encoding')).toBeNull();
    const text = await bytesOf(plain);
    const br = await page({ 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers.get('content-encoding')).toBe('br');
    expect(br.headers.get('vary')).toContain('accept-encoding');
    expect(brotliDecompressSync(await bytesOf(br)).equals(text)).toBe(true);
    const gzip = await page({ 'accept-encoding': 'gzip' });
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    const refused = await page({ 'accept-encoding': 'br;q=0, gzip;q=0.5' });
    expect(refused.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await bytesOf(gzip)).equals(text)).toBe(true);
  });

  it('is served to a browser for a URL with a query, which GraphiQL itself adds', async () => {
    const response = await gateway.get(`/graphql?query=${encodeURIComponent('{ chain { cluster } }')}`, HTML);
    expect((await bytesOf(response)).equals(await bytesOf(await page()))).toBe(true);
  });

  it('answers 304 to a browser that has it', async () => {
    const etag = (await page()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    const again = await page({ 'if-none-match': etag });
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
    expect(again.headers.get('etag')).toBe(etag);
    expect((await page({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const [get, head] = [await page(), await page({}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect((await bytesOf(head)).length).toBe(0);
  });

  it('loads nothing from other origins', async () => {
    const text = (await bytesOf(await page())).toString();
    const markup = text.replace(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, '$1</script>');
    const loads = [
      ...markup.matchAll(/\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/g),
      ...text.matchAll(/@import\s+(?:url\()?["']?([^"')\s;]+)/g),
      ...text.matchAll(/\burl\(["']?(https?:[^"')\s]+)/g),
      ...text.matchAll(/\b(?:from|import)\s*\(?["'](https?:[^"']+)["']/g),
    ].map(([, url = '']) => url);
    const foreign = loads.filter(
      (url) => /^(?:https?:)?\/\//.test(url) && !/^https?:\/\/www\.w3\.org\//.test(url),
    );
    expect(foreign).toEqual([]);
    expect(markup).toContain('<script');
  });
});
