import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { documented } from '../support/contract/openapi-validator.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

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
    const shown = await page.locator('.opblock').evaluateAll((blocks) =>
      blocks.map((block) => {
        const method = block.querySelector('.opblock-summary-method')?.textContent ?? '';
        const path = block.querySelector('.opblock-summary-path')?.getAttribute('data-path') ?? '';
        return `${method.toLowerCase()} ${path}`;
      }),
    );
    expect(shown.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('sends a request and shows the answer of the gateway', async () => {
    const { operationId } = documented('get', '/kvaults/vaults/{pubkey}');
    const block = page.locator(`.opblock[id$="-${operationId}"]`);
    await block.locator('.opblock-summary').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.locator('tr[data-param-name="pubkey"] input').fill(gateway.addresses.vault);
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toContain('200');
    const text = await answer.innerText();
    expect(text).toContain(gateway.addresses.vault);
    expect(text.toLowerCase()).toContain('x-view');
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
