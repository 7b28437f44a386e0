import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../packages/client/examples/end-to-end.test.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const ROOT = fileURLToPath(new URL('../../packages/client/examples/vite-react', import.meta.url));

interface Row {
  readonly name: string;
  readonly token: string;
  /** Exact, or null when it is unknown. */
  readonly value: string | null;
  readonly apy: string | null;
}

describe.skipIf(skipBrowser)(`the Vite and React example, built${NO_BROWSER}`, () => {
  let gateway: TestEmbeddedApp;
  let site: Site;
  let folder: string;
  let server: PreviewServer;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    gateway = await startEmbeddedApp();
    site = await serveSite(gateway.app.fetch);
    folder = await mkdtemp(join(tmpdir(), 'sluice-example-'));
    const config = { root: ROOT, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } } as const;
    await build(config);
    server = await preview({
      ...config,
      preview: { host: '127.0.0.1', port: 0, proxy: { '/graphql': site.origin } },
    });
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(server.resolvedUrls?.local[0] ?? 'no URL');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await site?.close();
    await gateway?.app.stop();
    await rm(folder, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  const shownRows = (): Promise<readonly Row[]> =>
    page.$$eval('tbody tr', (rows) =>
      rows.map((row) => {
        const [name, token, value, apy] = [...row.querySelectorAll('td')];
        return {
          name: name?.textContent ?? '',
          token: token?.textContent ?? '',
          value: value?.getAttribute('title') ?? null,
          apy: apy?.getAttribute('title') ?? null,
        };
      }),
    );

  interface Vaults {
    readonly chain: { readonly slot: string };
    readonly vaults: {
      readonly nodes: readonly {
        readonly name: string;
        readonly token: { readonly symbol: string };
        readonly totalValue: { readonly usd: string | null } | null;
        readonly currentApy: { readonly total: string } | null;
      }[];
    };
  }

  /** The largest vaults of a View that includes this slot. */
  async function graphRows(
    minSlot: bigint,
  ): Promise<{ readonly slot: bigint; readonly rows: readonly Row[] }> {
    const query =
      '{ chain { slot } vaults(first: 100) { nodes { name token { symbol } totalValue { usd } currentApy { total } } } }';
    const headers = { 'x-min-slot': String(minSlot) };
    let answer = await askApp<Vaults>(gateway.app, query, { headers });
    // On a busy machine the chain may reach the slot later than the gateway waits for it.
    while (answer.errors?.[0]?.extensions?.code === 'MIN_SLOT_NOT_REACHED')
      answer = await askApp<Vaults>(gateway.app, query, { headers });
    const { data } = answer;
    const rows = data.vaults.nodes.map(({ name, token, totalValue, currentApy }) => ({
      name,
      token: token.symbol,
      value: totalValue?.usd ?? null,
      apy: currentApy?.total ?? null,
    }));
    return { slot: BigInt(data.chain.slot), rows };
  }

  /** Rows by name: the page keeps the order in which it has read them. */
  const sorted = (rows: readonly Row[]) => rows.toSorted((a, b) => a.name.localeCompare(b.name));

  /** Waits until the page shows what the graph says about the newest View. The test's time limit is the only bound. */
  async function untilCurrent(count: number, minSlot: bigint): Promise<void> {
    for (;;) {
      const { rows } = await graphRows(minSlot);
      const shown = await shownRows();
      const names = shown.map(({ name }) => name);
      const expected = rows.filter(({ name }) => names.includes(name));
      if (shown.length === count && JSON.stringify(sorted(shown)) === JSON.stringify(sorted(expected)))
        return;
    }
  }

  it('shows the vaults of the graph', async () => {
    await page.waitForSelector('tbody tr');
    const { slot, rows } = await graphRows(0n);
    await untilCurrent(10, slot);
    expect((await shownRows()).map(({ name }) => name).toSorted()).toEqual(
      rows
        .slice(0, 10)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(await page.textContent('h1')).toBe(`${rows.length} vaults`);
  });

  it('updates its rows with the next View', async () => {
    const before = await graphRows(0n);
    const after = await graphRows(before.slot + 1n);
    expect(after.rows[0]?.value).not.toBe(before.rows[0]?.value);
    await untilCurrent(10, after.slot);
  });

  it('shows the rest of the list, and updates it too', async () => {
    const { slot, rows } = await graphRows(0n);
    while ((await shownRows()).length < rows.length)
      await page.$$eval('main > button', (buttons) => {
        for (const button of buttons) (button as HTMLButtonElement).click();
      });
    await untilCurrent(rows.length, slot + 1n);
  });
});
