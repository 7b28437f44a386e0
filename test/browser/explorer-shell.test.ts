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
  /** Aborted while the gateway is dead. */
  let outage = new AbortController();

  beforeAll(async () => {
    app = await createApp(loadConfig({ RECORDER: 'none' }));
    site = await serveSite(async (request) => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(`${PREFIX}/`)) return new Response(null, { status: 404 });
      url.pathname = url.pathname.slice(PREFIX.length);
      if (outage.signal.aborted) return new Response(null, { status: 503 });
      const answer = await app.fetch(new Request(url, request));
      if (answer.body === null || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
        return answer;
      // An outage also cuts the streams that are open.
      return new Response(answer.body.pipeThrough(new TransformStream(), { signal: outage.signal }), answer);
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

  const developer = () => page.getByRole('region', { name: 'State of the gateway' });
  const search = () => page.getByRole('combobox', { name: /^Search vaults/ });
  const paste = async (text: string) => {
    await search().fill(text);
    await search().press('Enter');
  };
  const go = (route: string) => page.goto(`${site.origin}${PREFIX}/#${route}`);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

  it('says on every page of a localnet that the data is a demo', async () => {
    for (const route of ['/', '/markets', `/vaults/${addresses.vault}`]) {
      await go(route);
      await page.getByRole('complementary', { name: 'Demo data' }).getByText('no real money').waitFor();
    }
  });

  it('hides slots and Views from visitors, and remembers who wants them', async () => {
    await go('/vaults');
    await page.locator('footer').getByText('Live').waitFor();
    expect(await developer().count()).toBe(0);
    expect(await page.getByText('Open in GraphiQL').count()).toBe(0);
    await page.getByRole('button', { name: 'Developer mode' }).click();
    await developer().waitFor();
    await page.reload();
    await developer().getByText('standalone').waitFor();
    const [, slot = '', view = ''] =
      /Slot\s+([\d,]+).*View\s+([0-9a-f]{8}-\d+)/s.exec(await developer().innerText()) ?? [];
    expect(String(app.chain.views.find(view)?.moment.slot)).toBe(slot.replaceAll(',', ''));
    expect(await developer().innerText()).toMatch(/Endpoints\s+1\/1/);
    expect(await developer().innerText()).toMatch(/History\s+off/);
    await page.getByRole('button', { name: 'Leave developer mode' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await developer().count()).toBe(0);
  });

  it('finds a vault by a part of its name, with Ctrl K and the arrow keys', async () => {
    await go('/markets');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbor usdc');
    const option = page.getByRole('option', { name: /Harbor USDC Prime/ });
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/vaults/${addresses.vault}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nothing has this name');
    await page.getByText('No name matches.').waitFor();
    await page.keyboard.press('Escape');
    expect(await search().inputValue()).toBe('');
  });

  it('says what an address is that was taken for another, and leads there', async () => {
    const { wallet = '', vault = '', market = '' } = addresses;
    for (const [wrong, title, link, route] of [
      [`/vaults/${wallet}`, 'This is a wallet, not a vault', 'Open the wallet', `/wallet/${wallet}`],
      [`/markets/${vault}`, 'This is a vault, not a market', 'Open the vault', `/vaults/${vault}`],
      [`/reserves/${market}`, 'This is a market, not a reserve', 'Open the market', `/markets/${market}`],
    ] as const) {
      await go(wrong);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByRole('link', { name: link }).click();
      await page.waitForURL(`**/#${route}`);
    }
  });

  it('marks the character that no address has, and offers the search', async () => {
    await go(`/vaults/${(addresses.vault ?? '').slice(0, -1)}0`);
    await page.getByRole('heading', { level: 1, name: 'No such address' }).waitFor();
    expect(await page.locator('.wrong-address mark').allInnerTexts()).toEqual(['0']);
    await page.getByText('Addresses never contain the digit 0.').waitFor();
    await page.locator('main').getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => search().evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it('shows where the data comes from', async () => {
    await go('/vaults');
    await page.getByRole('link', { name: 'Data status' }).click();
    await page.getByRole('heading', { level: 1, name: 'Data status' }).waitFor();
    const programs = page.getByRole('region', { name: 'Programs' });
    await programs
      .getByText(/The gateway follows \d/)
      .first()
      .waitFor();
    await page.getByText('It reads the chain itself').waitFor();
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
    await page.locator('.drop-said').getByText('This is not an address').waitFor();
    await paste(addresses.tokenMint ?? '');
    await page.locator('.drop-said').getByText('This is the mint of').waitFor();
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

  it('dims the figures of a gateway that cannot be reached, says since when, and recovers', async () => {
    await go(`/vaults/${addresses.vault}`);
    await page.getByRole('heading', { level: 1, name: /Harbor USDC/ }).waitFor();
    const isDimmed = () => page.locator('.frame').evaluate((frame) => frame.classList.contains('is-stale'));
    expect(await isDimmed()).toBe(false);
    outage.abort();
    const strip = page.getByRole('alert').filter({ hasText: 'No connection since' });
    await strip.waitFor({ timeout: 120_000 });
    expect(await strip.innerText()).toMatch(/No connection since \d\d:\d\d\./);
    expect(await isDimmed()).toBe(true);
    outage = new AbortController();
    await strip.getByRole('button', { name: 'Try now' }).click();
    await strip.waitFor({ state: 'detached', timeout: 120_000 });
    expect(await isDimmed()).toBe(false);
    // One demo strip again, in the place of the other.
    await page.getByRole('complementary', { name: 'Demo data' }).waitFor();
  });
});
