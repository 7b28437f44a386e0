import { buildSchema, type GraphQLObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ResolvedObjects } from '../../src/graphql/cost/resolved-objects.ts';
import { executePlanned } from '../../src/graphql/planned-execution.ts';
import { emptyNote } from '../../src/http/answer-cache/answer-note.ts';
import { WorkBudget } from '../../src/node/work-budget.ts';

const schema = buildSchema(`
  interface Node { id: ID! }
  type Thing implements Node { id: ID! name(suffix: String): String! address: String! }
  type Query { thing(least: Int): Thing! }
`);
const thing = { id: '1' };
let resolved = 0;
let readsHistory = false;
const { thing: link } = (schema.getType('Query') as GraphQLObjectType).getFields();
const { name, address } = (schema.getType('Thing') as GraphQLObjectType).getFields();
if (link === undefined || name === undefined || address === undefined) throw new Error('no such field');
link.resolve = () => thing;
name.resolve = (_thing, { suffix }, { view, session }) => {
  resolved += 1;
  if (readsHistory) session.isFixedByView = false;
  return `${view.name}${suffix ?? ''}`;
};
address.resolve = (_thing, _args, { baseUrl }) => baseUrl;

interface Execution {
  readonly view: { readonly name: string };
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly baseUrl?: string;
}

/** Executes several documents in turn; returns the results and how often the name was resolved in all. */
async function answersTo(queries: readonly string[], view: { readonly name: string }) {
  const results: unknown[] = [];
  let total = 0;
  for (const query of queries) {
    const each = await answers(query, [{ view }]);
    results.push(...each.results);
    total += each.resolved;
  }
  return { results, resolved: total };
}

/** Executes a document several times; returns the results and how often the name was resolved in all. */
async function answers(query: string, executions: readonly Execution[]) {
  const document = parse(query);
  resolved = 0;
  const results: unknown[] = [];
  for (const { view, variables = {}, baseUrl = 'here' } of executions) {
    const session = { view, isFixedByView: true, report: () => ({ rpcRequests: 0, accountsRead: 0 }) };
    const contextValue = {
      view,
      session,
      baseUrl,
      note: emptyNote(),
      objects: new ResolvedObjects(new WorkBudget()),
    };
    const result = await executePlanned({ schema, document, variableValues: variables, contextValue });
    results.push(JSON.parse(JSON.stringify(result?.data)).thing);
  }
  return { results, resolved };
}

const QUERY = 'query ($least: Int) { thing(least: $least) { name address } }';
const times = (count: number, execution: Execution): Execution[] =>
  Array.from({ length: count }, () => execution);

describe('the JSON of an object', () => {
  it('is shared by executions of one plan on the same View from the second one on', async () => {
    const view = { name: 'a' };
    const executions = Array.from({ length: 9 }, (_, least) => ({ view, variables: { least } }));
    const all = await answers(QUERY, executions);
    expect(all.results).toEqual(Array(9).fill({ name: 'a', address: 'here' }));
    expect(all.resolved).toBeLessThan(5);
  });

  it('is shared by all documents with an equivalent selection', async () => {
    const queries = [
      'query A { thing { called: name(suffix: "!") } }',
      'query B { thing { called: name(suffix: """!""") } }',
      'query C { thing { called : name ( suffix : "!" ) @include(if: true) address @skip(if: true) } }',
      'query D { thing(least: 5) { called: name(suffix: "!") } }',
    ];
    const all = await answersTo([...queries, ...queries], { name: 'a' });
    expect(all.results).toEqual(Array(8).fill({ called: 'a!' }));
    expect(all.resolved).toBe(2);
  });

  it('is separate for every other selection', async () => {
    const selections = [
      ['name', { name: 'b' }],
      ['other: name', { other: 'b' }],
      ['name(suffix: "1")', { name: 'b1' }],
      ['name(suffix: "2")', { name: 'b2' }],
      ['name(suffix: null)', { name: 'b' }],
      ['name address', { name: 'b', address: 'here' }],
      ['address name', { address: 'here', name: 'b' }],
      ['name ...F } } fragment F on Thing { more: name', { name: 'b', more: 'b' }],
      ['name ...F } } fragment F on Thing { more: address', { name: 'b', more: 'here' }],
      ['name ... on Node { __typename }', { name: 'b', __typename: 'Thing' }],
    ] as const;
    const queries = selections.map(([selection]) =>
      selection.includes('fragment') ? `{ thing { ${selection} }` : `{ thing { ${selection} } }`,
    );
    const all = await answersTo([...queries, ...queries, ...queries], { name: 'b' });
    const expected = selections.map(([, answer]) => answer);
    expect(JSON.stringify(all.results)).toBe(JSON.stringify([...expected, ...expected, ...expected]));
  });

  it('is not shared when every document has another selection', async () => {
    const queries = Array.from({ length: 6 }, (_, i) => `{ thing { once${i}: name } }`);
    expect((await answersTo(queries, { name: 'c' })).resolved).toBe(6);
  });

  it('is separate per View and per base URL', async () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    const { results } = await answers(QUERY, [
      ...times(5, { view: a }),
      ...times(5, { view: b }),
      { view: b, baseUrl: 'there' },
    ]);
    expect(results.slice(4)).toEqual([
      { name: 'a', address: 'here' },
      ...Array(5).fill({ name: 'b', address: 'here' }),
      { name: 'b', address: 'there' },
    ]);
  });

  it('is not shared when its selection uses a variable', async () => {
    const query = 'query ($s: String) { thing { ...Named } } fragment Named on Thing { name(suffix: $s) }';
    const view = { name: 'a' };
    const executions = [...'uvwxyz'].map((s) => ({ view, variables: { s } }));
    const all = await answers(query, executions);
    expect(all.results).toEqual([...'uvwxyz'].map((s) => ({ name: `a${s}` })));
    expect(all.resolved).toBe(6);
  });

  it('is not shared when the answer depends on more than its View', async () => {
    readsHistory = true;
    const all = await answers(QUERY, times(6, { view: { name: 'a' } }));
    readsHistory = false;
    expect(all.resolved).toBe(6);
  });
});
