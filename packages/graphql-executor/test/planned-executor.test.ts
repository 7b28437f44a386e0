import { type ExecutionArgs, type ExecutionResult, execute, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { PlannedExecutor, passesQuickValidation } from '../src/index.ts';
import { shopRoot, shopSchema } from './shop-schema.ts';

const argsOf = (source: string, variableValues: Record<string, unknown> = {}): ExecutionArgs => ({
  schema: shopSchema,
  document: parse(source),
  rootValue: shopRoot(3, 6),
  variableValues,
});

/** Data with the order of its keys, and errors with their order, paths and locations, as a client receives them. */
const textOf = (result: ExecutionResult): string => JSON.stringify(result);

const QUERIES: Readonly<Record<string, readonly [string, Record<string, unknown>?]>> = {
  'lists, arguments and defaults': [
    '{ shops { id products { title cents tags } products2: products(first: 5) { id } } }',
  ],
  'merged selections and fragments': [
    'query { shops { ...a name products { cents } } } fragment a on Shop { products { title } owner { name } ... on Node { id } }',
  ],
  'abstract types': [
    '{ node(id: "s3") { __typename id ... on Shop { products(first: 6) { maker { __typename ... on Person { age } ... on Company { name } } } } } }',
  ],
  'skip and include': [
    'query ($yes: Boolean!, $no: Boolean!) { shops { id @include(if: $yes) name @skip(if: $yes) owner @include(if: $no) { id } } }',
    { yes: true, no: false },
  ],
  'errors of nullable fields': ['{ shops { products(first: 3) { id broken } } }'],
  'errors that null a parent': ['{ fails shops { id products(first: 6) { late } } }'],
  'errors that null the whole answer': ['{ shops { id } alsoFails }'],
  'absent nodes': ['{ node(id: "none") { id } }'],
};

it.each(Object.entries(QUERIES))('answers as graphql-js: %s', async (_, [source, variables]) => {
  const executor = new PlannedExecutor();
  const expected = textOf(await execute(argsOf(source, variables)));
  const args = argsOf(source, variables);
  // One document for all rounds: the first execution plans, the third uses the cached plan.
  for (let round = 0; round < 3; round += 1) {
    const result = executor.execute(args);
    if (result === null) throw new Error('it made no plan');
    expect(textOf(await result)).toBe(expected);
  }
});

it('runs mutations one after the other', async () => {
  const source = 'mutation { a: add(cents: 1) b: add(cents: 10) c: add(cents: 100) }';
  const result = await new PlannedExecutor().execute(argsOf(source));
  expect(textOf(result ?? {})).toBe('{"data":{"a":1,"b":11,"c":111}}');
});

it('leaves to graphql-js what it does not plan', () => {
  const executor = new PlannedExecutor();
  const source = 'query ($id: ID!) { node(id: $id) { id } }';
  expect(executor.execute(argsOf(source))).toBeNull();
  expect(executor.execute({ ...argsOf('{ shops { id } }'), fieldResolver: () => null })).toBeNull();
  expect(executor.execute({ ...argsOf('{ shops { id } }'), operationName: 'Other' })).toBeNull();
});

it('rejects when its signal aborts', async () => {
  const stop = new AbortController();
  const result = new PlannedExecutor().execute(argsOf('{ shops { products { late } } }'), {
    signal: stop.signal,
  });
  stop.abort(new Error('gone'));
  await expect(result).rejects.toThrow('gone');
});

it.each([
  ['{ shops { id } }', true],
  ['{ shops { unknown } }', false],
  ['{ shops }', false],
  ['{ node { id } }', false],
  ['query ($id: ID!) { node(id: $id) { id } }', true],
])('quick validation passes only what graphql-js accepts: %s', (source, passes) => {
  const document = parse(source);
  expect(passesQuickValidation(shopSchema, document)).toBe(passes);
  expect(validate(shopSchema, document).length === 0).toBe(passes);
});
