import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

let gateway: TestApp;
let page: string;
let files: readonly string[];

beforeAll(async () => {
  gateway = await testApp({ frozen: true });
  page = await (await gateway.get('/graphql', { accept: 'text/html' })).text();
  const loads = [...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url);
  files = loads.map((url) => new URL(url, 'http://sluice.test/graphql').pathname);
});

afterAll(async () => {
  await gateway?.stop();
});

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const file = (ending: string) => files.find((path) => path.endsWith(ending)) ?? '';

describe('the page of GraphiQL', () => {
  it('is small, and loads a style, an icon and a script that browsers may keep for ever', async () => {
    expect(page.length).toBeLessThan(100_000);
    expect(files.map((path) => path.replace(/[0-9a-f]{16}/, '*')).sort()).toEqual([
      '/graphql/graphiql-*.css',
      '/graphql/graphiql-*.ico',
      '/graphql/graphiql-*.js',
    ]);
    for (const path of files) {
      const { status, headers } = await gateway.get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
      const again = await gateway.get(path, { 'if-none-match': headers.get('etag') ?? '' });
      expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
    }
    const typeOf = async (ending: string) => (await gateway.get(file(ending))).headers.get('content-type');
    expect([await typeOf('.js'), await typeOf('.css'), await typeOf('.ico')]).toEqual([
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
      'image/x-icon',
    ]);
  });

  it('runs the script of the package, in two parts', async () => {
    const whole = renderGraphiQL({ title: 'none' });
    const library = (await bytesOf(await gateway.get(file('.js')))).toString();
    const script = /<script>([\s\S]*)<\/script>/.exec(whole)?.[1] ?? '';
    expect(library.length).toBeGreaterThan(8_000_000);
    expect(script.startsWith(library)).toBe(true);
    expect(script.slice(library.length)).toMatch(/^YogaGraphiQL\.renderYogaGraphiQL\(/);
    expect(page).toMatch(/<script src="[^"]*"><\/script><script>YogaGraphiQL\.renderYogaGraphiQL\(/);
    const style = (await bytesOf(await gateway.get(file('.css')))).toString();
    expect(whole).toContain(`<style>${style}</style>`);
  });

  it('has files with the same content in every coding', async () => {
    const plain = await bytesOf(await gateway.get(file('.css')));
    const br = await gateway.get(file('.css'), { 'accept-encoding': 'br' });
    const gzip = await gateway.get(file('.css'), { 'accept-encoding': 'gzip' });
    expect([br.headers.get('content-encoding'), gzip.headers.get('content-encoding')]).toEqual([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(await bytesOf(br)).equals(plain)).toBe(true);
    expect(gunzipSync(await bytesOf(gzip)).equals(plain)).toBe(true);
  });

  it('has no file of another name', async () => {
    for (const name of ['graphiql-0000000000000000.js', 'graphiql-files.ts', '../package.json', ''])
      expect((await gateway.get(`/graphql/${name}`)).status, name).toBe(404);
  });
});
