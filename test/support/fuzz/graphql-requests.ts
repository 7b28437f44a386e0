import { Random } from '@sluice/localnet/world/prng';
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { ValuePool } from '../execution/query-arguments.ts';
import { type GeneratedQuery, QueryGenerator } from '../execution/query-generator.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { deeplyNested, mutated, scratched } from './odd-documents.ts';
import { type OddHeaders, oddHeaders } from './odd-headers.ts';
import { nestedLists, oddJson, oddText, wellFormed } from './odd-values.ts';

export interface GraphqlFuzzOptions {
  readonly schema: GraphQLSchema;
  readonly pool: ValuePool;
  readonly seed: number;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/graphql',
  'application/graphql+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/plain; application/json',
  'application/jsonp',
  'application/xml',
  '/',
  '',
];
const METHODS = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'GET', 'TRACE', 'PURGE'];

/**
 * The request with a given number. It depends only on the seed, not on earlier requests. About half are valid; the others
 * have one oddity, some of them two.
 */
export function graphqlRequest({ schema, pool, seed }: GraphqlFuzzOptions, number: number): FuzzRequest {
  const random = new Random('graphql', seed, number);
  const generate = (operation: OperationTypeNode): GeneratedQuery =>
    new QueryGenerator({ schema, seed: random.uint32(), pool, without: [], operation }).next();
  const query = () => generate(OperationTypeNode.QUERY);
  const any = () => generate(random.pick([OperationTypeNode.QUERY, OperationTypeNode.MUTATION]));
  const kinds: readonly (readonly [number, string, () => Omit<FuzzRequest, 'kind'>])[] = [
    [30, 'query', () => post(query())],
    [8, 'mutation', () => post(generate(OperationTypeNode.MUTATION))],
    [4, 'subscription', () => post(generate(OperationTypeNode.SUBSCRIPTION), streamHeaders(random))],
    [8, 'by GET', () => get(any(), random)],
    [16, 'words changed', () => post({ ...any(), query: mutated(any().query, random) })],
    [5, 'characters changed', () => post({ ...query(), query: scratched(query().query, random) })],
    [5, 'nested', () => post({ query: deeplyNested(random), variables: {} })],
    [8, 'variables', () => post({ ...any(), ...oddVariables(query(), random) })],
    [
      3,
      'operation name',
      () => post({ ...query(), operationName: random.pick<unknown>([oddJson(random), 'Q']) }),
    ],
    [4, 'fields of the request', () => post(oddFields(query(), random))],
    [4, 'body', () => ({ ...post(query()), body: oddBody(query(), random) })],
    [3, 'content type', () => post(query(), { 'content-type': random.pick(CONTENT_TYPES) })],
    [2, 'method', () => ({ ...post(query()), method: random.pick(METHODS) })],
  ];
  const [, kind, make] = kinds[random.weighted(kinds.map(([weight]) => weight))] ?? kinds[0] ?? never();
  const made = { kind, ...make() };
  if (!random.chance(8)) return made;
  if (random.chance(10)) return { ...made, kind: `${kind}, hangs up`, hangsUp: true };
  return { ...made, kind: `${kind}, headers`, headers: { ...made.headers, ...oddHeaders(random) } };
}

function never(): never {
  throw new Error('there is no kind of request');
}

function post(body: unknown, headers: OddHeaders = JSON_TYPE): Omit<FuzzRequest, 'kind'> {
  return { method: 'POST', target: '/graphql', headers, body: JSON.stringify(body) };
}

function streamHeaders(random: Random): OddHeaders {
  return random.chance(75) ? { ...JSON_TYPE, accept: 'text/event-stream' } : JSON_TYPE;
}

function get({ query, variables }: GeneratedQuery, random: Random): Omit<FuzzRequest, 'kind'> {
  const text = random.chance(70) ? query : mutated(query, random);
  const parts = [
    `query=${encoded(text)}`,
    `variables=${encoded(random.chance(80) ? JSON.stringify(variables) : oddText(random))}`,
  ];
  if (random.chance(15)) parts.push(`operationName=${encoded(random.chance(50) ? 'Q' : oddText(random))}`);
  if (random.chance(10)) parts.push(`extensions=${encoded(JSON.stringify(oddJson(random)))}`);
  if (random.chance(5)) parts.push(`documentId=${encoded(oddText(random))}`);
  if (random.chance(5)) parts.push(`token=${encoded(oddText(random))}`);
  if (random.chance(5)) parts.push(random.pick(['query=%', 'query', '=', '%00=%00', 'query=%7B', '&&&']));
  const accept = random.pick(['application/json', 'application/graphql-response+json', '*/*']);
  // Other tests cover URLs longer than a server accepts.
  return { method: 'GET', target: `/graphql?${parts.join('&')}`.slice(0, 12_000), headers: { accept } };
}

const encoded = (text: string) => encodeURIComponent(wellFormed(text));

function oddVariables({ variables }: GeneratedQuery, random: Random): { variables: unknown } {
  const names = Object.keys(variables);
  if (names.length === 0 || random.chance(25)) return { variables: oddJson(random) };
  const changed = Object.fromEntries(
    names.map((name) => [name, random.chance(60) ? oddJson(random) : variables[name]]),
  );
  return { variables: random.chance(20) ? { ...changed, [oddText(random)]: oddJson(random) } : changed };
}

function oddFields(generated: GeneratedQuery, random: Random): unknown {
  const whole = { ...generated, operationName: 'Q', extensions: {} };
  const chain = { view: oddJson(random), minSlot: random.pick<unknown>([0, -1, 'x', oddJson(random)]) };
  const persistedQuery = {
    version: random.pick<unknown>([1, 2, oddJson(random)]),
    sha256Hash: oddJson(random),
  };
  return random.pick<() => unknown>([
    () => ({ ...whole, query: oddJson(random) }),
    () => ({ ...whole, extensions: oddJson(random) }),
    () => ({ ...whole, extensions: { chain } }),
    () => ({ ...whole, extensions: { persistedQuery } }),
    () => ({ extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }),
    () => ({ documentId: oddJson(random) }),
    () => ({ ...whole, [oddText(random)]: oddJson(random) }),
    () => ({ variables: {} }),
    () => Array.from({ length: random.below(4) }, () => whole),
    () => oddJson(random),
  ])();
}

function oddBody(generated: GeneratedQuery, random: Random): string | Buffer {
  const whole = JSON.stringify(generated);
  return random.pick<() => string | Buffer>([
    () => whole.slice(0, random.below(whole.length)),
    () => `${whole}${wellFormed(oddText(random))}`,
    () => Buffer.from(Array.from({ length: random.magnitude(1, 3_000) }, () => random.below(256))),
    () => Buffer.from(whole, 'utf16le'),
    () => nestedLists(random.magnitude(10, 100_000)),
    () => `{"query":"{ chain { slot } }","variables":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
    () => `{"query":"{ chain { slot } }","variables":${nestedLists(random.magnitude(10, 100_000))}}`,
    () => `{"query":"{ chain { slot } }","query":${JSON.stringify(oddText(random))}}`,
    () => '',
    () => 'query={chain{slot}}',
    () => '{ chain { slot } }',
  ])();
}
