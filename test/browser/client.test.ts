import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

/** A page of an application: what each test calls. */
const PAGE = `
import { createClient, Decimal, graphql } from '@sluice/client';
const SLOT = graphql('query Slot { chain { slot } }');
const SLOTS = graphql('subscription Slots { slot { slot } }');
const GONE = graphql('query Gone { chain { slot } }');
globalThis.application = {
  format: (text, options) => Decimal.of(text).format({ locale: 'en', ...options }),
  slot: async (url) => (await createClient({ url }).query(SLOT, {})).data.chain.slot,
  async failure(url) {
    const client = createClient({ url, requestId: () => 'from-a-page' });
    const { code, requestId } = await client.at('no such View').query(GONE, {}).catch((error) => error);
    return { code, requestId };
  },
  async follow(url, count, seen) {
    const slots = [];
    for await (const { data } of createClient({ url }).subscribe(SLOTS, {})) {
      slots.push(data.slot.slot);
      await seen(slots.length);
      if (slots.length === count) return slots;
    }
  },
};
`;

interface Application {
  format(text: string, options: object): string;
  slot(url: string): Promise<string>;
  failure(url: string): Promise<{ code: string; requestId: string }>;
  follow(url: string, count: number, seen: (count: number) => Promise<void>): Promise<string[]>;
}

declare const application: Application;
declare const seen: (count: number) => Promise<void>;

describe.skipIf(skipBrowser)(`the client on a page of another origin${NO_BROWSER}`, () => {
  let live: LiveApp;
  let site: Site;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: PAGE, resolveDir: fileURLToPath(new URL('../..', import.meta.url)) },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      conditions: ['@sluice/source'],
    });
    const html = `<!doctype html><title>Application</title><link rel="icon" href="data:,"><script>${outputFiles[0]?.text}</script>`;
    site = await serveSite(async () => new Response(html, { headers: { 'content-type': 'text/html' } }));
    live = await testApp({ live: true, env: { CORS_ORIGINS: site.origin } });
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('pageerror', (error) => trouble.push(error.message));
    await page.goto(site.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await live?.stop();
  });

  it('reads an answer, and the request id of an error', async () => {
    const { origin } = live.site;
    expect(await page.evaluate((url) => application.slot(url), origin)).toBe(String(live.localChain.slot));
    expect(await page.evaluate((url) => application.failure(url), origin)).toEqual({
      code: 'VIEW_GONE',
      requestId: 'from-a-page',
    });
  });

  it('follows a stream', async () => {
    const first = String(live.localChain.slot);
    await page.exposeFunction('seen', async (count: number) => {
      if (count === 1) await live.advance();
    });
    const slots = await page.evaluate((url) => application.follow(url, 2, seen), live.site.origin);
    expect(slots).toEqual([first, String(live.localChain.slot)]);
    await expect.poll(() => live.metric('sluice_streams_open'), { timeout: 60_000 }).toBe(0);
    expect(trouble).toEqual([]);
  });

  it.each([
    ['9007199254740993.125', { places: 3 }, '9,007,199,254,740,993.125'],
    ['0.90071992547409931', { style: 'percent', places: 20 }, '90.071992547409931%'],
    ['2.5', { places: 0 }, '2'],
    ['-0.001', {}, '0'],
  ])('writes %s with %j as %s, like Node.js', async (text, options, shown) => {
    const format = (given: [string, object]) => application.format(...given);
    expect(await page.evaluate(format, [text, options] as [string, object])).toBe(shown);
  });
});
