import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { explorerShown } from './explorer-shown.ts';

/** Takes the README's screenshots of a gateway on the localnet whose history is ready: `npm run screenshots -- --url http://127.0.0.1:4000`. */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:4000' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url));
/** The editor parses a query shortly after it is shown, and charts are drawn: a click or a picture waits for that. */
const DRAWN_MS = 1_500;

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });

  await page.goto(`${values.url}/graphql`);
  await page.locator('.graphiql-query-editor .view-lines').getByText('vaults').first().waitFor();
  await page.waitForTimeout(DRAWN_MS);
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window .view-lines').getByText('"name"').first().waitFor();
  await page.waitForTimeout(DRAWN_MS);
  await page.screenshot({ path: `${FOLDER}/graphiql.png` });

  const addresses = (await (await fetch(`${values.url}/localnet.json`)).json()) as {
    vault: string;
    wallet: string;
  };
  for (const [name, route] of [
    ['explorer-vaults', '/vaults'],
    ['explorer-vault', `/vaults/${addresses.vault}`],
    ['explorer-wallet', `/wallet/${addresses.wallet}`],
  ]) {
    await page.goto(`${values.url}/#${route}`);
    await explorerShown(page);
    await page.waitForTimeout(DRAWN_MS);
    await page.screenshot({ path: `${FOLDER}/${name}.png` });
  }

  await page.goto(`${values.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  await page.locator('.filter-container').scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 320);
  await page.waitForTimeout(DRAWN_MS);
  await page.screenshot({ path: `${FOLDER}/rest-docs.png` });
} finally {
  await browser.close();
}
