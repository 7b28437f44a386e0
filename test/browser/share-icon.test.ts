import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';
import { renameVault } from '../support/localnet/renamed-vault.ts';

/** The account stores 40 bytes. */
const NAMES = [
  '<script>alert(1)</script>',
  ']]></style><script>alert(1)</script>',
  '</text><image href="//127.0.0.1:9/"/>',
  '"><g onload=alert(1) id="',
  'Harbor USDC Prime',
];

describe.skipIf(skipBrowser)(`the icon of a vault in a browser${NO_BROWSER}`, () => {
  let gateway: TestApp;
  let site: Site;
  let browser: Browser;
  let page: Page;
  const icons: string[] = [];
  const requests: string[] = [];
  const trouble: string[] = [];

  beforeAll(async () => {
    const localChain = new TestChain();
    const mints = NAMES.map((name, i) => renameVault(localChain, i, name));
    gateway = await testApp({ chain: localChain, frozen: true });
    site = await serveSite(gateway.app.fetch);
    icons.push(...mints.map((mint) => `${site.origin}/kvaults/mints/${mint}/metadata/image.svg`));
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('request', (request) => requests.push(request.url()));
    page.on('dialog', async (dialog) => {
      trouble.push(dialog.message());
      await dialog.dismiss();
    });
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await gateway?.stop();
  });

  const elements = () =>
    page.evaluate("[...new Set([...document.querySelectorAll('*')].map((each) => each.localName))].sort()");

  it('opened as a page is a drawing with the name as text, and makes no request', async () => {
    for (const [i, icon] of icons.entries()) {
      requests.length = 0;
      await page.goto(icon);
      expect(await page.evaluate('document.title')).toBe(`${NAMES[i]} (kvUSDC)`);
      expect(await elements()).toEqual(
        'circle clipPath defs g linearGradient path rect stop style svg text title'.split(' '),
      );
      expect(requests).toEqual([icon]);
    }
    expect(trouble).toEqual([]);
  });

  it('inlined in a page without a content policy runs no script', async () => {
    await page.goto('about:blank');
    for (const icon of icons) {
      const svg = await (await fetch(icon)).text();
      requests.length = 0;
      await page.setContent(`<main>${svg}</main>`);
      expect(await page.evaluate("document.querySelectorAll('script, image, [onload]').length")).toBe(0);
      expect(requests).toEqual([]);
    }
    expect(trouble).toEqual([]);
  });

  it('shows only the ticker when small, and is darker on a dark page', async () => {
    const shown = async (size: number) => {
      await page.setViewportSize({ width: size, height: size });
      return await page.evaluate(
        "[...document.querySelectorAll('text')].filter((each) => each.getBoundingClientRect().width > 0).map((each) => each.textContent)",
      );
    };
    const top = () => page.evaluate("getComputedStyle(document.querySelector('.top')).stopColor");
    await page.goto(icons.at(-1) ?? '');
    expect(await shown(512)).toEqual(['USDC', 'Harbor USDC Prime']);
    expect(await shown(32)).toEqual(['USDC']);
    const light = await top();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await top()).not.toBe(light);
  });

  it('keeps all text inside the circle', async () => {
    await page.setViewportSize({ width: 512, height: 512 });
    for (const icon of icons) {
      await page.goto(icon);
      const widest = await page.evaluate(
        "Math.max(...[...document.querySelectorAll('text')].map((each) => each.getBoundingClientRect().width))",
      );
      expect(widest).toBeLessThan(440);
    }
  });
});
