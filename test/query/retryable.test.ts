import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ frozen: true, env: { MAX_BODY_BYTES: '10000' } });
});

afterAll(async () => {
  await gateway?.stop();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const query = (text: string, variables = {}) => JSON.stringify({ query: text, variables });
const PLAIN = query('{ chain { slot } }');
const NULLED = { condition: null };

interface Asked {
  readonly body: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MISTAKES: readonly (readonly [string, Asked])[] = [
  ['a document that does not parse', { body: query('{ nonsense') }],
  ['an unknown field', { body: query('{ nonsense }') }],
  [
    'a variable of the wrong type',
    { body: query('query ($n: Int) { vaults(first: $n) { totalCount } }', { n: 'x' }) },
  ],
  [
    'an invalid address in a variable',
    { body: query('query ($a: Address!) { vault(address: $a) { name } }', { a: 'x' }) },
  ],
  [
    'a condition that is null',
    { body: query('query ($condition: Boolean = true) { chain { slot @skip(if: $condition) } }', NULLED) },
  ],
  ['an unclear operation', { body: query('query A { __typename } query B { __typename }') }],
  [
    'too many aliases',
    { body: query(`{ ${Array.from({ length: 101 }, (_, i) => `a${i}: __typename`).join(' ')} }`) },
  ],
  ['a field error', { body: query('{ vault(address: "11111111111111111111111111111111") { name } }') }],
  ['a body that is not JSON', { body: '{' }],
  ['a body without a query', { body: '{}' }],
  ['a batch', { body: '[]' }],
  ['a query that is not text', { body: '{"query": 5}' }],
  ['variables that are not an object', { body: '{"query": "{ __typename }", "variables": 5}' }],
  ['a body that is too long', { body: query(`{ chain { slot } } ${'#'.repeat(10_000)}`) }],
  [
    'another content type',
    { body: PLAIN, headers: { 'content-type': 'application/xml', 'x-csrf-prevention': '1' } },
  ],
  ['a form', { body: PLAIN, headers: { 'content-type': 'text/plain' } }],
  ['another method', { body: PLAIN, method: 'PUT' }],
  ['an unacceptable answer', { body: PLAIN, headers: { ...JSON_TYPE, accept: 'image/png' } }],
  [
    'an unknown hash',
    { body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }) },
  ],
  ['an unknown operation id', { body: '{"documentId": "nothing"}' }],
  ['a View that is gone', { body: PLAIN, headers: { ...JSON_TYPE, 'x-view': 'gone-1' } }],
  ['an unknown API key', { body: PLAIN, headers: { ...JSON_TYPE, 'x-api-key': 'sluice_nothing' } }],
  [
    'a subscription with an invalid variable',
    {
      body: query('subscription ($a: Address!) { wallet(address: $a) { __typename } }', { a: 'x' }),
      headers: { ...JSON_TYPE, accept: 'text/event-stream' },
    },
  ],
];

async function errorsOf({ body, method = 'POST', headers = JSON_TYPE }: Asked) {
  const request = new Request('http://sluice.test/graphql', { method, headers, body });
  const text = await (await gateway.app.fetch(request)).text();
  const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(json) as { errors: { extensions: Record<string, unknown> }[] }).errors;
}

describe('every error of a request says that a retry is useless', () => {
  it.each(MISTAKES)('%s', async (_, asked) => {
    const errors = await errorsOf(asked);
    expect(errors.length).toBeGreaterThan(0);
    for (const { extensions } of errors)
      expect(extensions).toMatchObject({ code: expect.any(String), retryable: false });
  });
});
