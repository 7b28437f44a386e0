import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { accessibilityProblems, type Visit, visit } from '../support/explorer/explorer-visit.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const PATIENCE = { timeout: 120_000 };

describe.skipIf(skipBrowser)(`the wallet page of the explorer${NO_BROWSER}`, () => {
  let gateway: TestEmbeddedApp;
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startEmbeddedApp({ LOAN_INDEX_REFRESH_MS: '600000' });
    site = await serveSite(gateway.app.fetch);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await gateway?.app.stop();
  });

  async function open(search: string, on: (shown: Visit) => Promise<void>): Promise<void> {
    const route = `/wallet/${gateway.addresses.wallet}${search}`;
    const shown = await visit(browser, { origin: site.origin, route, width: 1280 });
    try {
      await on(shown);
      expect(shown.complaints).toEqual([]);
    } finally {
      await shown.close();
    }
  }

  const panelOf = (page: Page) => page.getByRole('region', { name: 'What if' });
  const sliderOf = (page: Page) => panelOf(page).getByRole('slider', { name: /^SOL and staked SOL/ });
  const valuesOf = (page: Page, name: string) =>
    panelOf(page)
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .locator('data')
      .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('value'))));

  it('keeps the what-if in the link, and over Back', async () => {
    await open('', async ({ page }) => {
      await sliderOf(page).waitFor(PATIENCE);
      expect(await page.locator('.health-picture .ring').count()).toBe(0);
      await sliderOf(page).fill('-20');
      await page.waitForURL(/[?&]if=SOL\.-20$/, PATIENCE);
      await page.locator('.health-picture .ring').waitFor(PATIENCE);
      const vault = page.getByRole('region', { name: 'Vaults', exact: true }).locator('tbody th a').first();
      await vault.click();
      await page.waitForURL(/#\/vaults\//, PATIENCE);
      await page.goBack();
      await sliderOf(page).waitFor(PATIENCE);
      expect(await sliderOf(page).inputValue()).toBe('-20');
      await expect
        .poll(async () => {
          const [now, then] = await valuesOf(page, 'Net value');
          return now !== undefined && then !== undefined && then < now;
        }, PATIENCE)
        .toBe(true);
      await panelOf(page).getByRole('button', { name: 'Reset' }).click();
      await page.waitForURL((url) => !url.href.includes('if='), PATIENCE);
      expect(await sliderOf(page).inputValue()).toBe('0');
    });
  });

  it('judges the health of a loan by one scale: 1.12 is caution', async () => {
    await open('', async ({ page }) => {
      await sliderOf(page).waitFor(PATIENCE);
      const row = panelOf(page).getByRole('row', { name: /^Health, SOL/ });
      // The scale is that of distances: 10 % and 25 % are healths of 1.1111 and 1.3333.
      const wanted = { least: 1.1112, most: 1.3 };
      let health = Number.POSITIVE_INFINITY;
      for (let change = -25; health > wanted.most && change >= -70; change -= 5) {
        const [, before] = await valuesOf(page, 'Health, SOL');
        await sliderOf(page).fill(String(change));
        await expect.poll(async () => (await valuesOf(page, 'Health, SOL'))[1], PATIENCE).not.toBe(before);
        health = (await valuesOf(page, 'Health, SOL'))[1] ?? health;
      }
      expect(health).toBeGreaterThan(wanted.least);
      expect(health).toBeLessThan(wanted.most);
      expect(await row.locator('td').last().innerText()).toMatch(/^Caution, 1\.\d\d$/);
      expect(await row.locator('td').first().locator('.caution').count()).toBe(0);
      expect(await panelOf(page).locator('.said-first').innerText()).toMatch(/needs? caution\./);
      const picture = page.getByRole('img', { name: /^Distance of each loan to liquidation/ });
      const distance = ((1 - 1 / health) * 100).toFixed(1);
      expect(await picture.getAttribute('aria-label')).toContain(`${distance}% in the what-if`);
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });

  it('shows the what-if of a link, beside the loans while the page scrolls', async () => {
    await open('?if=SOL.-20_days.30', async ({ page }) => {
      await sliderOf(page).waitFor(PATIENCE);
      expect(await sliderOf(page).inputValue()).toBe('-20');
      expect(await panelOf(page).getByRole('slider', { name: 'Days of interest' }).inputValue()).toBe('30');
      await panelOf(page)
        .getByText(/^If SOL falls 20% to/)
        .waitFor(PATIENCE);
      await page.locator('article.loan').last().scrollIntoViewIfNeeded();
      const inView = () => panelOf(page).evaluate((element) => element.getBoundingClientRect().bottom > 0);
      expect(await inView()).toBe(true);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.locator('.stay').evaluate((element) => getComputedStyle(element).position)).toBe(
        'static',
      );
    });
  });
});
