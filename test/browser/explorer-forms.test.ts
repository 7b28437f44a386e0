import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explorerShown } from '../../scripts/explorer-shown.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { accessibilityProblems, type Visit, visit } from '../support/explorer/explorer-visit.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const PATIENCE = { timeout: 120_000 };

describe.skipIf(skipBrowser)(`the forms of the explorer${NO_BROWSER}`, () => {
  let gateway: TestEmbeddedApp;
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    gateway = await startEmbeddedApp({ VIEW_REFRESH_MS: '1000', VAULT_REFRESH_MS: '1000' });
    site = await serveSite(gateway.app.fetch);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await gateway?.app.stop();
  });

  async function graph<Data>(query: string, variables: object): Promise<Data> {
    const response = await fetch(`${site.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data } = (await response.json()) as { data: Data };
    return data;
  }

  async function open(route: string, width = 1280): Promise<Visit> {
    const shown = await visit(browser, { origin: site.origin, route, width });
    await shown.page.getByRole('button', { name: 'Use the localnet wallet' }).first().click(PATIENCE);
    await explorerShown(shown.page);
    return shown;
  }

  /** Signs what a form has previewed, and waits for its confirmation. */
  async function send(form: Locator, button: string): Promise<void> {
    const primary = form.getByRole('button', { name: button, exact: true });
    await expect.poll(() => primary.isEnabled(), PATIENCE).toBe(true);
    await primary.click();
    await form.getByText('Confirmed.').waitFor(PATIENCE);
  }

  const overflow = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  it('takes a vault over, changes its fee and moves it to other weights', async () => {
    const { vault, wallet, reserve } = gateway.addresses;
    const STATE = `query ($vault: Address!) {
      vault(address: $vault) {
        state { vaultAdminAuthority performanceFeeBps }
        allocations { reserveAddress targetWeight invested { amount } }
      }
    }`;
    interface State {
      readonly state: { readonly vaultAdminAuthority: string; readonly performanceFeeBps: string };
      readonly allocations: readonly {
        readonly reserveAddress: string;
        readonly targetWeight: string;
        readonly invested: { readonly amount: string };
      }[];
    }
    const state = async () => (await graph<{ vault: State }>(STATE, { vault })).vault;
    const before = await state();
    const { page, complaints, close } = await open(`/vaults/${vault}`);
    try {
      const run = page.getByRole('region', { name: 'Run the vault' });
      await run.getByText('has offered you this vault').waitFor(PATIENCE);
      await run.getByRole('button', { name: 'See what you can do' }).click();
      await send(run, 'Take the vault over');
      await run.getByText('You are the admin of this vault').waitFor(PATIENCE);
      expect((await state()).state.vaultAdminAuthority).toBe(wallet);

      await run.getByLabel('What to do').selectOption('Change fees');
      await run.getByRole('textbox', { name: /^Performance fee/ }).fill('101');
      await run.getByText('Write percent from 0 to 100.').waitFor(PATIENCE);
      await run.getByRole('textbox', { name: /^Performance fee/ }).fill('12.5');
      await run.getByRole('row', { name: 'Performance fee 10% 12.5%' }).waitFor(PATIENCE);
      await send(run, 'Change fees');
      expect((await state()).state.performanceFeeBps).toBe('1250');

      const weights = page.getByRole('region', { name: 'Try other weights' });
      await weights.getByRole('button', { name: 'Choose weights' }).click();
      const index = before.allocations.findIndex(({ reserveAddress }) => reserveAddress === reserve);
      await weights
        .getByRole('textbox', { name: /^Weight, now/ })
        .nth(index)
        .fill('300');
      await weights.getByRole('button', { name: 'Show the moves' }).click();
      await weights.getByText(/weight from 900 to 300/).waitFor(PATIENCE);
      expect(await accessibilityProblems(page)).toEqual([]);
      await send(weights, 'Sign and send the moves');
      const amountOf = ({ allocations }: State) => Number(allocations[index]?.invested.amount);
      const after = await state();
      expect(after.allocations[index]?.targetWeight).toBe('300');
      expect(amountOf(after)).toBeLessThan(amountOf(before) * 0.6);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('shows what stands behind a vault in parts that add up, and leads to its form on a phone', async () => {
    const { page, complaints, close } = await open(`/vaults/${gateway.addresses.vault}`, 390);
    try {
      const behind = page.getByRole('region', { name: 'What stands behind it' });
      const map = behind.getByRole('img', { name: /^Map of the vault by market/ });
      await map.waitFor(PATIENCE);
      for (const grouping of ['Kind', 'Token']) {
        await behind.getByRole('radio', { name: grouping }).check({ force: true });
        const shares = await behind
          .locator('li b data')
          .evaluateAll((values) => values.map((value) => Number((value as HTMLDataElement).value)));
        expect(shares.length).toBeGreaterThan(1);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      }
      const form = page.locator('form.act-form').first();
      await page
        .getByRole('region', { name: 'Go to the form' })
        .getByRole('button', { name: 'Withdraw' })
        .click();
      await expect.poll(async () => (await form.boundingBox())?.y ?? 1e9, PATIENCE).toBeLessThan(400);
      expect(await page.getByRole('radio', { name: 'Withdraw' }).first().isChecked()).toBe(true);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('says why there is no backtest without recorded history', async () => {
    const { page, complaints, close } = await open(`/vaults/${gateway.addresses.vault}`, 390);
    try {
      const weights = page.getByRole('region', { name: 'Try other weights' });
      await weights.getByRole('button', { name: 'Choose weights' }).click();
      const idle = weights.getByRole('textbox', { name: 'Weight of idle tokens' });
      await weights.getByRole('radio', { name: 'Backtest' }).check({ force: true });
      const run = weights.getByRole('button', { name: 'Run the backtest' });
      await idle.fill('much');
      await weights.getByText(/^Write a whole number/).waitFor(PATIENCE);
      expect(await run.isDisabled()).toBe(true);
      await idle.fill('10');
      await run.click();
      await weights.getByText(/needs recorded history/).waitFor(PATIENCE);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('multiplies a token, and closes the position', async () => {
    const { depositReserve, wallet } = gateway.addresses;
    const LOANS = `query ($wallet: Address!) {
      wallet(address: $wallet) {
        obligations(first: 20) {
          nodes { tag deposits { reserveAddress } borrows { amount { amount } } stats { leverage } }
        }
      }
    }`;
    interface Loans {
      readonly wallet: {
        readonly obligations: {
          readonly nodes: readonly {
            readonly tag: string;
            readonly deposits: readonly { readonly reserveAddress: string }[];
            readonly stats: { readonly leverage: string };
          }[];
        };
      };
    }
    const multiplied = async () =>
      (await graph<Loans>(LOANS, { wallet })).wallet.obligations.nodes.filter(
        ({ tag, deposits }) => tag === 'MULTIPLY' && deposits[0]?.reserveAddress === depositReserve,
      );
    expect(await multiplied()).toEqual([]);
    const { page, complaints, close } = await open(`/reserves/${depositReserve}`);
    try {
      const form = page.getByRole('region', { name: 'Multiply SOL' });
      await form.getByRole('button', { name: 'Open', exact: true }).click();
      await form.getByRole('textbox', { name: 'Your own SOL' }).fill('2');
      await form.getByLabel('Borrow').selectOption('USDC');
      await form.getByRole('textbox', { name: /^Leverage/ }).fill('1.5');
      await form.getByText(/^Swaps/).waitFor(PATIENCE);
      await send(form, 'Multiply SOL');
      const [opened] = await multiplied();
      expect(Number(opened?.stats.leverage)).toBeGreaterThan(1.45);
      expect(Number(opened?.stats.leverage)).toBeLessThan(1.55);

      await page.goto(`${site.origin}/#/wallet/${wallet}`);
      const card = page.locator('article.loan').filter({ hasText: 'Multiply' }).filter({ hasText: 'USDC' });
      await card.getByText('Everything about this loan').click(PATIENCE);
      await card.getByRole('button', { name: /^Change the leverage of/ }).click(PATIENCE);
      const managed = page.locator('.managed');
      await managed.getByLabel('What to do').selectOption('Close the position');
      await send(managed, 'Close the position');
      expect((await multiplied()).flatMap(({ deposits }) => deposits)).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('sets the rollover of a debt, and says what a setting does not do', async () => {
    const { obligation } = gateway.addresses;
    const SETTINGS = `query ($obligation: Address!) {
      obligation(address: $obligation) { borrows { rollover { enabled maxBorrowRateBps minTermSeconds } } }
    }`;
    const { page, complaints, close } = await open('/wallet');
    try {
      const button = page.getByRole('button', { name: `Rollover settings of ${obligation.slice(0, 4)}` });
      const card = page.locator('article.loan').filter({ hasText: obligation.slice(0, 4) });
      await card.getByText('Everything about this loan').first().click(PATIENCE);
      await button.first().click(PATIENCE);
      const form = page.locator('.managed');
      await form.getByRole('checkbox', { name: 'The debt may be rolled over' }).check();
      await form.getByRole('textbox', { name: /^Highest rate/ }).fill('12.5');
      await form.getByRole('textbox', { name: /^Shortest term/ }).fill('30');
      await form.getByText('ROLLOVER_UNAVAILABLE').waitFor(PATIENCE);
      expect(await accessibilityProblems(page)).toEqual([]);
      await send(form, 'Set the rollover of USDC');
      const { obligation: loan } = await graph<{ obligation: { borrows: readonly { rollover: object }[] } }>(
        SETTINGS,
        { obligation },
      );
      expect(loan.borrows.map(({ rollover }) => rollover)).toEqual([
        { enabled: true, maxBorrowRateBps: '1250', minTermSeconds: '2592000' },
      ]);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('creates a vault with a key of its own', async () => {
    const { page, complaints, close } = await visit(browser, {
      origin: site.origin,
      route: '/vaults',
      width: 390,
    });
    try {
      await page.getByRole('button', { name: 'Create a vault' }).click(PATIENCE);
      const form = page.getByRole('region', { name: 'Create a vault' });
      await form.getByRole('button', { name: 'Use the localnet wallet' }).click(PATIENCE);
      await form.getByRole('textbox', { name: /^Name/ }).fill('Harbour of mine');
      await form.getByText(/^Rent of the vault/).waitFor(PATIENCE);
      expect(await accessibilityProblems(page)).toEqual([]);
      await send(form, 'Create the vault');
      await form.getByRole('link', { name: 'Open the vault' }).click();
      await page.getByRole('heading', { name: 'Harbour of mine' }).waitFor(PATIENCE);
      await page.getByText('You are the admin of this vault').waitFor(PATIENCE);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('claims rewards, and shows why a referrer cannot be named', async () => {
    const { page, complaints, close } = await open('/wallet');
    try {
      await page.getByRole('button', { name: 'Name or become a referrer' }).click(PATIENCE);
      const form = page.locator('.managed');
      await form.getByRole('textbox', { name: 'Wallet of the referrer' }).fill(gateway.addresses.referrer);
      await form.getByText(/is already registered without a referrer/).waitFor(PATIENCE);
      const name = form.getByRole('button', { name: 'Name your referrer' });
      expect(await name.isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Claim rewards' }).first().click();
      await send(form, 'Claim rewards');
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });
});
