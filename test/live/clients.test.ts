import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { transformWithEsbuild } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followVaults, type VaultUpdate } from '../../docs/live/with-graphql-sse.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';
import { EventStream } from '../support/http/event-stream.ts';

let live: LiveApp;
let folder: string;
let key: string;

/** The gateway requires a key. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  const made = makeKey({ name: 'page', limit: 0, origins: [] }, new Date());
  key = made.text;
  const keys = new KeyFolder(folder);
  await keys.add(made.key);
  await keys.close();
  const env = { REQUIRE_KEY: 'on', KEYS_DIR: folder, MAX_STREAMS_PER_CLIENT: '3' };
  live = await testApp({ live: true, env, headers: bearer() });
});
afterAll(async () => {
  await live?.stop();
  await rm(folder, { recursive: true, force: true });
});

const bearer = () => ({ authorization: `Bearer ${key}` });
const SLOT = 'subscription { slot { slot reason } }';

async function streamToken(): Promise<string> {
  const { data } = await live.query<{ createStreamToken: { token: string; expiresAt: string } }>(
    'mutation { createStreamToken { token expiresAt } }',
    { headers: bearer() },
  );
  return data.createStreamToken.token;
}

async function get(parameters: Record<string, string>): Promise<Response> {
  const search = new URLSearchParams(parameters);
  const abort = new AbortController();
  const response = await fetch(`${live.site.origin}/graphql?${search}`, {
    headers: { accept: 'text/event-stream' },
    signal: abort.signal,
  });
  const reader = response.body?.getReader();
  let text = '';
  while (reader !== undefined && !text.includes('event: next') && !text.includes('"errors"')) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  abort.abort();
  return new Response(text, { status: response.status });
}

describe('the client graphql-sse', () => {
  it('follows a vault with the documented code', async () => {
    const { vault } = live.localChain.addresses;
    const updates: VaultUpdate[] = [];
    const problems: unknown[] = [];
    const stop = followVaults({
      gatewayUrl: live.site.origin,
      addresses: [vault],
      show: (update) => updates.push(update),
      fail: (problem) => problems.push(problem),
      key,
    });
    await until(() => updates.length === 1);
    await live.advance();
    await until(() => updates.length >= 2);
    stop();
    expect(problems).toEqual([]);
    expect(updates[0]).toMatchObject({ reason: 'INITIAL', address: vault });
    expect(updates[1]?.slot).toBe(String(live.localChain.slot));
    expect(Number(updates[1]?.vault?.totalValue?.usd)).toBeGreaterThan(0);
    await until(() => live.app.live.streams === 0);
  });
});

describe('a stream without headers', () => {
  it('can be opened with a token by GET, also as a persisted query', async () => {
    const opened = await get({ query: SLOT, token: await streamToken() });
    expect(opened.status).toBe(200);
    expect(await opened.text()).toContain('"reason":"INITIAL"');
    const sha256Hash = createHash('sha256').update(SLOT).digest('hex');
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } });
    const registered = await get({ query: SLOT, extensions, token: await streamToken() });
    expect(registered.status).toBe(200);
    const persisted = await get({ extensions, token: await streamToken() });
    expect(await persisted.text()).toContain('"reason":"INITIAL"');
  });

  it('is rejected without a token or with a forged one, and a token opens nothing but streams', async () => {
    expect((await get({ query: SLOT })).status).toBe(401);
    expect((await get({ query: SLOT, token: 'made-up' })).status).toBe(401);
    const [body = '', , signature] = (await streamToken()).split('.');
    const other = `${body}.${Buffer.from('another key').toString('base64url')}.${signature}`;
    expect((await get({ query: SLOT, token: other })).status).toBe(401);
    const query = await fetch(
      `${live.site.origin}/graphql?${new URLSearchParams({ query: '{ chain { slot } }', token: await streamToken() })}`,
    );
    expect(query.status).toBe(401);
  });

  it('cannot get a token without a key', async () => {
    const refused = await live.query('mutation { createStreamToken { token } }');
    expect(refused.errors[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });
});

describe('the limit of streams per client', () => {
  it('rejects further streams until one is closed', async () => {
    const open = await Promise.all(
      [1, 2, 3].map(() => EventStream.open(live.site.origin, SLOT, { headers: bearer() })),
    );
    const refused = await EventStream.open(live.site.origin, SLOT, { headers: bearer() });
    expect(refused.response.status).toBe(429);
    const refusal = await refused.nextData();
    expect(refusal.errors?.[0]?.extensions).toMatchObject({ code: 'TOO_MANY_STREAMS', retryable: true });
    for (const stream of open) stream.close();
    await until(() => live.app.live.streams === 0);
    const again = await EventStream.open(live.site.origin, SLOT, { headers: bearer() });
    expect(again.response.status).toBe(200);
    again.close();
    await until(() => live.app.live.streams === 0);
  });
});

describe.skipIf(skipBrowser)(`a browser${NO_BROWSER}`, () => {
  let browser: Browser;
  let page: Site;
  beforeAll(async () => {
    browser = await launchBrowser();
    const html = { headers: { 'content-type': 'text/html' } };
    page = await serveSite(async () => new Response('<!doctype html><title>page</title>', html));
  });
  afterAll(async () => {
    await browser?.close();
    await page?.close();
  });

  it('follows an obligation from a page of another origin with the documented code', async () => {
    const path = new URL('../../docs/live/with-event-source.ts', import.meta.url);
    const { code } = await transformWithEsbuild(await readFile(path, 'utf8'), 'with-event-source.ts');
    const { obligation } = live.localChain.addresses;
    const tab = await browser.newPage();
    await tab.goto(page.origin);
    const follow = { gatewayUrl: live.site.origin, addresses: [obligation], key };
    await tab.addScriptTag({
      type: 'module',
      content: `${code.replace(/^export /gm, '')}
        globalThis.seen = [];
        const show = (update) => seen.push(update);
        globalThis.stop = followObligations({ ...${JSON.stringify(follow)}, show });`,
    });
    const seen = async () =>
      (await tab.evaluate(() => (globalThis as unknown as { seen: unknown[] }).seen)) as {
        reason: string;
        slot: string;
        address: string;
      }[];
    const atLeast = async (count: number) => {
      while ((await seen())?.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
      return await seen();
    };
    expect((await atLeast(1))[0]).toMatchObject({ reason: 'INITIAL', address: obligation });
    await live.advance();
    const before = await atLeast(2);
    expect(before[1]?.slot).toBe(String(live.localChain.slot));
    await tab.evaluate(() => (globalThis as unknown as { stop: () => void }).stop());
    await until(() => live.app.live.streams === 0);
  });
});
