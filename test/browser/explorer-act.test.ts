import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explorerShown } from '../../scripts/explorer-shown.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { accessibilityProblems, type Visit, visit } from '../support/explorer/explorer-visit.ts';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

const PATIENCE = { timeout: 120_000 };

describe.skipIf(skipBrowser)(`acting in the explorer${NO_BROWSER}`, () => {
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

  const open = (route: string): Promise<Visit> => visit(browser, { origin: site.origin, route, width: 1280 });

  async function chooseLocalnetWallet(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Use the localnet wallet' }).first().click();
    await page.getByRole('textbox', { name: /^Amount in/ }).waitFor(PATIENCE);
    await explorerShown(page);
  }

  /** Waits for the simulation, signs and sends; returns the text of the form before and after. */
  async function act(page: Page, verb: string, amount: string): Promise<{ before: string; after: string }> {
    const form: Locator = page.locator('form.act-form').first();
    await form.getByRole('radio', { name: verb, exact: true }).check({ force: true });
    await page.getByRole('textbox', { name: /^Amount in/ }).fill(amount);
    const send = form.getByRole('button', { name: new RegExp(`^${verb} [\\d,.]+`) });
    await form.getByText(/Simulated .* succeeds/).waitFor(PATIENCE);
    await expect.poll(() => send.isEnabled(), PATIENCE).toBe(true);
    const before = await form.innerText();
    await send.click();
    await page.getByRole('link', { name: 'See the transaction' }).waitFor(PATIENCE);
    const after = await page.locator('.act-form').first().innerText();
    await page.getByRole('button', { name: `${verb} more` }).click();
    return { before, after };
  }

  it('deposits into a vault with the localnet wallet, and the position changes on an open page', async () => {
    const { vault, wallet } = gateway.addresses;
    const SHARES = `query ($vault: Address!, $wallet: Address!) {
      vault(address: $vault) { position(wallet: $wallet) { totalShares } }
    }`;
    const shares = async () =>
      (await graph<{ vault: { position: { totalShares: string } | null } }>(SHARES, { vault, wallet })).vault
        .position?.totalShares ?? '0';
    const before = await shares();
    const watched = await open(`/wallet/${wallet}`);
    const shown = await open(`/vaults/${vault}`);
    try {
      await chooseLocalnetWallet(shown.page);
      const { before: told, after: done } = await act(shown.page, 'Deposit', '25');
      // The effect comes first. What the wallet shows as leaving is staked, and only told as that.
      expect(told).toMatch(/You deposit\s25\sUSDC\s+and get\s+[\d.]+\sshares, all staked in the farm/);
      expect(told).toMatch(
        /unstaked shares\s+are staked too\. Your wallet shows them as leaving; they stay yours/,
      );
      expect(told).not.toMatch(/−[\d,.]+\s*(?:kvUSDC|shares)/);
      expect(done).toMatch(/You deposited\s25\sUSDC\.\s+All\s+[\d,.]+\sshares\s+are staked now/);
      expect(done.match(/Done/g)).toHaveLength(2);
      const after = await shares();
      expect(Number(after)).toBeGreaterThan(Number(before));
      // By its subscription: nobody has touched this page.
      await watched.page
        .locator(`main [title$="of ${after} shares"]`)
        .first()
        .waitFor({ ...PATIENCE, state: 'attached' });
      expect([...shown.complaints, ...watched.complaints]).toEqual([]);
      expect([...shown.foreignRequests, ...watched.foreignRequests]).toEqual([]);
    } finally {
      await shown.close();
      await watched.close();
    }
  });

  it('leaves a vault with the steps of the exit', async () => {
    const { vault, wallet } = gateway.addresses;
    const SHARES = `query ($vault: Address!, $wallet: Address!) {
      vault(address: $vault) { position(wallet: $wallet) { totalShares } }
    }`;
    const shares = async () =>
      Number(
        (await graph<{ vault: { position: { totalShares: string } } }>(SHARES, { vault, wallet })).vault
          .position.totalShares,
      );
    const before = await shares();
    const { page, complaints, close } = await open(`/vaults/${vault}`);
    try {
      await chooseLocalnetWallet(page);
      await page.getByText('Leave, and queue what cannot be paid now').click();
      const form = page.locator('form.act-form').filter({ hasText: 'Takes what the vault can pay now' });
      await form.getByRole('textbox', { name: 'Amount in shares' }).fill('1.5');
      await form
        .getByText(/^Withdraw/)
        .first()
        .waitFor(PATIENCE);
      const send = form.getByRole('button', { name: 'Leave the vault' });
      await expect.poll(() => send.isEnabled(), PATIENCE).toBe(true);
      await send.click();
      await page.getByText('Confirmed.').waitFor(PATIENCE);
      expect(before - (await shares())).toBeCloseTo(1.5, 6);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('cuts no figure of the form, however narrow it is, and explains the transaction afterwards', async () => {
    const { page, complaints, close } = await open(`/vaults/${gateway.addresses.vault}`);
    try {
      await chooseLocalnetWallet(page);
      const form = page.locator('form.act-form').first();
      await page.getByRole('textbox', { name: /^Amount in/ }).fill('25');
      await form.getByText(/Simulated .* succeeds/).waitFor(PATIENCE);
      await form.getByText('Every balance that changes').click();
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await form.evaluate((root) =>
          [...root.querySelectorAll('*')]
            .filter((each) => {
              const { display, position } = getComputedStyle(each);
              return (
                display !== 'inline' && position !== 'absolute' && each.scrollWidth > each.clientWidth + 1
              );
            })
            .map((each) => `${each.tagName} ${each.className}`),
        );
        expect(cut, `at ${width}`).toEqual([]);
      }
      expect(await accessibilityProblems(page)).toEqual([]);
      await form.getByRole('button', { name: /^Deposit 25/ }).click();
      await page.getByRole('link', { name: 'See the transaction' }).click(PATIENCE);
      const words = page.getByRole('region', { name: 'In words' });
      await words.getByText('Deposit up to 25 USDC into Harbor USDC Prime').waitFor(PATIENCE);
      await words.getByText('Went through').waitFor();
      await page.getByRole('region', { name: 'What it is about' }).getByText('Harbor USDC Prime').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('borrows and repays with the localnet wallet', async () => {
    const { borrowReserve, obligation } = gateway.addresses;
    const DEBT = `query ($obligation: Address!) {
      obligation(address: $obligation) { borrows { reserve { address } amount { amount } } }
    }`;
    const debt = async () => {
      const { obligation: loan } = await graph<{
        obligation: { borrows: { reserve: { address: string }; amount: { amount: string } }[] };
      }>(DEBT, { obligation });
      return Number(loan.borrows.find(({ reserve }) => reserve.address === borrowReserve)?.amount.amount);
    };
    const owed = await debt();
    const { page, complaints, close } = await open(`/reserves/${borrowReserve}`);
    try {
      await chooseLocalnetWallet(page);
      await act(page, 'Borrow', '10');
      const more = await debt();
      expect(more - owed).toBeGreaterThan(9.9);
      expect(more - owed).toBeLessThan(10.1);
      await act(page, 'Repay', '5');
      expect(more - (await debt())).toBeGreaterThan(4.9);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('collects actions of several pages in a plan, and sends them in order', async () => {
    const { depositReserve, borrowReserve, obligation } = gateway.addresses;
    const LOAN = `query ($obligation: Address!) {
      obligation(address: $obligation) {
        deposits { reserveAddress amount { amount } }
        borrows { reserveAddress amount { amount } }
      }
    }`;
    type Sides = readonly { readonly reserveAddress: string; readonly amount: { readonly amount: string } }[];
    const loan = async () => {
      const { obligation: read } = await graph<{ obligation: { deposits: Sides; borrows: Sides } }>(LOAN, {
        obligation,
      });
      const amountOf = (sides: Sides, reserve: string) =>
        Number(sides.find(({ reserveAddress }) => reserveAddress === reserve)?.amount.amount ?? 0);
      return {
        deposited: amountOf(read.deposits, depositReserve),
        owed: amountOf(read.borrows, borrowReserve),
      };
    };
    const before = await loan();
    const { page, complaints, close } = await open(`/reserves/${depositReserve}`);
    const add = async (verb: string, amount: string) => {
      await page.locator('form.act-form').getByRole('radio', { name: verb }).check({ force: true });
      await page.getByRole('textbox', { name: /^Amount in/ }).fill(amount);
      await page.getByRole('button', { name: 'Add to plan' }).click();
    };
    const steps = page.locator('.plan-steps > li');
    const send = page.getByRole('button', { name: 'Sign and send the plan' });
    try {
      await chooseLocalnetWallet(page);
      await add('Deposit', '0.25');
      await page.goto(`${site.origin}/#/reserves/${borrowReserve}`);
      await page.getByRole('textbox', { name: 'Amount in USDC' }).waitFor(PATIENCE);
      await add('Borrow', '1000000000');
      await page.getByText('Step 2 cannot work.').waitFor(PATIENCE);
      expect(await send.isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Remove: Borrow 1000000000 USDC' }).click();
      await add('Borrow', '7');
      await expect.poll(() => send.isEnabled(), PATIENCE).toBe(true);
      expect(await steps.locator('strong').allInnerTexts()).toEqual(['Deposit 0.25 SOL', 'Borrow 7 USDC']);
      expect(await page.getByRole('region', { name: 'Effect of the whole plan' }).innerText()).toMatch(
        /Health factor/,
      );
      expect(await accessibilityProblems(page)).toEqual([]);
      await send.click();
      await page.getByText('Confirmed.').waitFor(PATIENCE);
      const after = await loan();
      expect(after.deposited - before.deposited).toBeGreaterThan(0.24);
      expect(after.owed - before.owed).toBeGreaterThan(6.9);
      expect(await steps.count()).toBe(0);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('deposits the maximum of SOL, and leaves enough for the fee', async () => {
    const { page, complaints, close } = await open(`/reserves/${gateway.addresses.depositReserve}`);
    try {
      await chooseLocalnetWallet(page);
      await page.getByRole('button', { name: 'Max', exact: true }).first().click();
      const most = await page.getByRole('textbox', { name: /^Amount in SOL/ }).inputValue();
      expect(Number(most)).toBeGreaterThan(1);
      await act(page, 'Deposit', most);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('opens the form with the amount that brings a loan to a health', async () => {
    const { page, complaints, close } = await open('/wallet');
    try {
      await page.getByRole('button', { name: 'Use the localnet wallet' }).first().click();
      const panel = page.locator('section.panel', {
        has: page.getByRole('heading', { name: 'Reach a health' }),
      });
      await panel.waitFor(PATIENCE);
      await panel.getByRole('textbox', { name: 'Health factor' }).fill('20');
      const repay = panel.getByRole('button', { name: 'Repay this amount' });
      const amountOf = () =>
        panel.locator('.figure', { hasText: 'Repay exactly' }).locator('data').first().getAttribute('value');
      const reached = () =>
        panel
          .locator('.figure', { hasText: 'Health after' })
          .locator('data')
          .first()
          .getAttribute('value')
          .then(Number);
      await expect.poll(reached, PATIENCE).toBeGreaterThanOrEqual(20);
      const amount = await amountOf();
      await repay.click();
      const form = page.locator('.managed');
      expect(await form.getByRole('textbox', { name: /^Amount in/ }).inputValue()).toBe(amount);
      expect(await form.getByRole('radio', { name: 'Repay' }).isChecked()).toBe(true);
      await panel.getByRole('textbox', { name: 'Health factor' }).fill('high');
      await panel.getByText('Write a number above 0, such as 1.5.').waitFor(PATIENCE);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  it('says what is wrong with an amount, and sends nothing', async () => {
    const { page, close } = await open(`/vaults/${gateway.addresses.vault}`);
    try {
      await chooseLocalnetWallet(page);
      const send = page.locator('form.act-form').getByRole('button', { name: /^Deposit/ });
      await page.getByRole('textbox', { name: /^Amount in/ }).fill('ten');
      await page.locator('.problem').filter({ hasText: /\w/ }).first().waitFor(PATIENCE);
      expect(await send.isDisabled()).toBe(true);
      await page.getByRole('textbox', { name: /^Amount in/ }).fill('1000000000');
      await page
        .locator('form.act-form')
        .getByText(/balance|has only|enough/i)
        .first()
        .waitFor(PATIENCE);
      expect(await send.isDisabled()).toBe(true);
    } finally {
      await close();
    }
  });
});
