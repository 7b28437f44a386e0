import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient, graphql, hasCode, SluiceError } from '../src/index.ts';
import {
  cut,
  dropped,
  failure,
  html,
  json,
  type ScriptedGateway,
  silence,
  startScriptedGateway,
} from './support/scripted-gateway.ts';

const SLOT = graphql('query Slot { chain { slot } }');
const ANSWER = json(200, { data: { chain: { slot: '5' } } });

let gateway: ScriptedGateway;

beforeAll(async () => {
  gateway = await startScriptedGateway();
});
afterAll(() => gateway?.close());

const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: gateway.url, retry: { firstDelayMs: 1, maxDelayMs: 2_000 }, ...options });

async function failed(promise: Promise<unknown>): Promise<SluiceError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SluiceError) return error;
    throw error;
  }
  return expect.fail('it succeeded');
}

describe('a request that fails', () => {
  it.each([
    ['drops the connection', dropped],
    ['cuts the answer', cut],
    ['is behind a proxy that answers 503', html(503)],
    ['is behind a proxy that answers 429', html(429, { 'retry-after': '0' })],
    ['says that a retry may help', failure('RPC_UNAVAILABLE', { retryable: true })],
    ['limits the rate', failure('RATE_LIMITED', { retryable: true, retryAfter: 0 }, 429)],
  ])('is repeated with the same id when the gateway %s', async (_, reply) => {
    gateway.reply(reply, reply, ANSWER);
    const { data } = await clientOf().query(SLOT, {});
    expect(data.chain.slot).toBe('5');
    expect(gateway.requests).toHaveLength(3);
    expect(new Set(gateway.requests.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
  });

  it.each([
    ['in the error', failure('RATE_LIMITED', { retryable: true, retryAfter: 40 }, 429), 'RATE_LIMITED'],
    ['in the header', failure('TOO_MANY_STREAMS', { retryable: true }, 429, '40'), 'TOO_MANY_STREAMS'],
    ['by a proxy', html(503, { 'retry-after': '40' }), 'BAD_ANSWER'],
  ] as const)(
    'is not repeated when the wait, given %s, is longer than the client takes',
    async (_, reply, code) => {
      gateway.reply(reply, ANSWER);
      const error = await failed(clientOf().query(SLOT, {}));
      expect([error.code, error.retryAfter, error.retryable]).toEqual([code, 40, true]);
      expect(gateway.requests).toHaveLength(1);
    },
  );

  it.each([
    ['an error that a retry cannot change', failure('VIEW_GONE', { retryable: false }, 400), 'VIEW_GONE', 1],
    ['a page of a proxy', html(403), 'BAD_ANSWER', 1],
    ['JSON of something else', json(200, { hello: 'world' }), 'BAD_ANSWER', 1],
    ['neither data nor errors', json(200, { data: null }), 'BAD_ANSWER', 1],
    ['nothing, every time', dropped, 'NETWORK', 3],
    ['an error, every time', failure('RPC_TIMEOUT', { retryable: true }), 'RPC_TIMEOUT', 3],
  ] as const)('is thrown after %s', async (_, reply, code, attempts) => {
    gateway.reply(reply);
    const error = await failed(clientOf({ retry: { retries: 2, firstDelayMs: 1 } }).query(SLOT, {}));
    expect(error.code).toBe(code);
    expect(gateway.requests).toHaveLength(attempts);
    expect(error.requestId).toBe(gateway.requests[0]?.headers['x-request-id']);
  });

  it('is TIMEOUT when no answer arrives', async () => {
    gateway.reply(silence);
    const client = clientOf({ timeoutMs: 50, retry: { retries: 1, firstDelayMs: 1 } });
    const error = await failed(client.query(SLOT, {}));
    expect(hasCode(error, 'TIMEOUT', 'NETWORK') && error.code).toBe('TIMEOUT');
    expect(gateway.requests).toHaveLength(2);
  });

  it('is NETWORK when nothing listens', async () => {
    const closed = await startScriptedGateway();
    await closed.close();
    const client = clientOf({ url: closed.url, retry: { retries: 0 } });
    expect(await failed(client.query(SLOT, {}))).toMatchObject({ code: 'NETWORK', retryable: true });
  });
});

describe('a caller that loses interest', () => {
  const reason = new Error('the page was closed');

  it('is rejected with its reason while it waits for an answer', async () => {
    gateway.reply(silence);
    const stop = new AbortController();
    const answer = clientOf().query(SLOT, {}, { signal: stop.signal });
    await expect.poll(() => gateway.requests.length, { timeout: 60_000 }).toBe(1);
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  it('is rejected with its reason while it waits for a retry', async () => {
    gateway.reply(failure('RATE_LIMITED', { retryable: true, retryAfter: 2 }, 429));
    const stop = new AbortController();
    const answer = clientOf().query(SLOT, {}, { signal: stop.signal });
    await expect.poll(() => gateway.requests.length, { timeout: 60_000 }).toBe(1);
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(gateway.requests).toHaveLength(1);
  });

  it('sends nothing when it was lost before', async () => {
    gateway.reply(ANSWER);
    const answer = clientOf().query(SLOT, {}, { signal: AbortSignal.abort(reason) });
    await expect(answer).rejects.toBe(reason);
    expect(gateway.requests).toEqual([]);
  });
});

describe('a request', () => {
  it('has the key and id that functions return, and the path below which the gateway is served', async () => {
    gateway.reply(ANSWER);
    let count = 0;
    const client = clientOf({
      url: `${gateway.url}/sluice`,
      key: async () => `key-${count}`,
      requestId: () => {
        count += 1;
        return `id-${count}`;
      },
    });
    await client.query(SLOT, {});
    await client.at('v1').query(SLOT, {});
    await client.at('v1').after('77').query(SLOT, {});
    expect(gateway.requests.map(({ path }) => path)).toEqual(Array(3).fill('/sluice/graphql'));
    const sent = gateway.requests.map(({ headers }) => [
      headers['x-request-id'],
      headers.authorization,
      headers['x-view'],
      headers['x-min-slot'],
    ]);
    expect(sent).toEqual([
      ['id-1', 'Bearer key-1', undefined, undefined],
      ['id-2', 'Bearer key-2', 'v1', undefined],
      ['id-3', 'Bearer key-3', undefined, '77'],
    ]);
  });

  it('is not repeated when the function for the key fails', async () => {
    gateway.reply(ANSWER);
    const client = clientOf({ key: () => Promise.reject(new Error('the vault is locked')) });
    await expect(client.query(SLOT, {})).rejects.toThrow('the vault is locked');
    expect(gateway.requests).toEqual([]);
  });
});
