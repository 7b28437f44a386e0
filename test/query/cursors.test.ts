import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import type { View } from '../../src/chain/view/view.ts';
import { testApp } from '../support/apps/chain-app.ts';
import { failures, type TestApp } from '../support/apps/test-app.ts';

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly address: string } }[];
  readonly pageInfo: {
    readonly endCursor: string;
    readonly startCursor: string;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
  readonly totalCount: number;
}

const PAGE =
  'edges { cursor node { address } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } totalCount';
const FORWARD = `query ($after: String) { reserves(first: 7, after: $after) { ${PAGE} } }`;
const BACKWARD = `query ($before: String) { reserves(last: 7, before: $before) { ${PAGE} } }`;

const localChain = new TestChain();
let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ chain: localChain, env: { VIEWS_KEPT: '30', VAULT_REFRESH_MS: '3600000' } });
});
afterAll(() => gateway?.stop());

async function pageOf(document: string, variables: Record<string, unknown>): Promise<Page> {
  const { errors, data } = await gateway.query<{ reserves: Page }>(document, { variables });
  expect(errors).toEqual([]);
  return data.reserves;
}

const addresses = (page: Page) => page.edges.map(({ node }) => node.address);

/** The list at its whole length, of the View that it names. */
async function whole(view = ''): Promise<string[]> {
  const options = { headers: { 'x-view': view } };
  const document = '{ reserves(first: 100) { nodes { address } } }';
  const { data } = await gateway.query<{ reserves: { nodes: { address: string }[] } }>(document, options);
  return data.reserves.nodes.map(({ address }) => address);
}

describe('paging across Views', () => {
  it('returns every reserve once, in the order of the first page', async () => {
    const start = await gateway.query<{ reserves: Page }>(FORWARD, { variables: { after: null } });
    const expected = await whole(start.extensions.chain?.view);
    const views = new Set([start.extensions.chain?.view]);
    let page = start.data.reserves;
    const seen = addresses(page);
    while (page.pageInfo.hasNextPage) {
      localChain.advance(20);
      views.add((await gateway.view()).moment.id);
      page = await pageOf(FORWARD, { after: page.pageInfo.endCursor });
      seen.push(...addresses(page));
      expect(page.pageInfo.hasPreviousPage).toBe(true);
      expect(page.totalCount).toBe(expected.length);
    }
    expect(views.size).toBeGreaterThan(5);
    expect(seen).toEqual(expected);
  });

  it('returns the same items backwards', async () => {
    const start = await gateway.query<{ reserves: Page }>(BACKWARD, { variables: { before: null } });
    const expected = await whole(start.extensions.chain?.view);
    let page = start.data.reserves;
    const seen = [addresses(page)];
    while (page.pageInfo.hasPreviousPage) {
      page = await pageOf(BACKWARD, { before: page.pageInfo.startCursor });
      seen.unshift(addresses(page));
    }
    expect(seen.flat()).toEqual(expected);
  });

  it('returns numbers of the first View on later pages', async () => {
    const first = await pageOf(FORWARD, { after: null });
    localChain.advance(40);
    const { slot } = localChain;
    await gateway.view((view) => view.moment.slot >= slot);
    const amounts = 'supplied { baseUnits usd } lastUpdateSlot';
    const { data } = await gateway.query<{
      reserves: { nodes: { address: string; market: { reserves: { address: string }[] } }[] };
    }>(
      `query ($after: String) { reserves(first: 20, after: $after) {
        nodes { address ${amounts} market { reserves { address ${amounts} } } } } }`,
      { variables: { after: first.pageInfo.endCursor } },
    );
    expect(data.reserves.nodes).toHaveLength(20);
    for (const { market, ...reserve } of data.reserves.nodes) expect(market.reserves).toContainEqual(reserve);
  });
});

describe('paging over two gateways that retain no View of the page before', () => {
  const ORDERED = 'orderBy: { field: TOTAL_VALUE, direction: DESC }';
  const next = `query ($after: String) { vaults(${ORDERED}, first: 6, after: $after) { ${PAGE} } }`;
  const previous = `query ($before: String) { vaults(${ORDERED}, last: 6, before: $before) { ${PAGE} } }`;
  const VIEWS_KEPT = 2;
  let gateways: readonly TestApp[];

  beforeAll(async () => {
    const env = { VIEWS_KEPT: String(VIEWS_KEPT) };
    gateways = await Promise.all([1, 2].map(() => testApp({ chain: localChain, env })));
  });
  afterAll(async () => {
    localChain.restore();
    await Promise.all(gateways.map((each) => each.stop()));
  });

  /** Gives every vault another value, and waits until both gateways have read them and dropped all earlier Views. */
  async function reorder(vaults: readonly Address[], step: number): Promise<void> {
    const amounts = vaults.map((_, i) => 10n ** 12n * BigInt(1 + ((i * 7 + step * 5) % vaults.length) ** 3));
    for (const [i, address] of vaults.entries()) {
      const account = withFields(vaultState, accountIn(localChain, address), {
        tokenAvailable: amounts[i] ?? 0n,
      });
      localChain.place(address, account);
    }
    localChain.advance(1);
    const isRead = (view: View) =>
      vaults.every((address, i) => view.get('vault', address)?.value.tokenAvailable === amounts[i]);
    await Promise.all(
      gateways.map(async (each) => {
        const { number } = each.app.chain.views.current().moment;
        await each.view((view) => view.moment.number > number + VIEWS_KEPT && isRead(view));
      }),
    );
  }

  it.each([
    ['forwards', next, 'after'],
    ['backwards', previous, 'before'],
  ] as const)('returns every vault once in an order that moves, %s', async (_, document, name) => {
    const vaults = [...(gateways[0]?.app.chain.views.current().all('vault').keys() ?? [])];
    const orders = new Set<string>();
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let step = 0; ; step += 1) {
      await reorder(vaults, step);
      const at = gateways[step % 2] ?? expect.fail();
      const whole = await at.query<{ vaults: Page }>(`{ vaults(${ORDERED}, first: 100) { ${PAGE} } }`);
      orders.add(addresses(whole.data.vaults).join());
      const variables: Record<string, unknown> = { [name]: cursor };
      const { errors, data } = await at.query<{ vaults: Page }>(document, { variables });
      expect(errors).toEqual([]);
      seen.push(...addresses(data.vaults));
      const { pageInfo } = data.vaults;
      cursor = name === 'after' ? pageInfo.endCursor : pageInfo.startCursor;
      if (name === 'after' ? !pageInfo.hasNextPage : !pageInfo.hasPreviousPage) break;
    }
    expect(orders.size).toBeGreaterThan(3);
    expect(seen).toHaveLength(vaults.length);
    expect(new Set(seen)).toEqual(new Set(vaults));
  });
});

describe('a cursor', () => {
  it('of another list is rejected', async () => {
    const { pageInfo } = await pageOf(FORWARD, { after: null });
    const answer = await gateway.query(
      `query ($after: String) { vaults(first: 3, after: $after) { totalCount }
        token(mint: "${localChain.addresses.tokenMint}") { reserves(first: 1, after: $after) { totalCount } } chain { cluster } }`,
      { variables: { after: pageInfo.endCursor } },
    );
    expect(new Set(answer.errors.map(({ extensions }) => extensions?.code))).toEqual(
      new Set(['CURSOR_INVALID']),
    );
  });

  it.each(['', 'nonsense', 'MS4x', '%%%'])('that is malformed is rejected: "%s"', async (after) => {
    expect(failures(await gateway.query(FORWARD, { variables: { after } }))).toEqual([
      'reserves: CURSOR_INVALID',
    ]);
  });

  it('can be combined with a cursor of another View', async () => {
    const first = await pageOf(FORWARD, { after: null });
    await gateway.view();
    const second = await pageOf(FORWARD, { after: null });
    const { errors, data } = await gateway.query<{ reserves: Page }>(
      `query ($after: String, $before: String) { reserves(after: $after, before: $before) { ${PAGE} } }`,
      { variables: { after: first.pageInfo.startCursor, before: second.pageInfo.endCursor } },
    );
    expect(errors).toEqual([]);
    expect(addresses(data.reserves)).toEqual(addresses(first).slice(1, -1));
  });

  it.each([-1, 101])('is not returned for a page of %i', async (first) => {
    const document = 'query ($first: Int) { reserves(first: $first) { totalCount } }';
    expect(failures(await gateway.query(document, { variables: { first } }))).toEqual([
      'reserves: NUMBER_OUT_OF_RANGE',
    ]);
  });
});
