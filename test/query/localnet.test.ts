import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app/app.ts';
import type { LocalnetPage } from '../../src/app/localnet-page.ts';
import { loadConfig } from '../../src/config/config.ts';
import { serveOnSocket } from '../support/http/socket-site.ts';
import { connectMcp } from '../support/mcp/mcp-client.ts';

let app: App;
let addresses: WorldAddresses;
let access: Omit<LocalnetPage, keyof WorldAddresses>;

beforeAll(async () => {
  app = await createApp(loadConfig({ VIEW_REFRESH_MS: '600000', RECORDER: 'none' }));
  if (app.chain.views.newest === undefined) await new Promise((resolve) => app.chain.views.onView(resolve));
  const response = await app.fetch(new Request('http://sluice.test/localnet.json'));
  const { rpcUrl, wsUrl, secretKey, note, ...rest } = (await response.json()) as LocalnetPage;
  access = { rpcUrl, wsUrl, secretKey, note };
  addresses = rest;
});

afterAll(async () => {
  await app?.stop();
});

async function ask<T>(query: string): Promise<{ data: T; errors?: unknown }> {
  const response = await app.fetch(
    new Request('http://sluice.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  );
  return (await response.json()) as { data: T; errors?: unknown };
}

it('names the addresses that examples rely on', () => {
  expect(Object.keys(addresses).sort()).toEqual([
    'approvedObligation',
    'borrowReserve',
    'depositReserve',
    'emptyWallet',
    'farm',
    'market',
    'newOwner',
    'obligation',
    'offeredObligation',
    'offeringWallet',
    'orderedObligation',
    'orderingWallet',
    'queuedMarket',
    'queuedReserve',
    'queuedTicket',
    'queuedWallet',
    'referredReserve',
    'referrer',
    'reserve',
    'runningTermReserve',
    'runningTermWallet',
    'sharesMint',
    'stakedMint',
    'stakedReserve',
    'termMarket',
    'termObligation',
    'termReserve',
    'termWallet',
    'tokenMint',
    'vault',
    'vaultAdmin',
    'wallet',
  ]);
});

describe('invented data', () => {
  const get = (path: string, init: RequestInit = {}) =>
    app.fetch(new Request(`http://sluice.test${path}`, init));
  const post = (body: object, headers: Readonly<Record<string, string>> = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

  it('is named in a header of every answer, which pages of other origins may read', async () => {
    const answers = [
      await get('/kvaults/vaults'),
      await get('/kvaults/vaults', { method: 'HEAD' }),
      await get('/nowhere'),
      await get('/ready'),
      await get('/graphql', post({ query: '{ chain { slot } }' })),
      await get('/graphql', post({ query: '{ nonsense }' })),
      await get('/ktx/klend/deposit', post({})),
      await get('/mcp', post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })),
    ];
    expect(answers.map(({ headers }) => headers.get('x-localnet'))).toEqual(answers.map(() => 'true'));
    expect(answers[0]?.headers.get('access-control-expose-headers')).toContain('X-Localnet');
  });

  it('is named in answers from the cache', async () => {
    const site = await serveOnSocket(app);
    try {
      await site.get('/kvaults/summary');
      const { cached, headers } = await site.get('/kvaults/summary');
      expect([cached, headers['x-localnet']]).toEqual([true, 'true']);
    } finally {
      await site.close();
    }
  });

  it('is named in `extensions.chain`, by /ready and to assistants', async () => {
    const graph = await get('/graphql', post({ query: '{ chain { slot } }' }));
    expect(await graph.json()).toMatchObject({ extensions: { chain: { localnet: true } } });
    expect(await (await get('/ready')).json()).toMatchObject({ localnet: true });
    const session = await connectMcp(app);
    const answer = await session.result('graphql', { query: '{ chain { slot } }' });
    expect(answer.structuredContent).toMatchObject({ chain: { localnet: true } });
    expect(JSON.stringify(answer.content)).toContain('all data is invented');
    await session.close();
  });

  it('is not what other clusters have', async () => {
    const other = await createApp(
      loadConfig({
        SOLANA_RPC_URLS: access.rpcUrl,
        SOLANA_CLUSTER: 'mainnet-beta',
        VIEW_REFRESH_MS: '600000',
      }),
    );
    try {
      if (other.chain.views.newest === undefined)
        await new Promise((resolve) => other.chain.views.onView(resolve));
      const query = post({ query: '{ chain { slot } }' });
      const graph = await other.fetch(new Request('http://sluice.test/graphql', query));
      expect(graph.headers.get('x-localnet')).toBeNull();
      expect(await graph.json()).toMatchObject({ extensions: { chain: { localnet: false } } });
      const ready = await other.fetch(new Request('http://sluice.test/ready'));
      expect(await ready.json()).toMatchObject({ localnet: false });
    } finally {
      await other.stop();
    }
  });
});

it('has the same page under its former path', async () => {
  const response = await app.fetch(new Request('http://sluice.test/demo.json'));
  expect(await response.json()).toEqual({ ...addresses, ...access });
});

it('gives the key of the wallet, as in a Solana key file, and says that it is worthless', async () => {
  expect(access.secretKey).toHaveLength(64);
  const signer = await createKeyPairSignerFromBytes(Uint8Array.from(access.secretKey));
  expect(signer.address).toBe(addresses.wallet);
  expect(access.note).toContain('worthless');
});

it('names the RPC of its chain', async () => {
  const response = await fetch(access.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [addresses.wallet] }),
  });
  const { result } = (await response.json()) as { result: { value: number } };
  expect(result.value).toBeGreaterThan(0);
  expect(access.wsUrl).toBe(access.rpcUrl.replace('http', 'ws'));
});

it('keeps the key out of the pages that list example addresses', async () => {
  const key = access.secretKey.join(',');
  for (const path of ['/docs', '/openapi.json', '/graphql']) {
    const page = await app.fetch(
      new Request(`http://sluice.test${path}`, { headers: { accept: 'text/html, application/json' } }),
    );
    expect(await page.text()).not.toContain(key);
  }
});

it('has the documented vault', async () => {
  const { data, errors } = await ask<{
    vault: {
      token: { mint: string };
      sharesToken: { mint: string };
      farm: { address: string; stakedToken: { mint: string } };
      allocations: { reserve: { address: string } }[];
      totalValue: { usd: string };
    };
  }>(`{ vault(address: "${addresses.vault}") { token { mint } sharesToken { mint }
    farm { address stakedToken { mint } } allocations { reserve { address } } totalValue { usd } } }`);
  expect(errors).toBeUndefined();
  expect(data.vault.token.mint).toBe(addresses.tokenMint);
  expect(data.vault.sharesToken.mint).toBe(addresses.sharesMint);
  expect(data.vault.farm.stakedToken.mint).toBe(addresses.sharesMint);
  expect(data.vault.allocations.length).toBeGreaterThan(1);
  expect(Number(data.vault.totalValue.usd)).toBeGreaterThan(0);
});

it('has the documented market and the obligation of its wallet', async () => {
  const { data, errors } = await ask<{
    market: { reserves: { address: string }[] };
    obligation: {
      owner: { address: string };
      marketAddress: string;
      tag: string;
      deposits: { reserveAddress: string }[];
      borrows: { reserveAddress: string; amount: { amount: string } }[];
      healthFactor: string;
    };
  }>(`{ market(address: "${addresses.market}") { reserves { address } }
    obligation(address: "${addresses.obligation}") { owner { address } marketAddress tag healthFactor
      deposits { reserveAddress } borrows { reserveAddress amount { amount } } } }`);
  expect(errors).toBeUndefined();
  const inMarket = data.market.reserves.map(({ address }) => address);
  expect(inMarket).toEqual(
    expect.arrayContaining([addresses.reserve, addresses.depositReserve, addresses.borrowReserve]),
  );
  expect(data.obligation).toMatchObject({
    owner: { address: addresses.wallet },
    marketAddress: addresses.market,
    tag: 'VANILLA',
  });
  expect(data.obligation.deposits.map((each) => each.reserveAddress)).toContain(addresses.depositReserve);
  const owed = data.obligation.borrows.find((each) => each.reserveAddress === addresses.borrowReserve);
  expect(Number(owed?.amount.amount)).toBeGreaterThan(0);
  expect(Number(data.obligation.healthFactor)).toBeGreaterThan(1);
});

it('has no account at an unused address', async () => {
  const { data } = await ask<Record<string, unknown>>(
    `{ vault(address: "${addresses.emptyWallet}") { name } token(mint: "${addresses.emptyWallet}") { symbol } }`,
  );
  expect(data).toEqual({ vault: null, token: null });
});

it('stands in for mainnet: REST accepts its name and localnet, and no other cluster', async () => {
  const statusOf = async (env: string) => {
    const url = `http://sluice.test/svc-market/${addresses.market}/users/${addresses.wallet}/obligations?env=${env}`;
    const response = await app.fetch(new Request(url));
    return [response.status, response.headers.get('x-error-code')];
  };
  expect(await statusOf('localnet')).toEqual([200, null]);
  expect(await statusOf('mainnet-beta')).toEqual([200, null]);
  expect(await statusOf('devnet')).toEqual([400, 'CLUSTER_NOT_SERVED']);
});
