import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

interface Page {
  readonly result: readonly ({ readonly kvault: string } & Readonly<Record<string, unknown>>)[];
  readonly paginationToken?: string;
}

interface Shown {
  readonly view: string;
  readonly page: Page;
}

const PATH = '/kvaults/vaults/metrics';
const LIMIT = '9';
const localChain = new TestChain();
let gateway: TestApp;
/** Another gateway, which does not share its Views. */
let stranger: TestApp;

beforeAll(async () => {
  const env = { VIEWS_KEPT: '30', VAULT_REFRESH_MS: '3600000' };
  [gateway, stranger] = await Promise.all([
    testApp({ chain: localChain, env }),
    testApp({ chain: localChain, env }),
  ]);
});
afterAll(async () => {
  await gateway?.stop();
  await stranger?.stop();
});

async function read(
  at: TestApp,
  query: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Shown> {
  const response = await at.get(`${PATH}?${new URLSearchParams(query)}`, headers);
  expect(response.status).toBe(200);
  return { view: response.headers.get('x-view') ?? '', page: (await response.json()) as Page };
}

const nextOf = ({ page: { paginationToken = '' } }: Shown) => ({ limit: LIMIT, paginationToken });

async function advance(): Promise<string> {
  localChain.advance(20);
  const { slot } = localChain;
  return (await gateway.view((view) => view.moment.slot >= slot)).moment.id;
}

/** All pages from the first on. `before` runs before each later page and returns the gateway to ask. */
async function walk(before: () => Promise<TestApp>): Promise<Shown[]> {
  const shown = [await read(gateway, { limit: LIMIT })];
  for (let last = shown[0]; last?.page.paginationToken !== undefined; last = shown.at(-1)) {
    shown.push(await read(await before(), nextOf(last)));
  }
  return shown;
}

const vaultsOf = (pages: readonly Shown[]) =>
  pages.flatMap(({ page }) => page.result.map(({ kvault }) => kvault));

describe('pages of vault metrics', () => {
  it('come from the View of the first page, although newer ones have arrived', async () => {
    const newest = new Set<string>();
    const pages = await walk(async () => {
      newest.add(await advance());
      return gateway;
    });
    const [first = expect.fail()] = pages;
    expect(newest.has(first.view)).toBe(false);
    expect(newest.size).toBeGreaterThan(1);
    expect(new Set(pages.map(({ view }) => view))).toEqual(new Set([first.view]));
    const whole = await read(gateway, {}, { 'x-view': first.view });
    expect(pages.flatMap(({ page }) => page.result)).toEqual(whole.page.result);
    expect(vaultsOf([whole]).sort()).toEqual(
      localChain.worldChain.world.vaults.map(({ address }) => address).sort(),
    );
    for (const { kvault, ...metrics } of whole.page.result) {
      const single = await gateway.get(`/kvaults/vaults/${kvault}/metrics`, { 'x-view': first.view });
      expect(metrics).toEqual(await single.json());
    }
  });

  it('go on at a gateway that does not have that View, without a vault repeated or missed', async () => {
    const gateways = [gateway, stranger];
    let turn = 0;
    const pages = await walk(async () => {
      await advance();
      turn += 1;
      return gateways[turn % 2] ?? gateway;
    });
    expect(new Set(pages.map(({ view }) => view)).size).toBeGreaterThan(1);
    const seen = vaultsOf(pages);
    expect(seen.toSorted()).toEqual(localChain.worldChain.world.vaults.map(({ address }) => address).sort());
  });

  it('are read from another View if the request asks for it', async () => {
    const first = await read(gateway, { limit: LIMIT });
    const newest = await advance();
    expect((await read(gateway, nextOf(first), { 'x-view': newest })).view).toBe(newest);
    const minSlot = { 'x-min-slot': String(localChain.slot) };
    expect((await read(gateway, nextOf(first), minSlot)).view).not.toBe(first.view);
  });
});

describe('a token', () => {
  it.each(['orderBy: { field: NAME, direction: ASC }', 'filter: { hasFarm: true }'])(
    'of another query is rejected: %s',
    async (other) => {
      const { data } = await gateway.query<{ vaults: { pageInfo: { endCursor: string } } }>(
        `{ vaults(first: 2, ${other}) { pageInfo { endCursor } } }`,
      );
      const response = await gateway.get(`${PATH}?paginationToken=${data.vaults.pageInfo.endCursor}`);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([400, 'BAD_REQUEST']);
      const { error, details } = (await response.json()) as { error: string; details: unknown };
      expect(error).toContain('is not a token of this query');
      expect(details).toEqual([{ code: 'custom', path: ['paginationToken'], message: expect.any(String) }]);
    },
  );

  it('that was modified is rejected', async () => {
    const { page } = await read(gateway, { limit: LIMIT });
    const token = page.paginationToken ?? '';
    const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    expect((await gateway.get(`${PATH}?paginationToken=${other}`)).status).toBe(400);
  });
});
