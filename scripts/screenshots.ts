import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

/** Takes the README's screenshots of a running gateway: `npm run screenshots -- --url http://127.0.0.1:4000`. */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:4000' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url));
/** The editor parses a query shortly after it is shown; a click before that does nothing. */
const EDITOR_DELAY_MS = 1_500;

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });

  await page.goto(`${values.url}/graphql`);
  await page.locator('.graphiql-query-editor .view-lines').getByText('vaults').first().waitFor();
  await page.waitForTimeout(EDITOR_DELAY_MS);
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window .view-lines').getByText('"name"').first().waitFor();
  await page.waitForTimeout(EDITOR_DELAY_MS);
  await page.screenshot({ path: `${FOLDER}/graphiql.png` });

  await page.goto(`${values.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  await page.locator('.filter-container').scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 320);
  await page.waitForTimeout(EDITOR_DELAY_MS);
  await page.screenshot({ path: `${FOLDER}/rest-docs.png` });
} finally {
  await browser.close();
}
