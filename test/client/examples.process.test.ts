import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, graphql } from '@sluice/client';
import { startGateway, type TestGateway } from '@sluice/client/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { amountField } from '../../packages/client/examples/decimals.ts';
import { deposit } from '../../packages/client/examples/deposit.ts';
import { attempt } from '../../packages/client/examples/errors.ts';
import { followVaults } from '../../packages/client/examples/live.ts';
import { bothLists, vaultsAfter } from '../../packages/client/examples/views.ts';

const PACKAGE = fileURLToPath(new URL('../../packages/client/', import.meta.url));

let gateway: TestGateway;

beforeAll(async () => {
  // As an application under test may have it.
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/application');
  gateway = await startGateway();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway?.stop();
});

it('the README shows code of the examples, and links to files that exist', async () => {
  const readme = await readFile(`${PACKAGE}README.md`, 'utf8');
  const names = (await readdir(`${PACKAGE}examples`, { recursive: true })).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const sources = await Promise.all(names.map((name) => readFile(`${PACKAGE}examples/${name}`, 'utf8')));
  const blocks = [...readme.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(5);
  for (const block of blocks)
    expect(
      sources.filter((source) => source.includes(block)),
      block,
    ).toHaveLength(1);
  for (const [, link = ''] of readme.matchAll(/\]\(([^)#h][^)#]*)/g)) await readFile(`${PACKAGE}${link}`);
});

it('the script prints vaults with their value and APY', async () => {
  const args = ['--conditions=@sluice/source', '--import', 'tsx', 'examples/node-script.ts'];
  const { PATH = '' } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: PACKAGE,
    env: { PATH, LANG: 'en_US', SLUICE_URL: gateway.url },
  });
  const [first, ...vaults] = stdout.trim().split('\n');
  expect(first).toMatch(/^Vaults at slot \d+$/);
  expect(vaults).toHaveLength(5);
  for (const line of vaults) expect(line).toMatch(/^.+: \$[\d.]+[KMB]?, APY [\d.]+%$/);
});

it('a deposit is previewed and run, and the value of the vault follows on the stream', async () => {
  const { vault } = gateway.addresses;
  const stop = new AbortController();
  const seen: string[] = [];
  const connection: boolean[] = [];
  const following = followVaults(
    gateway.client,
    [vault],
    stop.signal,
    (address, usd) => seen.push(`${address} ${usd}`),
    (isLive) => connection.push(isLive),
  );
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const printed: string[] = [];
  const order = { vault, tokens: '5' };
  const { signatures, slot } = await deposit(gateway.client, gateway.wallet, order, (text) =>
    printed.push(text),
  );
  expect(signatures).toHaveLength(1);
  expect(printed).toEqual([
    expect.stringMatching(/^You will have \d+\.\d+ shares\.$/),
    'building',
    'signing',
    'confirming',
  ]);
  await expect.poll(() => new Set(seen).size, { timeout: 60_000 }).toBeGreaterThan(1);
  stop.abort();
  await following;
  expect(connection).toContain(true);
  const { nodes } = (await vaultsAfter(gateway.client, slot)).vaults;
  expect(nodes.map(({ address }) => address)).toContain(vault);
});

it('errors say what to tell the user', async () => {
  const { wallet, vault, market } = gateway.addresses;
  const wrong = { vaultDeposit: { wallet, vault: market, amount: { tokens: '1' } } };
  expect(await attempt(gateway.client, wrong, gateway.wallet)).toMatch(/vault/i);
  const unwilling = { address: wallet, signTransactions: () => Promise.reject(new Error('no')) };
  const right = { vaultDeposit: { wallet, vault, amount: { tokens: '1' } } };
  expect(await attempt(gateway.client, right, unwilling)).toBe('You did not sign it. Nothing was sent.');
});

it('two lists are read from one View', async () => {
  const asked: { readonly view: string | null; readonly answered: string | undefined }[] = [];
  const client = createClient({
    url: gateway.url,
    async fetch(input, init) {
      const response = await fetch(input, init);
      const { extensions } = (await response.clone().json()) as { extensions?: { chain?: { view: string } } };
      asked.push({ view: new Headers(init?.headers).get('x-view'), answered: extensions?.chain?.view });
      return response;
    },
  });
  const { vaults, reserves } = await bothLists(client);
  const [first, second] = asked.slice(-2);
  expect(first).toEqual({ view: null, answered: expect.stringMatching(/^[0-9a-f]{8}-\d+$/) });
  expect(second).toEqual({ view: first?.answered, answered: first?.answered });
  const { vault, depositReserve } = gateway.addresses;
  expect(vaults.vaults.nodes.map(({ address }) => address)).toContain(vault);
  expect(reserves.reserves.nodes.map(({ address }) => address)).toContain(depositReserve);
});

it('an amount is exact', () => {
  expect(amountField('.5', '9007199254740993.000003', 6)).toEqual({
    half: '4503599627370496.500001',
    isTooMuch: false,
    baseUnits: 500_000n,
    shown: '0.5',
  });
  expect(amountField('1.0000001', '1', 6)).toMatchObject({ isTooMuch: true, baseUnits: null });
  expect(amountField('', '1', 6)).toMatchObject({ isTooMuch: false, baseUnits: null, shown: '' });
});

it('a gateway for tests has its own settings, and none of the application', async () => {
  // A database of the application must never become that of the gateway.
  const { errors } = await gateway.client.query(
    graphql(
      'query History($vault: Address!) { vault(address: $vault) { metricsHistory { points { sharesIssued } } } }',
    ),
    { vault: gateway.addresses.vault },
  );
  expect(errors.map(({ code }) => code)).toEqual(['HISTORY_DISABLED']);
});

it('a folder without a gateway is named', async () => {
  const folder = `${PACKAGE}src`;
  await expect(startGateway({ gateway: folder })).rejects.toThrow(`${folder} is not a checkout of sluice.`);
  vi.stubEnv('SLUICE_GATEWAY', folder);
  await expect(startGateway()).rejects.toThrow(`${folder} is not a checkout of sluice.`);
  vi.stubEnv('SLUICE_GATEWAY', undefined);
});
