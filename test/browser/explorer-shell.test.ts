import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

/** A reverse proxy serves the gateway below this path. */
const PREFIX = '/sluice';
const NOBODY = 'So11111111111111111111111111111111111111111';

/** The page is the one that `npm run build` made. */
describe.skipIf(skipBrowser)(`the explorer's shell in a browser${NO_BROWSER}`, () => {
  let app: App;
  let site: Site;
  let browser: Browser;
  let page: Page;
  let addresses: Readonly<Record<string, string>>;
  const requests: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    app = await createApp(loadConfig({ RECORDER: 'none' }));
    site = await serveSite(async (request) => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(`${PREFIX}/`)) return new Response(null, { status: 404 });
      url.pathname = url.pathname.slice(PREFIX.length);
      return await app.fetch(new Request(url, request));
    });
    addresses = { ...app.embedded?.addresses };
    browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
    });
    context.on('request', (request) => requests.push(request.url()));
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await until(() => app.chain.views.newest !== undefined);
    await page.goto(`${site.origin}${PREFIX}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await app?.stop();
  });

  const status = () => page.locator('footer.status');
  const search = () => page.getByRole('searchbox', { name: 'Open the page of an address' });
  const paste = async (text: string) => {
    await search().fill(text);
    await search().press('Enter');
  };
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  it('shows the slot and the View that the gateway has, and that it is live', async () => {
    await status().getByText('Live').waitFor();
    const [, slot = '', view = ''] =
      /Slot ([\d,]+).*View ([0-9a-f]{8}-\d+)/s.exec(await status().innerText()) ?? [];
    expect(String(app.chain.views.find(view)?.moment.slot)).toBe(slot.replaceAll(',', ''));
    await status().getByText('standalone').waitFor();
    expect(await status().innerText()).toMatch(/Endpoints\s+1\/1/);
    expect(await status().innerText()).toMatch(/History\s+off/);
  });

  it('opens the page about an address', async () => {
    const { vault = '', reserve = '', market = '', wallet = '', obligation = '' } = addresses;
    for (const [address, route] of [
      [vault, `/vaults/${vault}`],
      [reserve, `/reserves/${reserve}`],
      [market, `/markets/${market}`],
      [wallet, `/wallet/${wallet}`],
      [obligation, `/wallet/${wallet}`],
      [NOBODY, `/wallet/${NOBODY}`],
    ] as const) {
      await page.goto(`${site.origin}${PREFIX}/#/vaults`);
      await paste(` ${address} `);
      await page.waitForURL(`**/#${route}`);
    }
  });

  it('says why an address has no page', async () => {
    await page.goto(`${site.origin}${PREFIX}/#/vaults`);
    await paste('not an address');
    await page.locator('.search .found').getByText('This is not an address').waitFor();
    await paste(addresses.tokenMint ?? '');
    await page.locator('.search .found').getByText('This is the mint of').waitFor();
    expect(new URL(page.url()).hash).toBe('#/vaults');
  });

  it('remembers the theme, which wins over that of the device', async () => {
    const light = await background();
    const toggle = page.getByRole('button', { name: /^Theme:/ });
    await toggle.click();
    await toggle.click();
    expect(await toggle.getAttribute('aria-label')).toMatch(/^Theme: dark/);
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await toggle.waitFor();
    expect(await background()).toBe(dark);
    await toggle.click();
    expect(await background()).toBe(light);
  });

  it('can be used from the keyboard: the first stop skips to the content', async () => {
    await page.goto(`${site.origin}${PREFIX}/#/markets`);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(new URL(page.url()).hash).toBe('#/markets');
  });

  it('asks nobody but the gateway, and breaks no rule of its content security policy', () => {
    const elsewhere = requests.filter(
      (url) => !url.startsWith(`${site.origin}${PREFIX}/`) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('says so when the gateway cannot be reached', async () => {
    await page.context().setOffline(true);
    await site.close();
    await status().getByText('Gateway unreachable').waitFor({ timeout: 120_000 });
  });
});
