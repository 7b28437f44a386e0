import { worldWalletKey } from '@sluice/localnet/world/world-wallet';
import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChainApp, testApp } from '../support/apps/chain-app.ts';
import { type RecordedWorld, startRecordedWorld } from '../support/contract/recorded-app.ts';
import { accessibilityProblems, shownPanels, type Visit, visit } from '../support/explorer/explorer-visit.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const PHONE = 390;
const DESKTOP = 1280;
const WIDTHS = [PHONE, 768, DESKTOP, 1600];

const ROUTES: Readonly<Record<string, (addresses: WorldAddresses) => string>> = {
  vaults: () => '/vaults',
  vault: ({ vault }) => `/vaults/${vault}`,
  curators: () => '/curators',
  curator: ({ vaultAdmin }) => `/curators/${vaultAdmin}`,
  markets: () => '/markets',
  market: ({ market }) => `/markets/${market}`,
  risk: () => '/risk',
  reserve: ({ depositReserve }) => `/reserves/${depositReserve}`,
  'choice of a wallet': () => '/wallet',
  wallet: ({ wallet }) => `/wallet/${wallet}`,
  'reserve with a withdraw queue': ({ queuedReserve }) => `/reserves/${queuedReserve}`,
  'wallet with a ticket': ({ queuedWallet }) => `/wallet/${queuedWallet}`,
};

/** Pixels by which the page is wider than the window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

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

  /** Wallets and loans are read from the chain, not from the View: on a moving chain they change between two reads. */
  describe('over a chain that stands still, with its history', () => {
    let world: RecordedWorld;
    let site: Site;

    beforeAll(async () => {
      world = await startRecordedWorld();
      const { fetch } = world.gateway.app;
      const { wallet } = world.localChain.addresses;
      const secretKey = [...worldWalletKey(world.localChain.worldChain.world.seed).secretKey];
      // As `npm start` shows it, with the localnet wallet of its localnet.
      site = await serveSite(async (request) =>
        new URL(request.url).pathname === '/localnet.json'
          ? Response.json({ wallet, secretKey })
          : await fetch(request),
      );
    });
    afterAll(async () => {
      await site?.close();
      await world?.stop();
    });

    describe.each(Object.entries(ROUTES))('%s', (name, route) => {
      let shown: Visit;
      beforeAll(async () => {
        const { origin } = site;
        shown = await visit(browser, {
          origin,
          route: route(world.localChain.addresses),
          width: DESKTOP,
          isDeveloper: true,
        });
      });
      afterAll(() => shown?.close());

      // This page asks for an address, and shows no number.
      if (name !== 'choice of a wallet')
        it('shows the numbers of the graph', async () => {
          expect(await strangersOn(shown, site.origin)).toEqual([]);
        });

      it('renders at every width without an error', async () => {
        const { page, complaints, foreignRequests } = shown;
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          // Charts follow the window a moment later.
          await expect.poll(() => overflowOf(page), { message: `${width} px`, timeout: 5_000 }).toBe(0);
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

    it('breaks the addresses of a message on a phone', async () => {
      const route = `/vaults/${world.localChain.addresses.market}`;
      const { page, close } = await visit(browser, { origin: site.origin, route, width: PHONE });
      try {
        expect(await page.locator('main').innerText()).toContain(world.localChain.addresses.market);
        expect(await overflowOf(page)).toBe(0);
      } finally {
        await close();
      }
    });
  });

  describe('over a chain that stands still, without history', () => {
    let still: ChainApp<UnchangedChain>;
    let site: Site;
    beforeAll(async () => {
      still = await testApp({ frozen: true });
      site = await serveSite(still.app.fetch);
    });
    afterAll(async () => {
      await site?.close();
      await still?.stop();
    });

    it('wallet: shows the numbers of the graph, and says that there is no history', async () => {
      const route = `/wallet/${still.localChain.addresses.wallet}`;
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
