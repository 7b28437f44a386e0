import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { cpuMsSince } from '../../packages/localnet/test/support/timing/cpu-time.ts';
import { scheduler } from '../../src/node/cooperative-scheduler.ts';
import { type Answer, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

interface CostExtension {
  readonly requested: number;
  readonly ceiling: number;
  readonly resolved: number;
  readonly resolvedCeiling: number;
}

const costOf = ({ extensions }: Answer<unknown>) => (extensions as { cost?: CostExtension }).cost;
const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
/** A field so many levels deep, through pages of one item. */
const deep = (levels: number) =>
  `${'vaults(first: 1) { nodes { token { '.repeat(levels)}symbol${' } } }'.repeat(levels)}`;

let localChain: UnchangedChain;
let rpc: LocalnetRpc;
let gateway: TestApp;
let narrow: TestApp;

beforeAll(async () => {
  localChain = unchangedChain();
  rpc = await serveChain(localChain);
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
  narrow = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, MAX_QUERY_NODES: '1000' } });
});

afterAll(async () => {
  await gateway?.stop();
  await narrow?.stop();
  await rpc?.close();
});

/** Reads the chain if it is ever executed. */
const reading = () => `obligation(address: "${localChain.addresses.obligation}") { address }`;

describe('a query over a limit', () => {
  it.each([
    ['QUERY_TOO_DEEP', { depth: 19, ceiling: 16 }, () => `{ ${deep(6)} ${reading()} }`],
    [
      'TOO_MANY_ALIASES',
      { aliases: 101, ceiling: 100 },
      () => `{ ${repeated(101, (i) => `a${i}: chain { slot }`)} ${reading()} }`,
    ],
    [
      'TOO_MANY_DIRECTIVES',
      { directives: 51, ceiling: 50 },
      () => `{ chain { ${repeated(51, () => 'slot @include(if: true)')} } ${reading()} }`,
    ],
    [
      'LIST_TOO_LONG',
      { items: 101, ceiling: 100 },
      () => `{ nodes(ids: [${repeated(101, () => '"x"')}]) { id } ${reading()} }`,
    ],
    [
      'QUERY_TOO_EXPENSIVE',
      { cost: 323_312, ceiling: 250_000 },
      () =>
        `{ vaults(first: 100) { nodes { allocations { reserve { vaults(first: 100) { nodes { token { symbol } farm { address } sharesToken { symbol } } pageInfo { hasNextPage } } } } } } ${reading()} }`,
    ],
    ['QUERY_TOO_LONG', { ceiling: 3000 }, () => `{ ${repeated(3000, () => '__typename')} ${reading()} }`],
  ])('is rejected as %s before anything is read', async (code, numbers, document) => {
    const before = rpc.requests.httpRequests;
    const answer = await gateway.query(document());
    expect(answer.status).toBe(400);
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors[0]?.extensions).toMatchObject({ code, retryable: false, ...numbers });
    for (const number of Object.values(numbers)) expect(answer.errors[0]?.message).toContain(String(number));
    expect(rpc.requests.httpRequests).toBe(before);
  });

  it('reports its cost with the error', async () => {
    const answer = await gateway.query(
      `{ vaults(first: 100) { nodes { token { vaults(first: 100) { nodes { token { vaults(first: 100) { nodes { name } } } } } } } } }`,
    );
    expect(costOf(answer)).toEqual({
      requested: 1 + 100 * (3 + 100 * (3 + 100)),
      ceiling: 250_000,
      resolved: 0,
      resolvedCeiling: 75_000,
      work: 0,
    });
  });

  it('is rejected for a list in the variables, before its items are parsed', async () => {
    const answer = await gateway.query('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      variables: { ids: Array.from({ length: 20_000 }, () => ({ not: 'an id' })) },
    });
    expect(answer.errors.map(({ extensions }) => extensions)).toEqual([
      { code: 'LIST_TOO_LONG', retryable: false, items: 20_000, ceiling: 100 },
    ]);
  });

  it('is rejected cheaply when fragments multiply', async () => {
    const fragments = repeated(
      100,
      (i) => `fragment F${i} on Vault { token { symbol } ${i < 99 ? `...F${i + 1} ...F${i + 1}` : 'name'} }`,
    );
    const startedAt = process.cpuUsage();
    const answer = await gateway.query(`{ vaults { nodes { ...F0 } } } ${fragments}`);
    expect(answer.errors[0]?.extensions?.code).toBe('QUERY_TOO_EXPENSIVE');
    expect(cpuMsSince(startedAt)).toBeLessThan(5_000);
  });

  it('is invalid when fragments form a cycle', async () => {
    const answer = await gateway.query(
      '{ vaults { nodes { ...A } } } fragment A on Vault { name ...B } fragment B on Vault { ...A }',
    );
    expect(answer.errors[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('the default limits', () => {
  it('admit twelve levels and more', async () => {
    const answer = await gateway.query(`{ ${deep(5)} }`);
    expect(answer.errors).toEqual([]);
  });

  it('admit the introspection of GraphiQL', async () => {
    const answer = await gateway.query(getIntrospectionQuery({ inputValueDeprecation: true }));
    expect(answer.errors).toEqual([]);
    // By the weights alone, however large the schema is.
    expect(costOf(answer)?.requested).toBe(9_610);
  });

  it('admit the vaults with allocations, reserves, markets and their reserves', async () => {
    const answer = await gateway.query(`{
      vaults(first: 50) {
        nodes {
          address name sharesIssued sharePriceUsd token { symbol decimals price { usd } } totalValue { amount usd } currentApy { total base }
          allocations {
            targetWeight actualShare invested { amount usd }
            reserve {
              address utilization supplyApy { total }
              market {
                address name
                reserves { address utilization supplyApr borrowApr token { mint symbol name decimals price { usd asOf stale } } }
              }
            }
          }
        }
        pageInfo { hasNextPage endCursor } totalCount
      }
    }`);
    expect(answer.errors).toEqual([]);
    expect(costOf(answer)).toMatchObject({ requested: 38_252 });
  });

  it('admit a wallet with all its positions', async () => {
    const answer = await gateway.query(`{
      wallet(address: "${localChain.addresses.wallet}") {
        address netValue { usd sol }
        vaultPositions(first: 20) {
          nodes {
            totalShares value { amount usd }
            vault {
              name currentApy { total } token { symbol price { usd } }
              allocations { targetShare invested { usd } reserve { address supplyApy { total } market { name } token { symbol price { usd } } } }
            }
          }
        }
        obligations {
          nodes {
            address healthFactor market { name } stats { loanToValue netAccountValueUsd }
            deposits { amount { amount usd } liquidationPriceUsd reserve { address token { symbol price { usd } } } }
            borrows { amount { amount usd } reserve { address token { symbol price { usd } } } }
          }
        }
      }
    }`);
    expect(answer.errors).toEqual([]);
    expect(costOf(answer)).toMatchObject({ requested: 4_104 });
  });
});

describe('the answer', () => {
  it('reports its cost and its number of objects', async () => {
    const answer = await gateway.query<{ vaults: { nodes: { allocations: unknown[] }[] } }>(
      '{ vaults(first: 2) { nodes { allocations { reserve { address } } } } chain { slot } }',
    );
    const { nodes } = answer.data.vaults;
    const allocations = nodes.reduce((sum, vault) => sum + vault.allocations.length, 0);
    expect(costOf(answer)).toEqual({
      requested: 1 + 2 * (1 + 8 * 2) + 1,
      ceiling: 250_000,
      resolved: 1 + 2 + 2 * allocations + 1,
      resolvedCeiling: 75_000,
      // Nothing but the objects: all of them are in the View.
      work: 1 + 2 + 2 * allocations + 1,
    });
  });

  it('counts an edge and its node as one object', async () => {
    const edges = await gateway.query('{ vaults(first: 3) { edges { cursor node { name } } } }');
    const nodes = await gateway.query('{ vaults(first: 3) { nodes { name } } }');
    expect(costOf(edges)).toEqual(costOf(nodes));
    expect(costOf(nodes)).toMatchObject({ requested: 4, resolved: 4 });
  });
});

describe('an answer with too many objects', () => {
  const cyclic =
    '{ vaults(first: 20) { nodes { allocations { reserve { vaults(first: 20) { nodes { allocations { reserve { address } } } } } } } } }';

  it('is stopped when it exceeds the budget', async () => {
    const answer = await narrow.query(cyclic);
    expect(answer.status).toBe(400);
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors[0]).toMatchObject({
      path: expect.arrayContaining(['vaults', 'nodes', 'allocations', 'reserve']),
      extensions: { code: 'NODE_BUDGET_EXCEEDED', ceiling: 1000 },
    });
    const cost = costOf(answer);
    expect(cost?.requested).toBeLessThan(250_000);
    expect(cost?.resolvedCeiling).toBe(1000);
    // Objects under way are counted, and then no more.
    expect(cost?.resolved).toBeGreaterThan(1000);
    expect(cost?.resolved).toBeLessThan(1200);
  });

  it('counts account data by its length', async () => {
    const reserve = `reserve(address: "${localChain.addresses.reserve}")`;
    const copies = (count: number) =>
      `{ ${reserve} { ${Array.from({ length: count }, (_, i) => `a${i}: accountData`).join(' ')} } }`;
    // 8,624 bytes are 11,500 characters of base64.
    expect(costOf(await narrow.query(copies(2)))?.resolved).toBe(1 + 2 * 115);
    const tooMany = await narrow.query(copies(9));
    expect(tooMany.status).toBe(400);
    expect(tooMany.errors).toMatchObject([{ extensions: { code: 'NODE_BUDGET_EXCEEDED' } }]);
  });

  it('lets other requests run meanwhile', async () => {
    const isOver = vi.spyOn(scheduler, 'isOver', 'get').mockReturnValue(true);
    onTestFinished(() => isOver.mockRestore());
    const large = gateway.query(cyclic);
    let done = false;
    void large.then(() => {
      done = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    const small = await gateway.query('{ chain { slot } }');
    expect(small.errors).toEqual([]);
    expect(done).toBe(false);
    const answer = await large;
    expect(answer.errors).toEqual([]);
    expect(costOf(answer)?.resolved).toBeGreaterThan(5_000);
  });
});
