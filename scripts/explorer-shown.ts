import type { Page } from 'playwright-core';

/** Waits until a page of the explorer shows its heading and none of its panels is reading. */
export async function explorerShown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('main [aria-busy="true"]') === null,
    undefined,
    { timeout: 120_000 },
  );
}
