import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { accessibilityProblems, type Visit, visit } from '../support/explorer/explorer-visit.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const PATIENCE = { timeout: 120_000 };

describe.skipIf(skipBrowser)(`limits and risk in the explorer${NO_BROWSER}`, () => {
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

  async function open(route: string, on: (shown: Visit) => Promise<void>): Promise<void> {
    const shown = await visit(browser, { origin: site.origin, route, width: 1280 });
    try {
      await on(shown);
      expect(shown.complaints).toEqual([]);
      expect(shown.foreignRequests).toEqual([]);
    } finally {
      await shown.close();
    }
  }

  const panelOf = (page: Page, title: string): Locator =>
    page.locator('section.panel', { has: page.getByRole('heading', { name: title, exact: true }) });

  it('wallet: shows a loan as it would be after a fall of its collateral', async () => {
    await open(`/wallet/${gateway.addresses.wallet}`, async ({ page }) => {
      const panel = panelOf(page, 'What if');
      // Each loan has a table of its own behind a click.
      const row = (name: string) =>
        panel.locator('.before-after').getByRole('row', { name: new RegExp(`^${name}`) });
      const valuesOf = (name: string) =>
        row(name)
          .locator('data')
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('value')));
      const [now, then] = await valuesOf('Health, SOL');
      expect(then).toBe(now);
      expect(await row('Can be liquidated').first().innerText()).toMatch(/None\s+None$/);
      await panel.getByRole('slider', { name: /^SOL and staked SOL/ }).fill('-90');
      await panel.getByText('A liquidator could act at once.').first().waitFor({ timeout: 120_000 });
      expect(await row('Can be liquidated').first().innerText()).toMatch(/None\s+\d of \d$/);
      const [before, after] = (await valuesOf('Health, SOL')).map(Number);
      expect(before).toBe(Number(now));
      expect(after).toBeLessThan(1);
      await panel.getByRole('button', { name: 'Reset' }).click();
      await expect.poll(async () => new Set(await valuesOf('Net value')).size, { timeout: 120_000 }).toBe(1);
      await panel.getByRole('slider', { name: 'Days of interest' }).fill('365');
      await expect.poll(async () => new Set(await valuesOf('Net value')).size, { timeout: 120_000 }).toBe(2);
    });
  });

  it('reserve: names what limits each action in words', async () => {
    await open(`/reserves/${gateway.addresses.borrowReserve}`, async ({ page }) => {
      const panel = panelOf(page, 'Capacity');
      const limitOf = async (name: string) =>
        (await panel.locator('.figure', { hasText: name }).locator('.detail').innerText()).split(', ')[1];
      expect(await limitOf('Can be supplied')).toBe('limited by the deposit limit');
      expect(await limitOf('Can be borrowed')).toBe('limited by the liquidity that is not lent out');
      expect(await limitOf('Can be withdrawn')).toBe('limited by the liquidity that is not lent out');
      const binding = panel.getByRole('row', { name: /^The deposit limit Binds/ });
      expect(await binding.count()).toBe(1);
      const routes = panel.getByRole('region', { name: 'Table: Ways to borrow' }).locator('tbody tr');
      expect(await routes.locator('th').allInnerTexts()).toEqual([
        'Any collateral, outside elevation groups',
        expect.stringMatching(/^HUSD\s+Elevation group 2$/),
        expect.stringMatching(/^USDT\s+Elevation group 2$/),
      ]);
    });
  });

  async function graph<Data>(query: string, variables: object): Promise<Data> {
    const response = await fetch(`${site.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return ((await response.json()) as { data: Data }).data;
  }

  it('market: shows the loans after a fall of one token', async () => {
    const { market } = gateway.addresses;
    const { market: asked } = await graph<{
      market: {
        risk: { shocks: { badDebtUsd: string; liquidatable: { debtUsd: string; loans: number } }[] };
      };
    }>(
      `query ($market: Address!, $mint: Address!) {
        market(address: $market) {
          risk(shocks: [{ label: "x", prices: [{ mint: $mint, changePct: "-30" }] }]) {
            shocks { badDebtUsd liquidatable { debtUsd loans } }
          }
        }
      }`,
      { market, mint: 'So11111111111111111111111111111111111111112' },
    );
    const [fall] = asked.risk.shocks;
    await open(`/markets/${market}`, async ({ page }) => {
      const panel = panelOf(page, 'Risk');
      const row = panel.getByRole('row', { name: /^-30%/ });
      const shown = () =>
        row.locator('data').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('value')));
      const together = await shown();
      await panel.getByRole('combobox', { name: 'Prices that fall' }).selectOption({ label: 'SOL alone' });
      await expect.poll(async () => (await shown())[0], PATIENCE).toBe(fall?.liquidatable.debtUsd);
      expect(await shown()).toContain(String(fall?.liquidatable.loans));
      expect(await shown()).toContain(fall?.badDebtUsd);
      expect(await shown()).not.toEqual(together);
      await panel.getByRole('tab', { name: 'Health' }).click();
      const ranges = panel.getByRole('region', { name: 'Table: Loans by health factor' }).locator('tbody th');
      expect((await ranges.allInnerTexts())[0]).toBe('Below 1');
      await panel.getByRole('tab', { name: 'Largest borrowers' }).click();
      const borrowers = panel.getByRole('region', { name: 'Table: Largest borrowers' }).locator('tbody tr');
      expect(await borrowers.count()).toBe(10);
      expect(await panel.innerText()).toMatch(/brought up to\s+date\s+\d+ (s|min) ago/);
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });
});
