import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let gateway: TestApp;
beforeAll(async () => {
  // Nothing listens there: the chain will never be read.
  gateway = await startTestApp({
    rpcUrls: ['http://127.0.0.1:9'],
    env: { RPC_TIMEOUT_MS: '200', LOG_LEVEL: 'silent' },
  });
});
afterAll(() => gateway?.stop());

it('the schema is told before the chain has been read, so that GraphiQL works', async () => {
  const answer = await gateway.query('{ __schema { queryType { name } } __type(name: "Vault") { name } }');
  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual({ __schema: { queryType: { name: 'Query' } }, __type: { name: 'Vault' } });
});

it('a question about the chain is refused with a code until then', async () => {
  const answer = await gateway.query('{ __typename chain { slot } }');
  expect(answer.errors[0]?.extensions).toMatchObject({ code: 'VIEW_NOT_READY', retryable: true });
});
