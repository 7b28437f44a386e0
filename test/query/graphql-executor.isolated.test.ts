import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exampleVariables, readExamples } from '../../src/graphql/examples/examples.ts';
import { type Answer, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { serveLedger, TestLedger } from '../support/ledger/test-ledger.ts';

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

const ledger = new TestLedger();
let rpc: Awaited<ReturnType<typeof serveLedger>>;
let withPlans: TestApp;
let withGraphQLJs: TestApp;
beforeAll(async () => {
  rpc = await serveLedger(ledger);
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

const ADDRESSES: Readonly<Record<string, string>> = { ...ledger.addresses };
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
  ['too many objects', '{ vaults(first: 1000000) { nodes { name } } }', {}],
] as const;

/** The parts of an answer that do not identify its View. */
const comparable = ({ status, data, errors, extensions }: Answer<unknown>) => {
  const { cost } = extensions as { cost?: unknown };
  return JSON.stringify({ status, data, errors, cost }, null, 1);
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

  it('planned, the default, uses the planned executor', async () => {
    const before = planned.executions;
    await withPlans.query('{ vaults(first: 1) { nodes { name } } }');
    expect(planned.executions).toBe(before + 1);
  });
});
