import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { startEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

let app: App;

beforeAll(async () => {
  ({ app } = await startEmbeddedApp());
});
afterAll(() => app?.stop());

interface VaultRow {
  readonly address: string;
  readonly name: string;
  readonly isCurated: boolean | null;
  readonly createdAt: string;
  readonly token: { readonly mint: string; readonly symbol: string };
  readonly totalValue: { readonly usd: string | null } | null;
  readonly currentApy: { readonly total: string } | null;
  readonly farm: { readonly address: string } | null;
  readonly state: { readonly vaultAdminAuthority: string };
  readonly allocations: readonly {
    readonly reserveAddress: string;
    readonly reserve: { readonly marketAddress: string } | null;
  }[];
}

const VAULT = `address name isCurated createdAt token { mint symbol } totalValue { usd } currentApy { total } farm { address }
  state { vaultAdminAuthority } allocations { reserveAddress reserve { marketAddress } }`;

async function vaults(args: string, variables: Record<string, unknown> = {}): Promise<VaultRow[]> {
  const declared = Object.keys(variables).map(
    (name) => `$${name}: ${name.startsWith('decimal') ? 'Decimal' : 'Address'}!`,
  );
  const head = declared.length === 0 ? 'query' : `query (${declared.join(', ')})`;
  const answer = await askApp<{ vaults: { nodes: VaultRow[] } }>(
    app,
    `${head} { vaults(first: 100${args}) { nodes { ${VAULT} } } }`,
    { variables },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.vaults.nodes;
}

const names = (rows: readonly VaultRow[]) => rows.map(({ address }) => address).sort();

describe('vaults', () => {
  it.each([
    [
      'market',
      (row: VaultRow, value: string) =>
        row.allocations.some(({ reserve }) => reserve?.marketAddress === value),
      (row: VaultRow) => row.allocations[0]?.reserve?.marketAddress,
    ],
    [
      'reserve',
      (row: VaultRow, value: string) =>
        row.allocations.some(({ reserveAddress }) => reserveAddress === value),
      (row: VaultRow) => row.allocations[0]?.reserveAddress,
    ],
    [
      'admin',
      (row: VaultRow, value: string) => row.state.vaultAdminAuthority === value,
      (row: VaultRow) => row.state.vaultAdminAuthority,
    ],
  ] as const)('are filtered by %s', async (field, passes, sampleOf) => {
    const all = await vaults('');
    const value = all.map(sampleOf).find((each) => each !== undefined) ?? '';
    const expected = all.filter((row) => passes(row, value));
    const found = await vaults(`, filter: { ${field}: $value }`, { value });
    expect(names(found)).toEqual(names(expected));
    expect(found.length).toBeGreaterThan(0);
  });

  it('are filtered by token, name, farm, curation, value and yield, and by all at once', async () => {
    const all = await vaults('');
    const usd = (row: VaultRow) => parseDecimal(row.totalValue?.usd ?? '-1');
    const apy = (row: VaultRow) => parseDecimal(row.currentApy?.total ?? '-1000');
    const cases: [string, (row: VaultRow) => boolean][] = [
      ['tokenSymbol: "usdc"', (row) => row.token.symbol === 'USDC'],
      ['nameContains: "sol"', (row) => row.name.toLowerCase().includes('sol')],
      ['hasFarm: true', (row) => row.farm !== null],
      ['hasFarm: false', (row) => row.farm === null],
      ['curated: true', (row) => row.isCurated === true],
      ['curated: false', (row) => row.isCurated === false],
      ['minTotalValueUsd: "1000000"', (row) => usd(row).compare(parseDecimal('1000000')) >= 0],
      ['minCurrentApy: "0.03"', (row) => apy(row).compare(parseDecimal('0.03')) >= 0],
    ];
    for (const [filter, passes] of cases) {
      expect(names(await vaults(`, filter: { ${filter} }`)), filter).toEqual(names(all.filter(passes)));
    }
    const both = await vaults(', filter: { tokenSymbol: "USDC", hasFarm: true, minTotalValueUsd: "1" }');
    expect(names(both)).toEqual(
      names(
        all.filter(
          (row) =>
            row.token.symbol === 'USDC' && row.farm !== null && usd(row).compare(parseDecimal('1')) >= 0,
        ),
      ),
    );
  });

  it('are ordered in both directions, with unknown values last', async () => {
    const byValue = await vaults(', orderBy: { field: TOTAL_VALUE, direction: ASC }');
    const known = byValue.map((row) => row.totalValue?.usd ?? null);
    expect(
      known.indexOf(null) === -1 || known.slice(known.indexOf(null)).every((each) => each === null),
    ).toBe(true);
    const values = known.filter((each) => each !== null).map((each) => parseDecimal(each));
    for (let i = 1; i < values.length; i += 1)
      expect(values[i - 1]?.compare(values[i] ?? parseDecimal('0'))).toBeLessThanOrEqual(0);
    const byName = (await vaults(', orderBy: { field: NAME, direction: DESC }')).map(({ name }) =>
      name.toLowerCase(),
    );
    expect(byName).toEqual([...byName].sort().reverse());
    const created = (await vaults(', orderBy: { field: CREATED, direction: ASC }')).map(
      ({ createdAt }) => createdAt,
    );
    expect(created).toEqual([...created].sort());
  });
});

describe('other lists', () => {
  it('reserves are filtered and ordered', async () => {
    const query = `{ reserves(first: 100, filter: { tokenSymbol: "USDC", statuses: [ACTIVE] }, orderBy: { field: BORROW_APY, direction: ASC }) {
      totalCount nodes { status token { symbol } borrowApy { total } } } }`;
    const { data } = await askApp<{
      reserves: {
        totalCount: number;
        nodes: { status: string; token: { symbol: string }; borrowApy: { total: string } }[];
      };
    }>(app, query);
    expect(data.reserves.nodes.length).toBe(data.reserves.totalCount);
    expect(data.reserves.nodes.length).toBeGreaterThan(2);
    expect(new Set(data.reserves.nodes.map(({ token, status }) => `${token.symbol} ${status}`))).toEqual(
      new Set(['USDC ACTIVE']),
    );
    const rates = data.reserves.nodes.map(({ borrowApy }) => parseDecimal(borrowApy.total));
    for (let i = 1; i < rates.length; i += 1)
      expect(rates[i - 1]?.compare(rates[i] ?? parseDecimal('0'))).toBeLessThanOrEqual(0);
  });

  it('markets have the data of the catalogue, and a market that it does not list has its name from the account', async () => {
    interface Row {
      readonly name: string;
      readonly description: string;
      readonly isPrimary: boolean;
      readonly lookupTable: { readonly addresses: string[] } | null;
    }
    const all = await askApp<{ markets: { nodes: Row[] } }>(
      app,
      '{ markets { nodes { name description isPrimary lookupTable { addresses } } } }',
    );
    expect(all.errors).toEqual([]);
    const primary = all.data.markets.nodes.filter(({ isPrimary }) => isPrimary);
    expect(primary).toHaveLength(1);
    expect(primary[0]?.lookupTable?.addresses.length).toBeGreaterThan(3);
    const unnamed = all.data.markets.nodes.filter(({ lookupTable }) => lookupTable === null);
    expect(unnamed.length).toBeGreaterThan(0);
    for (const { name, description } of unnamed) expect([name.length > 0, description]).toEqual([true, '']);
    const found = await askApp<{ markets: { nodes: Row[] } }>(
      app,
      '{ markets(filter: { primary: true }) { nodes { name description isPrimary lookupTable { addresses } } } }',
    );
    expect(found.data.markets.nodes).toEqual(primary);
  });

  it('tokens are those of the catalogue and the chain, filtered by verified, largest volume first', async () => {
    interface Row {
      readonly symbol: string;
      readonly verified: boolean;
      readonly tradingVolume24HUsd: number | null;
    }
    const ask = async (args: string) =>
      (
        await askApp<{ tokens: { totalCount: number; nodes: Row[] } }>(
          app,
          `{ tokens(first: 100${args}) { totalCount nodes { symbol verified tradingVolume24HUsd } } }`,
        )
      ).data.tokens;
    const all = await ask('');
    const volumes = all.nodes.map(({ tradingVolume24HUsd }) => tradingVolume24HUsd ?? -1);
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a));
    const verified = await ask(', filter: { verified: true }');
    expect(verified.nodes.every((row) => row.verified)).toBe(true);
    expect(verified.totalCount).toBe((await ask(', filter: { verified: true, symbol: null }')).totalCount);
    expect((await ask(', filter: { symbol: "sOl" }')).nodes.map(({ symbol }) => symbol)).toContain('SOL');
    expect((await ask(', filter: { verified: false }')).totalCount).toBe(all.totalCount);
  });

  it('tokens are searched by a part of their ticker or name, ignoring case', async () => {
    interface Row {
      readonly mint: string;
      readonly symbol: string;
      readonly name: string;
    }
    interface Page {
      readonly tokens: {
        readonly nodes: readonly Row[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      };
    }
    const search = async (filter: Record<string, unknown>) => {
      const query = `query ($filter: TokenFilter, $after: String) { tokens(first: 100, filter: $filter, after: $after) {
        nodes { mint symbol name } pageInfo { hasNextPage endCursor } } }`;
      const found: Row[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { data, errors }: Awaited<ReturnType<typeof askApp<Page>>> = await askApp<Page>(app, query, {
          variables: { filter, after },
        });
        expect(errors).toEqual([]);
        found.push(...data.tokens.nodes);
        ({ hasNextPage: more, endCursor: after } = data.tokens.pageInfo);
      }
      return found;
    };
    const all = await search({});
    const symbols = async (text: string) => (await search({ search: text })).map(({ symbol }) => symbol);
    for (const text of ['so', 'usd', 'Wrapped', 'E']) {
      const part = new RegExp(text, 'i');
      const expected = all.filter(({ symbol, name }) => part.test(symbol) || part.test(name));
      expect(expected.length, text).toBeGreaterThan(0);
      expect(expected.length, text).toBeLessThan(all.length);
      expect(await search({ search: text })).toEqual(expected);
    }
    expect(await symbols('uSdC')).toContain('USDC');
    expect(await symbols(' usdc ')).toEqual(await symbols('USDC'));
    expect(await symbols('.*')).toEqual([]);
    expect(await search({ search: 'usd', verified: true, symbol: 'usdc' })).toHaveLength(1);
    expect(await search({ search: null })).toEqual(all);
  });

  it.each(['', '   ', 'x'.repeat(65)])('a token search for "%s" is rejected', async (text) => {
    const query = 'query ($text: String) { tokens(filter: { search: $text }) { totalCount } }';
    const { errors } = await askApp(app, query, { variables: { text } });
    expect(errors?.map(({ message, extensions }) => [message, extensions?.code])).toEqual([
      [expect.stringContaining('Pass 1 to 64 characters'), 'BAD_REQUEST'],
    ]);
    const longest = await askApp(app, query, { variables: { text: 'x'.repeat(64) } });
    expect(longest.data).toEqual({ tokens: { totalCount: 0 } });
  });

  it('obligations of a wallet are filtered and ordered; those of a whole market need history', async () => {
    const wallet = app.embedded?.addresses.wallet;
    const query = `query ($wallet: Address!) { obligations(scope: { owner: $wallet }, filter: { tag: VANILLA, healthBelow: "100" }, orderBy: { field: HEALTH, direction: ASC }) {
      nodes { tag healthFactor owner { address } } } }`;
    const answer = await askApp<{ obligations: { nodes: { tag: string; owner: { address: string } }[] } }>(
      app,
      query,
      { variables: { wallet } },
    );
    expect(answer.errors).toEqual([]);
    expect(answer.data.obligations.nodes.length).toBeGreaterThan(0);
    for (const node of answer.data.obligations.nodes)
      expect([node.tag, node.owner.address]).toEqual(['VANILLA', wallet]);
    const market = await askApp(
      app,
      `{ obligations(scope: { market: "${app.embedded?.addresses.market}" }) { totalCount } }`,
    );
    expect(market.errors[0]?.extensions?.code).toBe('HISTORY_DISABLED');
    const two = await askApp(
      app,
      `{ obligations(scope: { owner: "${wallet}", market: "${wallet}" }) { totalCount } }`,
    );
    expect(two.errors.length).toBeGreaterThan(0);
  });

  it.each([
    ['first: 101', 'NUMBER_OUT_OF_RANGE'],
    ['first: -1', 'NUMBER_OUT_OF_RANGE'],
    ['last: 1000', 'NUMBER_OUT_OF_RANGE'],
    ['after: "nonsense"', 'CURSOR_INVALID'],
  ])('reject a page of %s', async (args, code) => {
    const answer = await askApp(app, `{ vaults(${args}) { totalCount } }`);
    expect(answer.errors[0]?.extensions?.code).toBe(code);
  });

  it('walk backwards as well as forwards', async () => {
    type Page = {
      vaults: { nodes: { address: string }[]; pageInfo: { startCursor: string; hasPreviousPage: boolean } };
    };
    const whole = names(await vaults(''));
    const seen: string[] = [];
    let before: string | null = null;
    for (let i = 0; i < 20; i += 1) {
      const answer: { data: Page } = await askApp<Page>(
        app,
        'query ($before: String) { vaults(last: 7, before: $before) { nodes { address } pageInfo { startCursor hasPreviousPage } } }',
        { variables: { before } },
      );
      seen.push(...answer.data.vaults.nodes.map(({ address }) => address));
      if (!answer.data.vaults.pageInfo.hasPreviousPage) break;
      before = answer.data.vaults.pageInfo.startCursor;
    }
    expect([...seen].sort()).toEqual(whole);
  });
});

describe('prices', () => {
  it('have a source, and the oracle\u2019s is close to the one stored in the reserve', async () => {
    type Row = {
      price: { usd: string; source: string } | null;
      storedPrice: { usd: string; source: string; stale: boolean } | null;
    };
    const { data, errors } = await askApp<{ reserves: { nodes: Row[] } }>(
      app,
      '{ reserves(first: 20) { nodes { price { usd source } storedPrice { usd source stale } reserveRewards { amountPerUnit apr } market { reserveRewardsMaxAprBps } } } }',
    );
    expect(errors).toEqual([]);
    for (const { price, storedPrice } of data.reserves.nodes) {
      expect([price?.source, storedPrice?.source]).toEqual(['SCOPE', 'RESERVE']);
      expect(Math.abs(Number(storedPrice?.usd) / Number(price?.usd) - 1)).toBeLessThan(0.05);
    }
  });
});
