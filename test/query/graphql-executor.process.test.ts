import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { exampleVariables, readExamples } from '../../src/graphql/examples/examples.ts';
import { type Answer, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

const planned = vi.hoisted(() => ({ executions: 0 }));
vi.mock('../../src/graphql/planned-execution.ts', async (original) => {
  const actual = await original<typeof import('../../src/graphql/planned-execution.ts')>();
  return {
    ...actual,
    executePlanned(...args: Parameters<typeof actual.executePlanned>) {
      planned.executions += 1;
      return actual.executePlanned(...args);
    },
  };
});

const localChain = new TestChain();
let rpc: Awaited<ReturnType<typeof serveChain>>;
let withPlans: TestApp;
let withGraphQLJs: TestApp;
beforeAll(async () => {
  rpc = await serveChain(localChain);
  const start = (executor: string) =>
    startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, GRAPHQL_EXECUTOR: executor } });
  withPlans = await start('planned');
  withGraphQLJs = await start('graphql-js');
});
afterAll(async () => {
  await withPlans?.stop();
  await withGraphQLJs?.stop();
  await rpc?.close();
});

const ADDRESSES: Readonly<Record<string, string>> = { ...localChain.addresses };
/** A nullable variable with a default is valid as a condition, and given as null it is an error where it is reached. */
function conditions(directive: string) {
  const text = (selection: string) => `query ($condition: Boolean = true) { ${selection} }`;
  const vaults = (selection: string) => text(`vaults(first: 2) { nodes { name ${selection} } }`);
  const documents = {
    'at the root': text(`__typename chain ${directive} { commitment }`),
    'of a field that is not null': text(`chain { commitment cluster ${directive} }`),
    'of fields that may be null': vaults(`farm { address ${directive} }`),
    'in the items of a list': vaults(`programId ${directive}`),
    'of a fragment': `${vaults(`farm { ...Farm ${directive} }`)} fragment Farm on Farm { address }`,
    'of an inline fragment': vaults(`lookupTable { ... ${directive} { address } }`),
  };
  return Object.entries(documents).flatMap(([place, query]) => [
    [`${directive} with null ${place}`, query, { condition: null }] as const,
    [`${directive} with its default ${place}`, query, {}] as const,
  ]);
}

/** Values that differ between two gateways or two moments, and series without a database. */
const SKIPPED = /\b(viewAgeMs|latencyMs|lagMs|view|endpoints|metricsHistory|blockhash)\b|^subscription/m;
const QUERIES = [
  ...readExamples()
    .filter(({ query }) => !SKIPPED.test(query))
    .map((example) => [example.name, example.query, exampleVariables(example, ADDRESSES)] as const),
  ['an absent account', '{ vault(address: "11111111111111111111111111111111") { name } }', {}],
  ['a field error', '{ vaults(first: 1) { nodes { metricsHistory { points { at } } } } }', {}],
  ['a bad cursor', '{ vaults(after: "nonsense") { nodes { name } } }', {}],
  ['a bad variable', 'query ($a: Address!) { vault(address: $a) { name } }', { a: 'nonsense' }],
  ...conditions('@include(if: $condition)'),
  ...conditions('@skip(if: $condition)'),
  ['too many objects', '{ vaults(first: 1000000) { nodes { name } } }', {}],
] as const;

/** The parts of an answer that identify neither its View nor the time at which the gateway indexed the loans. */
const comparable = ({ status, data, errors, extensions }: Answer<unknown>) => {
  const { cost } = extensions as { cost?: unknown };
  const withoutTime = (key: string, value: unknown) => (key === 'indexedAt' ? undefined : value);
  return JSON.stringify({ status, data, errors, cost }, withoutTime, 1);
};

describe('GRAPHQL_EXECUTOR', () => {
  it('has enough queries to compare', () => {
    expect(QUERIES.length).toBeGreaterThanOrEqual(10);
  });

  it.each(QUERIES)('both executors give the same answer: %s', async (_name, query, variables) => {
    const [before, options] = [planned.executions, { variables }];
    const reference = await withGraphQLJs.query(query, options);
    expect(planned.executions).toBe(before);
    expect(comparable(await withPlans.query(query, options))).toBe(comparable(reference));
  });

  it('reports a condition that is null at the object that has it', async () => {
    const query =
      'query ($condition: Boolean = true) { vaults(first: 1) { nodes { name farm { address @skip(if: $condition) } } } }';
    for (const gateway of [withPlans, withGraphQLJs]) {
      const { data, errors } = await gateway.query(query, { variables: { condition: null } });
      expect(data).toEqual({ vaults: { nodes: [{ name: expect.any(String), farm: null }] } });
      expect(errors).toMatchObject([
        {
          message: 'Argument "if" of non-null type "Boolean!" must not be null.',
          path: ['vaults', 'nodes', 0, 'farm'],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', retryable: false },
        },
      ]);
    }
  });

  it('planned, the default, uses the planned executor', async () => {
    const before = planned.executions;
    await withPlans.query('{ vaults(first: 1) { nodes { name } } }');
    expect(planned.executions).toBe(before + 1);
  });
});
