import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVED_OPERATIONS as OPERATIONS } from '../../src/rest/operation-table.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { documented } from '../support/contract/openapi-validator.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

/** Paths of older clients, marked as deprecated. */
const OLD_SPELLINGS = 10;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

describe.skipIf(skipBrowser)(`the documentation in a browser${NO_BROWSER}`, () => {
  let gateway: TestEmbeddedApp;
  let site: Site;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    gateway = await startEmbeddedApp();
    site = await serveSite(gateway.app.fetch);
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
    context.on('request', (request) => requests.push(request.url()));
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${site.origin}/docs`);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await gateway?.app.stop();
  });

  it('lists every operation', async () => {
    await page.locator('.opblock').first().waitFor();
    // Swagger UI draws only what is in sight of a long list.
    const drawn = () =>
      page.locator('.opblock').evaluateAll((blocks) =>
        blocks.map((block) => {
          const method = block.querySelector('.opblock-summary-method')?.textContent ?? '';
          const path = block.querySelector('[data-path]')?.getAttribute('data-path') ?? '';
          return {
            id: `${method.toLowerCase()} ${path}`,
            old: block.classList.contains('opblock-deprecated'),
          };
        }),
      );
    const shown = new Map<string, boolean>();
    await page.mouse.move(700, 500);
    for (let stepped = 0; stepped < 60 && shown.size < OPERATIONS.length + OLD_SPELLINGS; stepped += 1) {
      for (const { id, old } of await drawn()) shown.set(id, old);
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(100);
    }
    const all = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect([...shown.keys()]).toEqual(expect.arrayContaining(all));
    expect([shown.size, [...shown.values()].filter((old) => old).length]).toEqual([
      OPERATIONS.length + OLD_SPELLINGS,
      OLD_SPELLINGS,
    ]);
    await page.reload();
  });

  /** Opens an operation, ready to send. */
  async function tryOut(on: Page, method: string, path: string): Promise<Locator> {
    const { operationId, tags } = documented(method, path);
    await on.locator('.operation-filter-input').fill(tags[0] ?? '');
    await on.locator(`.opblock-tag-section [data-tag="${tags[0]}"]`).waitFor();
    const block = on.locator(`.opblock[id$="-${operationId}"]`);
    await block.locator('.opblock-summary').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    return block;
  }

  const status = (block: Locator) =>
    block.locator('.live-responses-table .response .response-col_status').first();

  it('shows the version of the package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect((await page.locator('.info .version').first().innerText()).trim()).toBe(version);
  });

  it('sends a request with the example address and shows the answer of the gateway', async () => {
    const block = await tryOut(page, 'get', '/kvaults/vaults/{pubkey}');
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toContain('200');
    const text = await answer.innerText();
    expect(text).toContain(gateway.addresses.vault);
    expect(text.toLowerCase()).toContain('x-view');
  });

  it.each([
    '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
    '/svc-market/reserves/account-data',
    '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl',
  ])('fills in the required parameters of %s', async (path) => {
    const block = await tryOut(page, 'get', path);
    const required = documented('get', path).parameters?.filter((each) => each.required) ?? [];
    expect(required.length).toBeGreaterThan(0);
    for (const { name } of required) {
      const value = await block.locator(`tr[data-param-name="${name}"] input`).first().inputValue();
      expect([name, value]).toEqual([name, expect.stringMatching(ADDRESS)]);
    }
  });

  it('sends the API key that was entered', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.auth-container').first();
    await dialog.locator('input').fill('sluice_example');
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();
    const block = await tryOut(page, 'get', '/kvaults/vaults/{pubkey}/metrics');
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/metrics')),
      block.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect(request.headers()['x-api-key']).toBe('sluice_example');
    // It is not a key of this gateway.
    await status(block).waitFor();
    expect(await status(block).innerText()).toContain('401');
    // The browser logs the refusal.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it('works on a phone, without scrolling sideways', async () => {
    const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    phone.on('pageerror', (error) => complaints.push(error.message));
    await phone.goto(`${site.origin}/docs`);
    await phone.locator('.opblock').first().waitFor();
    const block = await tryOut(phone, 'post', '/ktx/kvault/deposit');
    await block.getByRole('button', { name: 'Execute' }).click();
    await status(block).waitFor();
    expect(await status(block).innerText()).toContain('200');
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await phone.close();
  });

  it('sends no request to another origin and logs no error', () => {
    const elsewhere = requests.filter(
      (url) => !/^(data|blob):/.test(url) && new URL(url).origin !== site.origin,
    );
    expect(requests.length).toBeGreaterThan(4);
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
