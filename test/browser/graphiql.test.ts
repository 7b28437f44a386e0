import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { readText } from '@sluice/protocol/layout/codec';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { readExamples } from '../../src/graphql/examples/examples.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const { kvault } = MAINNET_PROGRAMS;
/** The editor uses non-breaking spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

/** The editor parses a query shortly after it shows it; the button does nothing before that. */
const AS_QUICK_AS_PEOPLE_MS = 1_000;

describe.skipIf(skipBrowser)(`GraphiQL in a browser${NO_BROWSER}`, () => {
  let app: App;
  let site: Site;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    app = await createApp(loadConfig({ RECORDER: 'none' }));
    site = await serveSite(app.fetch);
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    context.on('request', (request) => requests.push(request.url()));
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await until(() => app.chain.views.newest !== undefined);
    await page.goto(`${site.origin}/graphql`);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await app?.stop();
  });

  /** Of the tab with exactly this title. */
  const tabOf = (title: string) =>
    page.locator('.graphiql-tab-button', { hasText: new RegExp(`^\\s*${title}\\s*$`) });

  it('shows the first query, and runs it when the button is pressed', async () => {
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await editor.getByText('vaults').first().waitFor();
    const shownQuery = plain(await editor.innerText()).split('\n');
    expect(shownQuery.slice(0, 10)).toEqual(readExamples()[0]?.query.split('\n').slice(0, 10));

    await page.locator('.graphiql-execute-button').click();
    const result = page.locator('.result-window .view-lines');
    await result.getByText('"name"').first().waitFor();
    const shown = plain(await result.innerText());
    const names = [...(app.embedded?.chain.programAccounts(kvault) ?? [])].flatMap(([, account]) =>
      account.data.length >= vaultState.size ? [readText(vaultState.decode(account, kvault).name)] : [],
    );
    expect(names).toContain(shown.match(/"name": "([^"]+)"/)?.[1]);
    expect(shown).not.toContain('"errors"');
  });

  it('has a tab for each example query, which answers without an error', async () => {
    const editor = page.locator('.graphiql-query-editor .view-lines');
    const tabs = await page.locator('.graphiql-tab-button').all();
    expect(tabs.length).toBe(readExamples().length);
    for (const tab of tabs) {
      // A subscription does not end; a test below covers it.
      if ((await tab.innerText()).includes('Live')) continue;
      await page.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
      // A test below covers the pointer.
      await tab.dispatchEvent('click');
      const name = await tab.innerText();
      await editor.getByText(name, { exact: true }).first().waitFor();
      await page.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
      const [response] = await Promise.all([
        page.waitForResponse((each) => each.request().method() === 'POST'),
        page.locator('.graphiql-execute-button').click(),
      ]);
      const asked = response.request().postDataJSON() as { operationName: string };
      expect(asked.operationName).toBe(name);
      const answer: unknown = await response.json();
      expect(answer, await tab.innerText()).toMatchObject({ data: expect.any(Object) });
      // No history is generated here, and the query about it says so.
      const { errors = [] } = answer as { errors?: { extensions?: { code?: string } }[] };
      const codes = errors.map(({ extensions }) => extensions?.code);
      expect(codes.filter((code) => code !== 'HISTORY_DISABLED')).toEqual([]);
      expect(codes.length > 0).toBe((await tab.innerText()).includes('History'));
    }
  });

  it('shows the effect of an action and builds it, each in a tab', async () => {
    const titles = (await page.locator('.graphiql-tab-button').allInnerTexts()).map((title) => title.trim());
    expect(titles.filter((title) => ['Preview', 'Build'].includes(title))).toEqual(['Preview', 'Build']);
  });

  it('forgets headers, which may hold an API key', async () => {
    const other = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    await other.goto(`${site.origin}/graphql`);
    await other.evaluate("localStorage.setItem('graphiql:headers', JSON.stringify({ old: 'sluice_old' }))");
    await other.reload();
    await other.locator('.graphiql-query-editor .view-lines').getByText('vaults').first().waitFor();
    await other.getByRole('button', { name: 'Headers' }).click();
    const headers = other.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines');
    await headers.click();
    await other.keyboard.insertText('{ "x-api-key": "sluice_secret" }');
    await other.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
    const [request] = await Promise.all([
      other.waitForRequest((each) => each.method() === 'POST' && (each.postData() ?? '').includes('Vaults')),
      other.locator('.graphiql-execute-button').click(),
    ]);
    expect(request.headers()['x-api-key']).toBe('sluice_secret');
    await other.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
    const stored = () => other.evaluate('JSON.stringify({ ...localStorage })');
    expect(await stored()).toContain('query Vaults');
    expect(await stored()).not.toMatch(/sluice_(?:secret|old)/);
    await other.reload();
    await other.locator('.graphiql-query-editor .view-lines').getByText('vaults').first().waitFor();
    expect(await stored()).not.toContain('sluice_secret');
    await other.close();
  });

  it('runs a subscription: events arrive until the button is pressed again', async () => {
    await page.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
    await page.locator('.graphiql-tab-button', { hasText: 'Live' }).dispatchEvent('click');
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await editor.getByText('subscription', { exact: true }).first().waitFor();
    await page.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
    await page.locator('.graphiql-execute-button').click();
    const result = page.locator('.result-window .view-lines');
    // Each event replaces the previous one, possibly before it is read.
    const shownSlot = async () => /"slot": "(\d+)"/.exec(plain(await result.innerText()))?.[1];
    const slots = new Set<string>();
    while (slots.size < 2) {
      const slot = await shownSlot();
      if (slot !== undefined) slots.add(slot);
      await page.waitForTimeout(500);
    }
    expect(app.live.streams).toBe(1);
    await page.locator('.graphiql-execute-button').click();
    await until(() => app.live.streams === 0);
  });

  it('switches to the tab that is clicked', async () => {
    await tabOf('Market').click();
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await editor.getByText('Market', { exact: true }).first().waitFor();
  });

  it('fills the window and does not scroll', async () => {
    await page.mouse.move(20, 450);
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(300);
    const { scrollY, height } = await page.evaluate(() => ({
      scrollY: window.scrollY,
      height: document.querySelector('.graphiql-container')?.getBoundingClientRect().height,
    }));
    expect({ scrollY, height }).toEqual({ scrollY: 0, height: 900 });
  });

  it('reloads with the tab that was open and no other', async () => {
    const shown = async () => ({
      tabs: await page.locator('.graphiql-tab').count(),
      open: (await page.locator('.graphiql-tab-active').innerText()).trim(),
      query: plain(await page.locator('.graphiql-query-editor .view-lines').innerText()),
    });
    for (const name of ['Market', 'Vaults']) {
      await tabOf(name).click();
      await page.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
      const before = await shown();
      expect(before).toMatchObject({ tabs: readExamples().length, open: name });
      await page.reload();
      await page.locator('.graphiql-query-editor .view-lines').getByText(name).first().waitFor();
      expect(await shown()).toEqual(before);
    }
    // With the query that GraphiQL put into the URL, and without.
    await page.goto(`${site.origin}/graphql`);
    await page.locator('.graphiql-query-editor .view-lines').getByText('Vaults').first().waitFor();
    expect(await shown()).toMatchObject({ tabs: readExamples().length, open: 'Vaults' });
  });

  it('shows the query of a shared URL next to the examples', async () => {
    const other = await (await browser.newContext()).newPage();
    other.on('pageerror', (error) => complaints.push(error.message));
    const query = 'query Sent { chain { cluster } }';
    await other.goto(`${site.origin}/graphql?query=${encodeURIComponent(query)}`);
    await other.locator('.graphiql-query-editor .view-lines').getByText('cluster').first().waitFor();
    expect(await other.locator('.graphiql-tab').count()).toBe(readExamples().length + 1);
    expect((await other.locator('.graphiql-tab').first().innerText()).trim()).toBe('Vaults');
    expect((await other.locator('.graphiql-tab-active').innerText()).trim()).toBe('Sent');
    await other.waitForTimeout(AS_QUICK_AS_PEOPLE_MS);
    await other.locator('.graphiql-execute-button').click();
    await other.locator('.result-window .view-lines').getByText('localnet').first().waitFor();
    await other.close();
  });

  it('knows the schema: unknown fields are underlined', async () => {
    const editor = page.locator('.graphiql-query-editor .view-lines');
    await editor.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('{ vaults { nodes { nickname } } }');
    await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
  });

  it('sends no request to another origin and logs no error', () => {
    const elsewhere = requests.filter(
      (url) => !/^(data|blob):/.test(url) && new URL(url).origin !== site.origin,
    );
    expect(requests.length).toBeGreaterThan(1);
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
