import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { preparedName } from '../../src/http/static-answer.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

const PAGE = `<!doctype html><title>Explorer</title><script type="module" src="./explorer/index-Ab_1-x2.js"></script>`;
const SCRIPT = `const text = '${'sluice '.repeat(1_000)}';`;
const STYLE = 'body { margin: 0 }';
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let root: string;
let rpc: LocalnetRpc;
let gateway: TestApp;
let without: TestApp;
let unbuilt: TestApp;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-explorer-'));
  const files = join(root, 'explorer/explorer');
  await mkdir(files, { recursive: true });
  await writeFile(join(root, 'secret.js'), 'outside');
  await writeFile(join(root, 'explorer/index.html'), PAGE);
  await writeFile(join(root, 'explorer/licences.json'), '[]');
  await writeFile(join(files, 'index-Ab_1-x2.js'), SCRIPT);
  await writeFile(join(files, 'index-99.css'), STYLE);
  await writeFile(join(files, 'notes.txt'), 'not for browsers');
  rpc = await serveChain(unchangedChain());
  const explorerBuild = pathToFileURL(`${root}/explorer/`);
  const usual = { rpcUrls: [rpc.url], env: STILL, explorerBuild };
  gateway = await startReadyApp(usual);
  without = await startReadyApp({ ...usual, env: { ...STILL, EXPLORER: 'off' } });
  unbuilt = await startReadyApp({ ...usual, explorerBuild: pathToFileURL(`${root}/none/`) });
});

afterAll(async () => {
  for (const app of [gateway, without, unbuilt]) await app?.stop();
  await rpc?.close();
  await rm(root, { recursive: true, force: true });
});

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const redirect = ({ status, headers }: Response) => [status, headers.get('location')];
const TO_GRAPHIQL = [302, '/graphql'];

describe('the page', () => {
  it.each([
    ['a browser', HTML.accept],
    ['JSON or HTML', 'application/json, text/html;q=0.9'],
  ])('is at / for a client that accepts %s', async (_, accept) => {
    const response = await gateway.get('/', { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toBe(PAGE);
  });

  it('is not sent to a program that does not name HTML', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/plain, */*',
      'application/json, text/html;q=0',
    ])
      expect(redirect(await gateway.get('/', { accept })), accept).toEqual(TO_GRAPHIQL);
  });

  it('runs no script but its own files, and connects to no other origin', async () => {
    const { headers } = await gateway.get('/', HTML);
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is revalidated on every visit, and differs by what the client accepts', async () => {
    const { headers } = await gateway.get('/', HTML);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')?.toLowerCase()).toContain('accept, accept-encoding');
    const again = await gateway.get('/', { ...HTML, 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
  });

  it('has headers alone for HEAD, and takes no other method', async () => {
    const head = await gateway.get('/', HTML, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PAGE.length)]);
    expect((await bytesOf(head)).length).toBe(0);
    expect((await gateway.get('/', HTML, 'POST')).status).toBe(404);
  });
});

describe('the files', () => {
  const script = '/explorer/index-Ab_1-x2.js';

  it('are where the page looks for them, also under a path prefix, and may be kept for ever', async () => {
    const [, src = ''] = /src="([^"]+)"/.exec(PAGE) ?? [];
    const url = new URL(src, 'https://sluice.test/prefix/');
    expect(url.pathname).toBe(`/prefix${script}`);
    const response = await gateway.get(script);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable']);
    expect(await response.text()).toBe(SCRIPT);
    const style = await gateway.get('/explorer/index-99.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const again = await gateway.get(script, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
  });

  it('have the same content in every coding', async () => {
    const br = await gateway.get(script, { 'accept-encoding': 'br' });
    const gzip = await gateway.get(script, { 'accept-encoding': 'gzip' });
    expect([br.headers.get('content-encoding'), gzip.headers.get('content-encoding')]).toEqual([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(await bytesOf(br)).toString()).toBe(SCRIPT);
    expect(gunzipSync(await bytesOf(gzip)).toString()).toBe(SCRIPT);
  });

  it('are sent in the form that the build has compressed', async () => {
    await mkdir(join(root, 'prepared'), { recursive: true });
    const form = join(root, 'prepared', preparedName(Buffer.from(SCRIPT), 'br'));
    await writeFile(form, 'made by the build');
    const response = await gateway.get(script, { 'accept-encoding': 'br' });
    expect((await bytesOf(response)).toString()).toBe('made by the build');
    await rm(form);
  });

  it.each([
    '/explorer/none-00.js',
    '/explorer/',
    '/explorer/index.html',
    '/explorer/licences.json',
    '/explorer/notes.txt',
    '/explorer/..%2f..%2fsecret.js',
    '/explorer/%2e%2e/%2e%2e/secret.js',
    '/explorer/explorer/index-99.css',
  ])('do not include %s', async (path) => {
    const response = await gateway.get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
  });
});

describe('a gateway that does not serve the explorer', () => {
  it('with EXPLORER=off sends browsers to GraphiQL, and has none of the files', async () => {
    expect(redirect(await without.get('/', HTML))).toEqual(TO_GRAPHIQL);
    expect((await without.get('/explorer/index-99.css')).status).toBe(404);
  });

  it('because it has not been built sends browsers to GraphiQL', async () => {
    expect(redirect(await unbuilt.get('/', HTML))).toEqual(TO_GRAPHIQL);
    expect((await unbuilt.get('/explorer/index-99.css')).status).toBe(404);
  });
});
