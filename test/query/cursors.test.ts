import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { failures, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { serveLedger, TestLedger } from '../support/ledger/test-ledger.ts';

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

let ledger: TestLedger;
let rpc: DemoRpcServer;
let gateway: TestApp;

beforeAll(async () => {
  ledger = new TestLedger();
  rpc = await serveLedger(ledger);
  gateway = await startReadyApp({
    rpcUrls: [rpc.url],
    env: { VIEWS_KEPT: '30', VAULT_REFRESH_MS: '3600000' },
  });
});

afterAll(async () => {
  await gateway?.stop();
  await rpc?.close();
});

async function pageOf(document: string, variables: Record<string, unknown>): Promise<Page> {
  const { errors, data } = await gateway.query<{ reserves: Page }>(document, { variables });
  expect(errors).toEqual([]);
  return data.reserves;
}

const addresses = (page: Page) => page.edges.map(({ node }) => node.address);

/** The list at its whole length, of the View that it names. */
async function whole(view: number): Promise<string[]> {
  const options = { headers: { 'x-view': String(view) } };
  const document = '{ reserves(first: 100) { nodes { address } } }';
  const { data } = await gateway.query<{ reserves: { nodes: { address: string }[] } }>(document, options);
  return data.reserves.nodes.map(({ address }) => address);
}

describe('paging across Views', () => {
  it('returns every reserve once, in the order of the first page', async () => {
    const start = await gateway.query<{ reserves: Page }>(FORWARD, { variables: { after: null } });
    const expected = await whole(start.extensions.chain?.view ?? 0);
    const views = new Set([start.extensions.chain?.view]);
    let page = start.data.reserves;
    const seen = addresses(page);
    while (page.pageInfo.hasNextPage) {
      ledger.advance(20);
      views.add((await gateway.view()).moment.number);
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
    const expected = await whole(start.extensions.chain?.view ?? 0);
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
    ledger.advance(40);
    const { slot } = ledger;
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

describe('a cursor', () => {
  it('of another list is rejected', async () => {
    const { pageInfo } = await pageOf(FORWARD, { after: null });
    const answer = await gateway.query(
      `query ($after: String) { vaults(first: 3, after: $after) { totalCount }
        token(mint: "${ledger.addresses.tokenMint}") { reserves(first: 1, after: $after) { totalCount } } chain { cluster } }`,
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

  it('of another View than the second cursor is rejected', async () => {
    const first = await pageOf(FORWARD, { after: null });
    await gateway.view();
    const second = await pageOf(FORWARD, { after: null });
    const answer = await gateway.query(
      `query ($after: String, $before: String) { reserves(after: $after, before: $before) { totalCount } }`,
      { variables: { after: first.pageInfo.startCursor, before: second.pageInfo.endCursor } },
    );
    expect(failures(answer)).toEqual(['reserves: CURSOR_INVALID']);
  });

  it('of an expired View fails with VIEW_GONE', async () => {
    const short = await startReadyApp({ rpcUrls: [rpc.url], env: { VIEWS_KEPT: '2' } });
    try {
      const { data } = await short.query<{ reserves: Page }>(FORWARD);
      const number = short.app.chain.views.current().moment.number;
      await short.view((view) => view.moment.number > number + 2);
      const answer = await short.query(FORWARD, { variables: { after: data.reserves.pageInfo.endCursor } });
      expect(failures(answer)).toEqual(['reserves: VIEW_GONE']);
    } finally {
      await short.stop();
    }
  });

  it.each([-1, 101])('is not returned for a page of %i', async (first) => {
    const document = 'query ($first: Int) { reserves(first: $first) { totalCount } }';
    expect(failures(await gateway.query(document, { variables: { first } }))).toEqual([
      'reserves: NUMBER_OUT_OF_RANGE',
    ]);
  });
});
