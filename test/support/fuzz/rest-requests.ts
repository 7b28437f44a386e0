import { Random } from '@sluice/localnet/world/prng';
import { bodyProperties, type DocumentedOperation, OPENAPI } from '../contract/openapi-validator.ts';
import type { ValuePool } from '../execution/query-arguments.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { oddHeaders } from './odd-headers.ts';
import { nestedLists, oddJson, oddText, wellFormed } from './odd-values.ts';
import { parameterValue, placeOf } from './rest-values.ts';

export interface RestFuzzOptions {
  readonly pool: ValuePool;
  readonly seed: number;
}

interface Documented {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

const OPERATIONS: readonly Documented[] = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'PURGE'];
const RAW = [
  '%00',
  '%ZZ',
  '%',
  '%2F',
  '%2e%2e%2f',
  '..',
  '.',
  '%E0%A4%A',
  '%F0%9F%A6%80',
  '%25%30%30',
  'a%0d%0ab',
  ';',
  '*',
];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  '',
];
/** Values of one of the builders' fields in a body. */
const BODY_ODDITY = 15;

const encoded = (text: string) => encodeURIComponent(wellFormed(text));

/** The request with a given number. It depends only on the seed, not on earlier requests. */
export function restRequest({ pool, seed }: RestFuzzOptions, number: number): FuzzRequest {
  const random = new Random('rest', seed, number);
  const documented = random.pick(OPERATIONS);
  const plain = plainRequest(documented, pool, random);
  const request = random.chance(45) ? plain : odd(plain, random);
  if (!random.chance(8)) return request;
  if (random.chance(10)) return { ...request, kind: `${request.kind}, hangs up`, hangsUp: true };
  return {
    ...request,
    kind: `${request.kind}, headers`,
    headers: { ...request.headers, ...oddHeaders(random) },
  };
}

function plainRequest({ method, path, operation }: Documented, pool: ValuePool, random: Random): FuzzRequest {
  const parameters = operation.parameters ?? [];
  const value = (name: string) => {
    const known = parameters.find((each) => each.name === name);
    return parameterValue(known ?? { name, schema: { pattern: '' } }, placeOf(path, name), pool, random);
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(value(name)));
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required === true || random.chance(45)))
    .map(({ name }) => `${name}=${encoded(value(name))}`);
  const target = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  const properties = bodyProperties(operation);
  if (properties === undefined) return { kind: 'plain', method: method.toUpperCase(), target, headers: {} };
  const body = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      random.chance(BODY_ODDITY) ? oddJson(random) : parameterValue({ name, schema }, name, pool, random),
    ]),
  );
  const headers = { 'content-type': 'application/json' };
  return { kind: 'plain', method: method.toUpperCase(), target, headers, body: JSON.stringify(body) };
}

/** The request with one oddity. */
function odd(request: FuzzRequest, random: Random): FuzzRequest {
  const { target, body = '' } = request;
  const text = body.toString();
  const joint = target.includes('?') ? '&' : '?';
  const ways: readonly (readonly [string, () => Partial<FuzzRequest>])[] = [
    ['method', () => ({ method: random.pick(METHODS) })],
    ['parameter twice', () => ({ target: target.replace(/([?&])([^&]+)$/, '$1$2&$2') })],
    [
      'unknown parameter',
      () => ({
        target: `${target}${joint}${encoded(oddText(random))}=${encoded(oddText(random))}`.slice(0, 12_000),
      }),
    ],
    [
      'raw parameter',
      () => ({
        target: `${target}${joint}${random.pick(['start', 'limit', 'env', 'markets', ''])}=${random.pick(RAW)}`,
      }),
    ],
    ['parameter missing', () => ({ target: target.replace(/\?.*$/, '') })],
    ['raw segment', () => ({ target: segmentChanged(target, random, () => random.pick(RAW)) })],
    [
      'odd segment',
      () => ({ target: segmentChanged(target, random, () => encoded(oddText(random))).slice(0, 12_000) }),
    ],
    ['segment gone', () => ({ target: segmentChanged(target, random, () => '') })],
    ['encoded slash', () => ({ target: `/${target.slice(1).replace('/', '%2F')}` })],
    [
      'two slashes',
      () => ({ target: random.pick([`/${target}`, `${target}/`, target.replaceAll('/', '//')]) }),
    ],
    ['case', () => ({ target: target.toUpperCase() })],
    ['long', () => ({ target: `${target}${joint}a=${'9'.repeat(random.magnitude(100, 10_000))}` })],
    ['whole address', () => ({ target: `http://other.example${target}` })],
    [
      'body',
      () => ({
        method: 'POST',
        body: oddBody(text, random),
        headers: { 'content-type': 'application/json' },
      }),
    ],
    [
      'body of another type',
      () => ({ headers: { 'content-type': random.pick(TYPES) }, ...(text === '' ? {} : { body: text }) }),
    ],
    ['body where none belongs', () => ({ body: JSON.stringify(oddJson(random)) })],
  ];
  const [kind, change] = random.pick(ways);
  return { ...request, kind, ...change() };
}

function segmentChanged(target: string, random: Random, to: () => string): string {
  const [path = '', query] = target.split('?');
  const segments = path.split('/');
  segments[random.between(1, segments.length - 1)] = to();
  return `${segments.join('/')}${query === undefined ? '' : `?${query}`}`;
}

function oddBody(text: string, random: Random): string | Buffer {
  return random.pick<() => string | Buffer>([
    () => JSON.stringify(oddJson(random)),
    () => text.slice(0, random.below(text.length + 1)),
    () => Buffer.from(Array.from({ length: random.magnitude(1, 2_000) }, () => random.below(256))),
    () => nestedLists(random.magnitude(10, 100_000)),
    () => Buffer.from(text, 'utf16le'),
    () => text.replace('{', '{"__proto__":{"amount":"1"},'),
    () => `${text}${text}`,
    () => `{"amount":"${'9'.repeat(random.magnitude(10, 200_000))}"}`,
    () => '',
  ])();
}
