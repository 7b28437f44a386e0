import { buildSchema, type GraphQLObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { NodeBudget } from '../../src/graphql/cost/node-budget.ts';
import { executePlanned } from '../../src/graphql/planned-execution.ts';
import { emptyNote } from '../../src/http/answer-cache/answer-note.ts';

const schema = buildSchema(`
  interface Node { id: ID! }
  type Thing implements Node { id: ID! name(suffix: String): String! address: String! }
  type Query { thing(least: Int): Thing! }
`);
const thing = { id: '1' };
let written = 0;
let beyond = false;
const { thing: link } = (schema.getType('Query') as GraphQLObjectType).getFields();
const { name, address } = (schema.getType('Thing') as GraphQLObjectType).getFields();
if (link === undefined || name === undefined || address === undefined) throw new Error('no such field');
link.resolve = () => thing;
name.resolve = (_thing, { suffix }, { view, note }) => {
  written += 1;
  if (beyond) note.beyondView = true;
  return `${view.name}${suffix ?? ''}`;
};
address.resolve = (_thing, _args, { baseUrl }) => baseUrl;

interface Asked {
  readonly view: { readonly name: string };
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly baseUrl?: string;
}

/** The answers to several documents in turn, and how often the name was worked out for all of them. */
async function answersTo(queries: readonly string[], view: { readonly name: string }) {
  const given: unknown[] = [];
  let total = 0;
  for (const query of queries) {
    const each = await answers(query, [{ view }]);
    given.push(...each.given);
    total += each.written;
  }
  return { given, written: total };
}

/** Answers a document several times; what each answer was, and how often the name was worked out for all of them. */
async function answers(query: string, asked: readonly Asked[]) {
  const document = parse(query);
  written = 0;
  const given: unknown[] = [];
  for (const { view, variables = {}, baseUrl = 'here' } of asked) {
    const session = { view, report: () => ({ rpcRequests: 0, accountsRead: 0 }) };
    const contextValue = { view, session, baseUrl, note: emptyNote(), budget: new NodeBudget(100) };
    const result = await executePlanned({ schema, document, variableValues: variables, contextValue });
    given.push(JSON.parse(JSON.stringify(result?.data)).thing);
  }
  return { given, written };
}

const QUERY = 'query ($least: Int) { thing(least: $least) { name address } }';
const times = (count: number, asked: Asked): Asked[] => Array.from({ length: count }, () => asked);

describe('the text of an object', () => {
  it('is made once for all who ask by the same plan on the same View, once that has been followed twice', async () => {
    const view = { name: 'a' };
    const asked = Array.from({ length: 9 }, (_, least) => ({ view, variables: { least } }));
    const all = await answers(QUERY, asked);
    expect(all.given).toEqual(Array(9).fill({ name: 'a', address: 'here' }));
    expect(all.written).toBeLessThan(5);
  });

  it('is made once for all documents that select the same of it, however they are written', async () => {
    const queries = [
      'query A { thing { called: name(suffix: "!") } }',
      'query B { thing { called: name(suffix: """!""") } }',
      'query C { thing { called : name ( suffix : "!" ) @include(if: true) address @skip(if: true) } }',
      'query D { thing(least: 5) { called: name(suffix: "!") } }',
    ];
    const all = await answersTo([...queries, ...queries], { name: 'a' });
    expect(all.given).toEqual(Array(8).fill({ called: 'a!' }));
    expect(all.written).toBe(2);
  });

  it('is another one for every other selection', async () => {
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
    expect(JSON.stringify(all.given)).toBe(JSON.stringify([...expected, ...expected, ...expected]));
  });

  it('is made each time for documents that select something else each time', async () => {
    const queries = Array.from({ length: 6 }, (_, i) => `{ thing { once${i}: name } }`);
    expect((await answersTo(queries, { name: 'c' })).written).toBe(6);
  });

  it('is another one on another View and under another address', async () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    const { given } = await answers(QUERY, [
      ...times(5, { view: a }),
      ...times(5, { view: b }),
      { view: b, baseUrl: 'there' },
    ]);
    expect(given.slice(4)).toEqual([
      { name: 'a', address: 'here' },
      ...Array(5).fill({ name: 'b', address: 'here' }),
      { name: 'b', address: 'there' },
    ]);
  });

  it('is made each time where a variable stands in it', async () => {
    const query = 'query ($s: String) { thing { ...Named } } fragment Named on Thing { name(suffix: $s) }';
    const view = { name: 'a' };
    const asked = [...'uvwxyz'].map((s) => ({ view, variables: { s } }));
    const all = await answers(query, asked);
    expect(all.given).toEqual([...'uvwxyz'].map((s) => ({ name: `a${s}` })));
    expect(all.written).toBe(6);
  });

  it('is made each time where more than the View was asked', async () => {
    beyond = true;
    const all = await answers(QUERY, times(6, { view: { name: 'a' } }));
    beyond = false;
    expect(all.written).toBe(6);
  });
});
