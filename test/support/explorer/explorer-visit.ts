import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { explorerShown } from '../../../scripts/explorer-shown.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface VisitOptions {
  readonly origin: string;
  /** Route of the explorer, for example `/vaults`. */
  readonly route: string;
  readonly width: number;
  /** Panels then name their queries. */
  readonly isDeveloper?: boolean;
}

/** A page of the explorer in a browser, with everything that it complained about or asked for elsewhere. */
export interface Visit {
  readonly page: Page;
  readonly complaints: string[];
  readonly foreignRequests: string[];
  close(): Promise<void>;
}

export async function visit(
  browser: Browser,
  { origin, route, width, isDeveloper = false }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  const [complaints, foreignRequests]: [string[], string[]] = [[], []];
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) foreignRequests.push(url);
  });
  if (isDeveloper) await context.addInitScript(() => localStorage.setItem('sluice.developer', 'on'));
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${origin}/#${route}`);
  await explorerShown(page);
  return { page, complaints, foreignRequests, close: () => context.close() };
}

/** Problems that axe calls serious or critical, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated by the debugger: the page's policy allows no script but its own.
  await page.evaluate(await readFile(AXE, 'utf8'));
  return await page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: Axe }).axe;
    // Describing each element that passes would take most of the time.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

interface Axe {
  run(options: { readonly resultTypes: readonly 'violations'[] }): Promise<AxeResults>;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

/** A panel with the query behind it and the exact numbers that it shows. */
export interface ShownPanel {
  readonly title: string;
  readonly view: string | null;
  readonly query: string;
  readonly variables: unknown;
  /** Values that the page computes itself are marked and left out. */
  readonly values: readonly string[];
}

export async function shownPanels(page: Page): Promise<ShownPanel[]> {
  const panels = await page.locator('section.panel').evaluateAll((sections) =>
    sections.map((section) => ({
      title: section.querySelector('h2')?.textContent ?? '',
      view: section.getAttribute('data-view'),
      href: section.querySelector<HTMLAnchorElement>('a[href*="graphql?"]')?.href ?? null,
      values: [...section.querySelectorAll<HTMLDataElement>('data.value:not([data-derived])')].map(
        ({ value }) => value,
      ),
    })),
  );
  return panels.flatMap(({ href, ...panel }) => {
    if (href === null) return [];
    const { searchParams } = new URL(href);
    const variables = JSON.parse(searchParams.get('variables') ?? '{}') as unknown;
    return [{ ...panel, query: searchParams.get('query') ?? '', variables }];
  });
}
