import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page, Request as PageRequest } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kitSigner } from '../../packages/client/src/kit.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { signerOf } from '../support/apps/acting-app.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';
import type { Shown } from '../support/client/hooks-page.tsx';
import { launchBrowser, NO_BROWSER, type Site, serveSite, skipBrowser } from '../support/http/browser.ts';

/** The hooks in a browser, in React's strict mode, against a gateway with the localnet. */
describe.skipIf(skipBrowser)(`hooks in a browser${NO_BROWSER}`, () => {
  let gateway: TestEmbeddedApp;
  let site: Site;
  let browser: Browser;
  let page: Page;
  let operations: PageRequest[];
  let aborted: PageRequest[];
  let complaints: string[];
  let sign: (transaction: string) => Promise<string>;

  beforeAll(async () => {
    const script = await hooksPage();
    gateway = await startEmbeddedApp({ METRICS_HOLD_MS: '0' });
    site = await serveSite(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/hooks.js')
        return new Response(script, { headers: { 'content-type': 'text/javascript' } });
      if (pathname !== '/hooks') return await gateway.app.fetch(request);
      const html =
        '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="hooks.js"></script>';
      return new Response(html, { headers: { 'content-type': 'text/html' } });
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await gateway?.app.stop();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    operations = [];
    aborted = [];
    complaints = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) operations.push(request);
    });
    page.on('requestfailed', (request) => aborted.push(request));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const { secretKey } = (await (await fetch(`${site.origin}/localnet.json`)).json()) as {
      secretKey: number[];
    };
    const signer = kitSigner(await signerOf(secretKey));
    sign = async (transaction) => (await signer.signTransactions([transaction]))[0] ?? '';
    await page.exposeFunction('sign', (transaction: string) => sign(transaction));
    await page.goto(`${site.origin}/hooks`);
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });

  const show = (shown: Shown) => page.evaluate((next) => window.show(next), shown);

  async function state<State>(name: string): Promise<State | null> {
    const element = await page.$(`#${name}`);
    const text = await element?.textContent();
    return text ? (JSON.parse(text) as State) : null;
  }

  /** The state once it matches. */
  async function settled<State>(name: string, isSettled: (state: State) => boolean): Promise<State> {
    for (;;) {
      const current = await state<State>(name);
      if (current !== null && isSettled(current)) return current;
    }
  }

  const named = (operation: string) =>
    operations.filter((request) => String(request.postDataJSON().query).includes(` ${operation}(`));

  async function openStreams(): Promise<number> {
    const text = await (await fetch(`${site.origin}/metrics`)).text();
    return Number(/^sluice_streams_open(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1]);
  }

  async function untilStreamsOpen(count: number): Promise<void> {
    while ((await openStreams()) !== count);
  }

  async function graph<Data>(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Data> {
    return (await askApp(gateway.app, query, { headers })).data as Data;
  }

  /** Has the gateway read a View with a later slot than the newest one. */
  async function nextView(): Promise<void> {
    const slotOf = async (headers = {}) =>
      (await graph<{ chain: { slot: string } }>('{ chain { slot } }', headers)).chain.slot;
    await slotOf({ 'x-min-slot': String(BigInt(await slotOf()) + 1n) });
  }

  interface VaultState {
    readonly vault: { readonly tokensPerShare: string } | null;
    readonly state: string;
    readonly slot: string | null;
  }

  /** The newest View on the page and in the graph, once the page has its event. */
  async function newest(name: string) {
    for (;;) {
      const { chain, vault } = await graph<{ chain: { slot: string }; vault: { tokensPerShare: string } }>(
        `{ chain { slot } vault(address: "${gateway.addresses.vault}") { tokensPerShare } }`,
      );
      const shown = await state<VaultState>(name);
      if (shown?.slot === chain.slot)
        return { shown: shown.vault?.tokensPerShare, graph: vault.tokensPerShare };
    }
  }

  it('useLive updates the answers of useSluiceQuery, over one stream for two components', async () => {
    const { vault } = gateway.addresses;
    await show({ vaults: [vault, vault] });
    const isLive = (now: VaultState) => now.state === 'live' && now.vault !== null;
    const before = await settled('vault-0', isLive);
    await settled('vault-1', isLive);
    await nextView();
    for (const name of ['vault-0', 'vault-1']) {
      const after = await newest(name);
      expect(after.shown).toBe(after.graph);
      expect(after.shown).not.toBe(before.vault?.tokensPerShare);
    }
    expect([named('Vault').length, named('Updates').length, await openStreams()]).toEqual([1, 1, 1]);
    await show({});
    await untilStreamsOpen(0);
  });

  it('useLive opens another stream for other addresses and closes the one before', async () => {
    const addresses = (
      await graph<{ vaults: { nodes: { address: string }[] } }>('{ vaults(first: 2) { nodes { address } } }')
    ).vaults.nodes.map(({ address }) => address);
    const [first, second] = addresses;
    if (first === undefined || second === undefined) throw new Error('the world has too few vaults');
    await show({ followed: [first] });
    await settled<{ address: string }>('followed', ({ address }) => address === first);
    await show({ followed: [second] });
    await settled<{ address: string }>('followed', ({ address }) => address === second);
    await untilStreamsOpen(1);
    expect(named('Updates').map((request) => request.postDataJSON().variables)).toEqual([
      { addresses: [first] },
      { addresses: [second] },
    ]);
    await show({});
    await untilStreamsOpen(0);
  });

  interface ListState {
    readonly addresses: readonly string[];
    readonly totalCount: number | null;
    readonly hasNext: boolean;
  }

  it('usePages reads a list to its end', async () => {
    const { vaults } = await graph<{ vaults: { totalCount: number; nodes: { address: string }[] } }>(
      '{ vaults(first: 100) { totalCount nodes { address } } }',
    );
    const all = vaults.nodes.map(({ address }) => address);
    const size = Math.ceil(all.length / 3);
    await show({ first: size });
    for (let read = 1; read < 3; read += 1) {
      const { addresses, totalCount, hasNext } = await settled<ListState>(
        'list',
        (list) => list.addresses.length === read * size,
      );
      expect([addresses, totalCount, hasNext]).toEqual([all.slice(0, read * size), all.length, true]);
      await page.click('#more');
    }
    const { addresses, hasNext } = await settled<ListState>(
      'list',
      (list) => list.addresses.length === all.length,
    );
    expect([addresses, hasNext]).toEqual([all, false]);
    expect(named('Vaults')).toHaveLength(3);
  });

  describe('useAction', () => {
    interface DepositState {
      readonly preview: {
        readonly status: string;
        readonly tokens: { readonly before: string; readonly after: string } | null;
        readonly code: string | null;
      };
      readonly run: { readonly steps: readonly string[]; readonly code: string | null };
      readonly deposited: string | null;
    }

    const deposit = (isSettled: (now: DepositState) => boolean) => settled('deposit', isSettled);
    const isReady = ({ preview, deposited }: DepositState) =>
      preview.status === 'ready' && deposited !== null;

    beforeEach(async () => {
      const { wallet, vault } = gateway.addresses;
      await show({ deposit: { wallet, vault } });
      await deposit(({ deposited }) => deposited !== null);
    });

    it('reads one preview for what is typed without a pause', async () => {
      expect((await deposit(() => true)).preview.status).toBe('none');
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      await page.fill('#amount', '1');
      await page.clock.runFor(299);
      await page.fill('#amount', '12.5');
      await page.clock.runFor(300);
      await page.clock.resume();
      const { preview } = await deposit(isReady);
      expect(Number(preview.tokens?.after) - Number(preview.tokens?.before)).toBeCloseTo(12.5, 1);
      expect(
        named('PreviewAction').map((request) => request.postDataJSON().variables.action.vaultDeposit.amount),
      ).toEqual([{ tokens: '12.5' }]);
    });

    it('aborts a preview that is superseded', async () => {
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('"tokens":"1"')) await route.continue();
      });
      await page.fill('#amount', '1');
      await until(() => named('PreviewAction').length === 1);
      await page.fill('#amount', '2');
      const { preview } = await deposit(isReady);
      expect(Number(preview.tokens?.after) - Number(preview.tokens?.before)).toBeCloseTo(2, 1);
      expect(aborted).toEqual([named('PreviewAction')[0]]);
    });

    it('reports the code of a refusal', async () => {
      await page.fill('#amount', '0');
      const { preview } = await deposit(({ preview: { status } }) => status === 'failed');
      expect(preview.code).toBe('AMOUNT_NOT_POSITIVE');
    });

    it('runs an action to its end and shows its effect', async () => {
      await page.fill('#amount', '25');
      const before = await deposit(isReady);
      await page.click('#start');
      const { run } = await deposit(({ run: { steps } }) => steps.at(-1) === 'succeeded');
      expect(run.steps).toEqual(['idle', 'building', 'signing', 'confirming', 'succeeded']);
      const after = await deposit(({ deposited }) => deposited !== before.deposited);
      expect(Number(after.deposited) - Number(before.deposited)).toBeCloseTo(25, 1);
      // The preview starts from the new position.
      const { preview } = await deposit(
        (now) => isReady(now) && now.preview.tokens?.before !== before.preview.tokens?.before,
      );
      expect(Number(preview.tokens?.before)).toBeCloseTo(Number(after.deposited), 1);
    });

    it('ends with the refusal of the wallet, and can be started again', async () => {
      sign = () => Promise.reject(new Error('The user has declined.'));
      await page.fill('#amount', '1');
      await deposit(isReady);
      await page.click('#start');
      const failed = await deposit(({ run: { steps } }) => steps.at(-1) === 'failed');
      expect(failed.run.code).toBe('SIGNING_FAILED');
      await page.click('#reset');
      await deposit(({ run: { steps } }) => steps.at(-1) === 'idle');
      expect(await page.isEnabled('#start')).toBe(true);
    });

    it('does not send what was reset while the wallet was asked', async () => {
      const own = sign;
      let answer = () => {};
      sign = async (transaction) => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return await own(transaction);
      };
      await page.fill('#amount', '1');
      await deposit(isReady);
      await page.click('#start');
      await deposit(({ run: { steps } }) => steps.at(-1) === 'signing');
      await page.click('#reset');
      await deposit(({ run: { steps } }) => steps.at(-1) === 'idle');
      sign = own;
      answer();
      await page.click('#start');
      await deposit(({ run: { steps } }) => steps.at(-1) === 'succeeded');
      expect(named('SendTransaction')).toHaveLength(1);
    });
  });

  it('the form of the examples deposits', async () => {
    const { wallet, vault } = gateway.addresses;
    await show({ form: { wallet, vault } });
    await page.fill('input', '3');
    await page.waitForFunction(() =>
      document.querySelector('output')?.textContent?.endsWith('shares after it'),
    );
    await page.click('button');
    await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent === 'Deposited');
    expect(named('SendTransaction')).toHaveLength(1);
  });
});

async function hooksPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../support/client/hooks-page.tsx', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['@sluice/source'],
    // Strict mode mounts twice in the development build of React only.
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('esbuild wrote nothing');
  return script.text;
}
