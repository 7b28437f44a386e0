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
      const panel = panelOf(page, 'Room left');
      const limitOf = async (name: string) =>
        (await panel.locator('.figure', { hasText: name }).locator('.detail').innerText()).split(', ')[1];
      expect(await limitOf('Can be supplied')).toBe('limited by the deposit limit');
      expect(await limitOf('Can be borrowed')).toBe('limited by the liquidity that is not lent out');
      expect(await limitOf('Can be withdrawn')).toBe('limited by the liquidity that is not lent out');
      for (const summary of await panel.locator('summary').all()) await summary.click();
      const binding = panel.getByRole('row', { name: /^The deposit limit Binds/ });
      expect(await binding.count()).toBe(1);
      const routes = panel.getByRole('table', { name: 'Ways to borrow' }).locator('tbody tr');
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

  it('market: lists the loans of a cell of the heat map, and links to it', async () => {
    const { market } = gateway.addresses;
    const mint = 'So11111111111111111111111111111111111111112';
    const { market: asked } = await graph<{
      market: {
        risk: {
          shocks: {
            atRisk: { debtUsd: string; badDebtUsd: string; loans: number };
            loansAtRisk: { obligation: string; debtUsd: string }[];
          }[];
        };
      };
    }>(
      `query ($market: Address!, $mint: Address!) {
        market(address: $market) {
          risk(shocks: [{ label: "x", prices: [{ mint: $mint, changePct: "-50" }] }]) {
            shocks { atRisk { debtUsd badDebtUsd loans } loansAtRisk(first: 100) { obligation debtUsd } }
          }
        }
      }`,
      { market, mint },
    );
    const [fall] = asked.risk.shocks;
    if (fall === undefined) throw new Error('no shock');
    await open(`/markets/${market}`, async ({ page }) => {
      const map = panelOf(page, 'If prices fall');
      const chosen = map.getByRole('button', { name: /^SOL −50%: .* can be liquidated in \d+ loans/ });
      await chosen.waitFor(PATIENCE);
      expect(await map.getByRole('button').count()).toBeGreaterThan(50);
      await chosen.focus();
      await page.keyboard.press('ArrowLeft');
      expect(await page.locator(':focus').innerText()).toMatch(/^SOL −30%/);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      expect(await chosen.getAttribute('aria-pressed')).toBe('true');
      expect(new URL(page.url()).hash).toContain(`cell=${mint}-50`);
      const loans = panelOf(page, 'SOL −50%');
      await loans.getByRole('list').waitFor(PATIENCE);
      expect(await loans.locator('.pair data').first().getAttribute('value')).toBe(fall.atRisk.debtUsd);
      const debts = () =>
        loans
          .locator('li .end')
          .evaluateAll((lines) => lines.map((line) => line.querySelector('data')?.getAttribute('value')));
      expect(await debts()).toEqual(fall.loansAtRisk.slice(0, 5).map(({ debtUsd }) => debtUsd));
      await loans.getByRole('button', { name: `All ${fall.atRisk.loans} loans` }).click();
      await expect.poll(debts, PATIENCE).toEqual(fall.loansAtRisk.map(({ debtUsd }) => debtUsd));
      await map.getByRole('radio', { name: 'Bad debt' }).check();
      await expect.poll(() => new URL(page.url()).hash, PATIENCE).toContain('heat=bad');
      const all = panelOf(page, 'All loans');
      expect((await all.locator('tbody th').allInnerTexts())[0]).toBe('Below 1');
      await all.getByRole('tab', { name: 'Largest borrowers' }).click();
      expect(await all.locator('tbody tr').count()).toBe(10);
      expect(await accessibilityProblems(page)).toEqual([]);
    });
    await open(`/markets/${market}?cell=${mint}-50`, async ({ page }) => {
      await panelOf(page, 'SOL −50%').getByRole('list').waitFor(PATIENCE);
    });
  });

  it('market: shows the reserves of one kind, and the link keeps it', async () => {
    await open(`/markets/${gateway.addresses.market}`, async ({ page }) => {
      const panel = panelOf(page, 'Reserves');
      await panel.getByRole('radio', { name: 'Dollars' }).check();
      const names = () =>
        panel.getByRole('table', { name: 'Reserves', exact: true }).locator('tbody th').allInnerTexts();
      await expect
        .poll(async () => (await names()).some((name) => /\bSOL\b/.test(name)), PATIENCE)
        .toBe(false);
      expect((await names()).some((name) => name.includes('USDC'))).toBe(true);
      expect(new URL(page.url()).hash).toContain('show=dollars');
    });
  });

  it('risk: compares all markets and draws the map of the chosen one', async () => {
    await open('/risk', async ({ page }) => {
      const markets = page.getByRole('table', { name: 'Markets at risk' });
      await markets.waitFor(PATIENCE);
      await markets.locator('tbody th a').first().click();
      const chosen = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('market');
      expect(chosen).not.toBeNull();
      expect(await page.getByRole('combobox', { name: 'Market', exact: true }).inputValue()).toBe(chosen);
      await panelOf(page, 'If prices fall').getByRole('button').first().waitFor(PATIENCE);
      expect(await accessibilityProblems(page)).toEqual([]);
    });
  });
});
