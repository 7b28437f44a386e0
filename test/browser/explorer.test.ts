import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoAddresses } from '../../src/demo/demo-addresses.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { type StillApp, startStillApp } from '../support/apps/frozen-app.ts';
import { accessibilityProblems, shownPanels, type Visit, visit } from '../support/explorer/explorer-visit.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const PHONE = 390;
const DESKTOP = 1280;
const WIDTHS = [PHONE, 768, DESKTOP, 1600];

const ROUTES: Readonly<Record<string, (addresses: DemoAddresses) => string>> = {
  vaults: () => '/vaults',
  vault: ({ vault }) => `/vaults/${vault}`,
  markets: () => '/markets',
  market: ({ market }) => `/markets/${market}`,
  reserve: ({ depositReserve }) => `/reserves/${depositReserve}`,
  'choice of a wallet': () => '/wallet',
  wallet: ({ wallet }) => `/wallet/${wallet}`,
};

/** Shows numbers that are read from the chain, or none. */
const NOT_OF_THE_VIEW = new Set(['choice of a wallet', 'wallet']);

/** Numbers of a page that the answer to the panel's own query, on the same View, does not have. */
async function strangersOn({ page }: Visit, origin: string): Promise<string[]> {
  const panels = await shownPanels(page);
  expect(panels.flatMap(({ values }) => values).length).toBeGreaterThan(5);
  const strangers: string[] = [];
  for (const { title, query, variables, view, values } of panels) {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(view === null ? {} : { 'x-view': view }) },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const numbers = new Set(text.match(/-?\d+(?:\.\d+)?/g) ?? []);
    strangers.push(...values.filter((value) => !numbers.has(value)).map((value) => `${title}: ${value}`));
  }
  return strangers;
}

describe.skipIf(skipBrowser)(`the explorer in a browser${NO_BROWSER}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  describe('over one View with its history', () => {
    let gateway: TestEmbeddedApp;
    let site: Site;
    let dataDir: string;

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'explorer-'));
      // The loans of a market are not part of the View: they stay as first read, so that answers agree.
      const still = { LOAN_INDEX_REFRESH_MS: '600000' };
      gateway = await startEmbeddedApp({ RECORDER: 'auto', DATA_DIR: dataDir, ...still });
      site = await serveSite(gateway.app.fetch);
      while (!(await (await fetch(`${site.origin}/ready`)).text()).includes('"history":{"status":"ready"'))
        await new Promise((resolve) => setTimeout(resolve, 200));
    });
    afterAll(async () => {
      await site?.close();
      await gateway?.app.stop();
      await rm(dataDir, { recursive: true });
    });

    describe.each(Object.entries(ROUTES))('%s', (name, route) => {
      let shown: Visit;
      beforeAll(async () => {
        const { origin } = site;
        shown = await visit(browser, { origin, route: route(gateway.addresses), width: DESKTOP });
      });
      afterAll(() => shown?.close());

      if (!NOT_OF_THE_VIEW.has(name))
        it('shows the numbers of the graph', async () => {
          expect(await strangersOn(shown, site.origin)).toEqual([]);
        });

      it('renders at every width without an error', async () => {
        const { page, complaints, foreignRequests } = shown;
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(overflow, `${width} px`).toBe(0);
        }
        expect(await page.locator('main [role="alert"]').allInnerTexts()).toEqual([]);
        expect(complaints).toEqual([]);
        expect(foreignRequests).toEqual([]);
      });

      it('has no serious accessibility problem', async () => {
        const { page } = shown;
        for (const [colorScheme, width] of [
          ['light', DESKTOP],
          ['dark', PHONE],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          expect(await accessibilityProblems(page), colorScheme).toEqual([]);
        }
      });
    });
  });

  /** Accounts of a wallet are read from the chain, not from the View. */
  describe('over a chain that stands still, without history', () => {
    let still: StillApp;
    let site: Site;
    beforeAll(async () => {
      still = await startStillApp();
      site = await serveSite(still.gateway.app.fetch);
    });
    afterAll(async () => {
      await site?.close();
      await still?.stop();
    });

    it('wallet: shows the numbers of the graph, and says that there is no history', async () => {
      const route = `/wallet/${still.ledger.addresses.wallet}`;
      const shown = await visit(browser, { origin: site.origin, route, width: DESKTOP });
      try {
        expect(await strangersOn(shown, site.origin)).toEqual([]);
        expect(await shown.page.locator('main').innerText()).toContain(
          'needs recorded history, and this deployment has none',
        );
      } finally {
        await shown.close();
      }
    });
  });
});
