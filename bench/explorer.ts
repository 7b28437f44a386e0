import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { explorerShown } from '../scripts/explorer-shown.ts';
import { printTable } from './measure.ts';
import { buildAll } from './peers/built-code.ts';
import { startEmbeddedGateway } from './peers/processes.ts';
import { median, threeDigits } from './statistics.ts';

const READY_POLL_MS = 250;

interface Load {
  /** First contentful paint after the navigation began. */
  readonly paintMs: number;
  /** When the page showed all of its numbers. */
  readonly shownMs: number;
  readonly files: number;
  /** As sent: compressed, with headers. */
  readonly bytes: number;
}

/** Opens a page as a first visitor does: nothing is cached in the browser, while the gateway is warm. */
async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await explorerShown(page);
    return await page.evaluate(() => {
      const shownMs = performance.now();
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const files = resources.filter(({ name }) => name.includes('/explorer/'));
      const sent = [...files, ...(navigation === undefined ? [] : [navigation])];
      return {
        paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
        shownMs,
        files: sent.length,
        bytes: sent.reduce((sum, { transferSize }) => sum + transferSize, 0),
      };
    });
  } finally {
    await context.close();
  }
}

/** First contentful paint and size of the explorer's pages on a warm gateway, in Chromium. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      loads: { type: 'string', default: '5' },
      chromium: { type: 'string', default: '/usr/bin/chromium' },
    },
  });
  await buildAll();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-explorer-'));
  const gateway = await startEmbeddedGateway(join(folder, 'data'));
  const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
  try {
    const { origin } = new URL(gateway.url);
    while (!(await (await fetch(`${origin}/ready`)).text()).includes('"history":{"status":"ready"'))
      await sleep(READY_POLL_MS);
    const { vault, market, depositReserve, wallet } = (await (
      await fetch(`${origin}/localnet.json`)
    ).json()) as Record<'vault' | 'market' | 'depositReserve' | 'wallet', string>;
    const routes = {
      vaults: '/vaults',
      vault: `/vaults/${vault}`,
      market: `/markets/${market}`,
      reserve: `/reserves/${depositReserve}`,
      wallet: `/wallet/${wallet}`,
    };
    const rows = [['page', 'first paint ms', 'all numbers ms', 'files', 'KB sent']];
    for (const [name, route] of Object.entries(routes)) {
      const url = `${origin}/#${route}`;
      await load(browser, url);
      const loads: Load[] = [];
      for (let i = 0; i < Number(values.loads); i += 1) loads.push(await load(browser, url));
      const of = (figure: keyof Load) => median(loads.map((each) => each[figure]));
      rows.push([
        name,
        threeDigits(of('paintMs')),
        threeDigits(of('shownMs')),
        String(of('files')),
        threeDigits(of('bytes') / 1_000),
      ]);
    }
    printTable(rows);
  } finally {
    await browser.close();
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
