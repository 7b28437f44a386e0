import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { CLOCK_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { account, testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { EXPECTED_BYTES, type Kind } from '../../src/chain/view/kinds.ts';
import { STILL, startTestApp, type TestApp } from '../support/apps/test-app.ts';
import { type ProxiedCall, type RpcProxy, startRpcProxy } from '../support/rpc/counting-proxy.ts';
import { withoutPauses } from '../support/timing/without-pauses.ts';

const PAGE_BYTES = 2_000_000;
const MOST_PER_PAGE = 98;
/** Pages that the markets, reserves and vaults of the world fill. */
const FIRST_PAGES = 2;
const OBLIGATION = 'query ($address: Address!) { obligation(address: $address) { address marketAddress } }';

let localChain: TestChain;
let rpc: LocalnetRpc;
let proxy: RpcProxy;
let gateway: TestApp;
/** Calls for the first View. */
let firstCalls: readonly ProxiedCall[];

beforeAll(async () => {
  localChain = new TestChain();
  for (let i = 0; i < 30; i += 1) {
    const mint = { mintAuthority: null, supply: 7n, decimals: i % 10, freezeAuthority: null, extensions: [] };
    localChain.place(testAddress(1_000 + i), account(encodeMint(mint), TOKEN_PROGRAM));
  }
  rpc = await serveChain(localChain);
  proxy = await startRpcProxy(rpc.url);
  // The links of a kind are followed once all of its accounts are there. Kinds share pages, so the order in which pages
  // arrive decides how many more it takes. With the fullest page last, all kinds are complete at once.
  const letGo = proxy.hold(({ method }) => method === 'getMultipleAccounts');
  gateway = await startTestApp({ rpcUrls: [proxy.url], env: { ...STILL, PROGRAMS_INTERVAL_MS: '0' } });
  const firstView = gateway.view();
  await until(() => proxy.held() === FIRST_PAGES);
  letGo();
  await firstView;
  firstCalls = proxy.calls;
});

afterAll(async () => {
  await gateway?.stop();
  await proxy?.stop();
  await rpc?.close();
});

beforeEach(() => proxy.reset());

const accountsOf = ({ addresses }: ProxiedCall) => addresses.filter((each) => each !== CLOCK_SYSVAR);

function obligationAddresses(): Address[] {
  return [...localChain.programAccounts(MAINNET_PROGRAMS.klend)]
    .filter(([, { data }]) => obligation.discriminator.every((byte, i) => data[i] === byte))
    .map(([address]) => address);
}

describe('the first View', () => {
  const pages = () => firstCalls.filter(({ method }) => method === 'getMultipleAccounts').map(accountsOf);

  it('costs one discovery per kind, one read of the slot duration, and pages', () => {
    const others = firstCalls.filter(({ method }) => method !== 'getMultipleAccounts');
    expect(others.map(({ method }) => method).sort()).toEqual([
      'getProgramAccounts',
      'getProgramAccounts',
      'getProgramAccounts',
      'getRecentPerformanceSamples',
    ]);
  });

  it('reads every account once', () => {
    const asked = pages().flat();
    expect(asked.length).toBeGreaterThan(200);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('needs no more pages than its accounts fill, level by level', () => {
    const view = gateway.app.chain.views.current();
    const kinds: readonly Kind[] = ['market', 'reserve', 'vault'];
    const discovered = new Set<string>(kinds.flatMap((kind) => [...view.all(kind).keys()]));
    const bytes = kinds.reduce((sum, kind) => sum + view.all(kind).size * EXPECTED_BYTES[kind], 0);
    const least = (count: number, size: number) =>
      Math.max(Math.ceil(count / MOST_PER_PAGE), Math.ceil(size / PAGE_BYTES));
    // Addresses known beforehand go with the discovered ones.
    const isFirstLevel = (page: readonly string[]) => page.some((address) => discovered.has(address));
    const [first, deeper] = [pages().filter(isFirstLevel), pages().filter((page) => !isFirstLevel(page))];
    expect(least(discovered.size, bytes)).toBe(FIRST_PAGES);
    expect(first).toHaveLength(FIRST_PAGES);
    // The accounts that reserves and vaults point to fill all pages but the last; the next level is a handful.
    expect(deeper.filter((page) => page.length < MOST_PER_PAGE).length).toBeLessThanOrEqual(2);
    for (const page of pages()) expect(page.length).toBeLessThanOrEqual(MOST_PER_PAGE);
  });
});

withoutPauses();

describe('a query', () => {
  it('about the catalogue costs no read, at any depth', async () => {
    const { errors, data, extensions } = await gateway.query<{ vaults: { nodes: object[] } }>(`{
      vaults(first: 100) { nodes { name farm { rewards { token { symbol } } } lookupTable { addresses }
        totalValue { amount usd sol } currentApy { total } sharesToken { symbol }
        allocations { reserve { supplyApy { total } token { symbol price { usd } }
          market { name reserves { address token { symbol vaults(first: 3) { nodes { name } } } } } } } } }
      markets { nodes { elevationGroups { maxLtv debtReserve { address } } } }
    }`);
    expect(errors).toEqual([]);
    expect(data.vaults.nodes.length).toBeGreaterThan(20);
    expect(proxy.calls).toEqual([]);
    expect(extensions.chain).toMatchObject({ rpcRequests: 0, accountsRead: 0 });
  });

  it('about obligations and unknown tokens costs one page per level, whatever the number of aliases', async () => {
    const obligations = obligationAddresses().slice(0, 40);
    const fields = [
      ...obligations.map(
        (address, i) =>
          `o${i}: obligation(address: "${address}") { deposits { reserve { token { symbol } market { name } } } }`,
      ),
      ...Array.from({ length: 30 }, (_, i) => `t${i}: token(mint: "${testAddress(1_000 + i)}") { decimals }`),
    ];
    const answer = await gateway.query<Record<string, { decimals?: number }>>(`{ ${fields.join('\n')} }`);
    expect(answer.errors).toEqual([]);
    expect(answer.data.t7?.decimals).toBe(7);
    expect(proxy.calls.map(({ method }) => method)).toEqual(['getMultipleAccounts']);
    expect(proxy.calls.flatMap(accountsOf)).toHaveLength(70);
    expect(answer.extensions.chain).toMatchObject({ rpcRequests: 1, accountsRead: 70 });
  });

  it('that follows links outside the catalogue costs one page per link', async () => {
    const { klend } = MAINNET_PROGRAMS;
    const paths = [0, 1, 2].map((i) => {
      const [debtor, lent, market] = [testAddress(2_000 + i), testAddress(2_100 + i), testAddress(2_200 + i)];
      const deposits = [{ depositReserve: lent, depositedAmount: 5n }];
      const liquidity = { mintPubkey: testAddress(1_000 + i), mintDecimals: 6n };
      localChain.place(debtor, account(obligation.encode({ lendingMarket: market, deposits }), klend));
      localChain.place(lent, account(reserve.encode({ lendingMarket: market, liquidity }), klend));
      localChain.place(market, account(lendingMarket.encode({}), klend));
      return `o${i}: obligation(address: "${debtor}") { deposits { reserve { token { decimals } market { address } } } }`;
    });
    const { errors, data } = await gateway.query<Record<string, unknown>>(`{ ${paths.join(' ')} }`);
    expect(errors).toEqual([]);
    const [token, market] = [{ decimals: 1 }, { address: testAddress(2_201) }];
    expect(data.o1).toEqual({ deposits: [{ reserve: { token, market } }] });
    expect(proxy.calls.map(accountsOf).map((page) => page.length)).toEqual([3, 3, 6]);
  });

  it('that uses one account in many places reads it once', async () => {
    const address = localChain.addresses.obligation;
    const aliases = Array.from(
      { length: 12 },
      (_, i) => `a${i}: obligation(address: "${address}") { address }`,
    );
    const { errors } = await gateway.query(`{ ${aliases.join(' ')} }`);
    expect(errors).toEqual([]);
    expect(proxy.calls.flatMap(accountsOf)).toEqual([address]);
  });
});

describe('concurrent queries', () => {
  it('share their pages', async () => {
    const obligations = obligationAddresses();
    const asked = Array.from({ length: 20 }, (_, i) => obligations[i % obligations.length]);
    const answers = await Promise.all(
      asked.map((address) =>
        gateway.query<{ obligation: { address: string } }>(OBLIGATION, { variables: { address } }),
      ),
    );
    expect(answers.map(({ data }) => data.obligation.address)).toEqual(asked);
    expect(proxy.count('getMultipleAccounts')).toBeLessThanOrEqual(3);
    expect(new Set(proxy.calls.flatMap(accountsOf)).size).toBe(proxy.calls.flatMap(accountsOf).length);
  });

  it('share the read of an account that is in flight', async () => {
    const letGo = proxy.hold(({ method }) => method === 'getMultipleAccounts');
    const options = { variables: { address: localChain.addresses.obligation } };
    const first = gateway.query(OBLIGATION, options);
    await until(() => proxy.held() === 1);
    const later = Array.from({ length: 10 }, () => gateway.query(OBLIGATION, options));
    // Another account leaves after all of these: when its page is there, theirs would be too.
    const other = gateway.query(OBLIGATION, { variables: { address: localChain.addresses.emptyWallet } });
    await until(() => proxy.held() === 2);
    letGo();
    for (const answer of await Promise.all([first, ...later])) expect(answer.errors).toEqual([]);
    await other;
    const { obligation, emptyWallet } = localChain.addresses;
    expect(proxy.calls.map(accountsOf)).toEqual([[obligation], [emptyWallet]]);
  });
});
