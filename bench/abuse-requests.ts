import type { ErrorCode } from '../src/errors/codes.ts';

/** A hostile request and the expected refusal. */
export interface Abuse {
  readonly name: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** Body of a POST to /graphql. */
  readonly body: string;
}

const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const requestBody = (query: string, variables: object = {}) => JSON.stringify({ query, variables });

const PAGE = 'vaults(first: 1) { nodes { token { ';

/** @param reads a field that would call the RPC if the query were executed */
export function abuses(reads: string): readonly Abuse[] {
  const refused = (name: string, code: ErrorCode, query: string, variables?: object): Abuse => ({
    name,
    status: 400,
    code,
    body: requestBody(query, variables),
  });
  return [
    refused('deep', 'QUERY_TOO_DEEP', `{ ${PAGE.repeat(60)}symbol${' } } }'.repeat(60)} ${reads} }`),
    refused('deep, not even closed', 'INPUT_TOO_DEEP', `{ ${'a { '.repeat(1_400)}`),
    refused('wide', 'QUERY_TOO_LONG', `{ ${'__typename '.repeat(20_000)} ${reads} }`),
    refused(
      'wide and nested',
      'QUERY_TOO_EXPENSIVE',
      `{ vaults(first: 100) { nodes { token { vaults(first: 100) { nodes { token { vaults(first: 100) { nodes { name } } } } } } } } ${reads} }`,
    ),
    refused('aliases', 'TOO_MANY_ALIASES', `{ ${repeated(400, (i) => `a${i}: chain { slot }`)} ${reads} }`),
    refused(
      'fragments in a circle',
      'GRAPHQL_VALIDATION_FAILED',
      `{ ...F0 ${reads} } ${repeated(150, (i) => `fragment F${i} on Query { ...F${(i + 1) % 150} }`)}`,
    ),
    refused(
      'fragments that double',
      'QUERY_TOO_EXPENSIVE',
      `{ vaults { nodes { ...F0 } } ${reads} } ${repeated(100, (i) => `fragment F${i} on Vault { token { symbol } ${i < 99 ? `...F${i + 1} ...F${i + 1}` : 'name'} }`)}`,
    ),
    refused(
      'fragments that double under fields',
      'QUERY_TOO_DEEP',
      `{ vaults { nodes { ...F0 } } ${reads} } ${repeated(40, (i) => `fragment F${i} on Vault { a: token { vaults { nodes { ...F${i + 1} } } } b: token { vaults { nodes { ...F${i + 1} } } } }`)} fragment F40 on Vault { name }`,
    ),
    refused('overlapping fields', 'TOO_MANY_OVERLAPS', `{ ${'chain { slot } '.repeat(700)} ${reads} }`),
    refused(
      'overlapping fragments',
      'TOO_MANY_OVERLAPS',
      `{ ${repeated(280, (i) => `...F${i}`)} ${reads} } ${repeated(280, (i) => `fragment F${i} on Query { __typename }`)}`,
    ),
    refused(
      'directives',
      'TOO_MANY_DIRECTIVES',
      `{ chain { ${repeated(200, () => 'slot @include(if: true)')} } ${reads} }`,
    ),
    refused(
      'one directive again and again',
      'GRAPHQL_VALIDATION_FAILED',
      `{ chain { slot ${'@include(if: true) '.repeat(400)} } ${reads} }`,
    ),
    refused(
      'unknown directives',
      'GRAPHQL_VALIDATION_FAILED',
      `{ chain { slot ${'@a '.repeat(1_400)} } ${reads} }`,
    ),
    refused(
      'a huge literal',
      'QUERY_TOO_LONG',
      `{ vaults(filter: { nameContains: "${'x'.repeat(900_000)}" }) { totalCount } ${reads} }`,
    ),
    refused(
      'a huge number',
      'GRAPHQL_VALIDATION_FAILED',
      `{ vaults(first: ${'9'.repeat(100_000)}) { totalCount } ${reads} }`,
    ),
    refused(
      'a long list',
      'LIST_TOO_LONG',
      `{ nodes(ids: [${repeated(1_000, () => '"x"')}]) { id } ${reads} }`,
    ),
    refused(
      'a huge list in a variable',
      'LIST_TOO_LONG',
      `query ($ids: [ID!]!) { nodes(ids: $ids) { id } ${reads} }`,
      {
        ids: Array.from({ length: 200_000 }, () => 'x'),
      },
    ),
    refused(
      'a huge value in a variable',
      'ADDRESS_INVALID',
      `query ($a: Address!) { wallet(address: $a) { address } ${reads} }`,
      { a: 'z'.repeat(900_000) },
    ),
    {
      name: 'a body over the ceiling',
      status: 413,
      code: 'BODY_TOO_LARGE',
      body: requestBody('{ chain { slot } }', { padding: 'x'.repeat(2_000_000) }),
    },
    {
      name: 'many operations at once',
      status: 400,
      code: 'BAD_REQUEST',
      body: `[${Array.from({ length: 1_000 }, () => requestBody(`{ ${reads} }`)).join(',')}]`,
    },
    refused(
      'introspection within introspection',
      'GRAPHQL_VALIDATION_FAILED',
      `{ __schema { types { ${'fields { type { '.repeat(12)}name${' } }'.repeat(12)} } } ${reads} }`,
    ),
    refused(
      'introspection again and again',
      'QUERY_TOO_EXPENSIVE',
      `{ ${repeated(90, (i) => `a${i}: __schema { types { fields { args { type { name } } } } }`)} ${reads} }`,
    ),
    refused('no words of the grammar', 'GRAPHQL_PARSE_FAILED', '\u0001'.repeat(100_000)),
  ];
}
