import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import type { QuoteRequest } from '../../src/quotes/quote-source.ts';
import { SwapApi } from '../../src/quotes/swap-api.ts';
import { ANSWER, REQUEST, ROUTER } from '../support/quotes/swap-answer.ts';

/** The adapter of the swap API over HTTP, against a server that answers well, badly, slowly or not at all. */

const TIMEOUT_MS = 400;
const CONCURRENCY = 4;

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answerer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

let server: Server;
let url: string;
let answerer: Answerer;
let requests: IncomingMessage[];
let nowMs: number;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    answerer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answerer = json(200, ANSWER);
  requests = [];
  nowMs = 0;
});

const newApi = (base = url) =>
  new SwapApi({
    url: base,
    apiKey: 'secret-key',
    router: ROUTER,
    timeoutMs: TIMEOUT_MS,
    concurrency: CONCURRENCY,
    now: () => nowMs,
  });

async function errorOf(api: SwapApi, request: QuoteRequest = REQUEST, signal = new AbortController().signal) {
  try {
    await api.quote(request, signal);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    expect(error.message).not.toContain('secret-key');
    return error;
  }
  throw new Error('a quote');
}

describe('the request', () => {
  it('asks for an exact amount in, by the wallet, and states the key in a header', async () => {
    const quote = await newApi(`${url}/`).quote(REQUEST, new AbortController().signal);
    expect(quote.guaranteedOut).toBe(16_117_759n);
    const [request] = requests;
    const asked = new URL(request?.url ?? '', url);
    expect([request?.method, asked.pathname]).toEqual(['GET', '/swap/v2/build']);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      inputMint: REQUEST.sold.mint,
      outputMint: REQUEST.bought.mint,
      amount: '1000000',
      taker: REQUEST.wallet,
      slippageBps: '50',
      maxAccounts: '40',
      wrapAndUnwrapSol: 'false',
    });
    expect(request?.headers['x-api-key']).toBe('secret-key');
  });

  it('ends with the work that it is for', async () => {
    answerer = () => undefined;
    const work = new AbortController();
    const quote = newApi().quote(REQUEST, work.signal);
    work.abort(new Error('gone'));
    await expect(quote).rejects.toThrow('gone');
  });
});

describe('an answer is unavailable', () => {
  const HUGE = { ...ANSWER, routePlan: ['x'.repeat(600_000)] };

  it.each<[string, RegExp, Answerer]>([
    ['with a status of 503', /status 503/, json(503, {})],
    ['with a status of 401', /status 401/, json(401, {})],
    [
      'that redirects, which would send the key to another host',
      /status 302/,
      json(302, {}, { location: '/other' }),
    ],
    ['that is slow', /no answer within 400 ms/, () => undefined],
    ['that is cut off', /no answer/, (_, response) => response.destroy()],
    ['that is huge', /larger than 500000 bytes/, json(200, HUGE)],
    ['that is not JSON', /not JSON/, (_, response) => response.end('<html>')],
    [
      'without an instruction',
      /malformed at swapInstruction/,
      json(200, { ...ANSWER, swapInstruction: undefined }),
    ],
    ['of an exact amount out', /malformed at swapMode/, json(200, { ...ANSWER, swapMode: 'ExactOut' })],
    [
      'with an amount beyond 64 bits',
      /malformed at outAmount/,
      json(200, { ...ANSWER, outAmount: '18446744073709551616' }),
    ],
    ['with a number for an amount', /malformed at inAmount/, json(200, { ...ANSWER, inAmount: 1_000_000 })],
  ])('%s', async (_, message, answer) => {
    answerer = answer;
    const error = await errorOf(newApi());
    expect(error.code).toBe('QUOTE_UNAVAILABLE');
    expect(error.message).toMatch(message);
  });

  it('where nothing listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const error = await errorOf(newApi(`http://127.0.0.1:${port}`));
    expect([error.code, error.message]).toEqual([
      'QUOTE_UNAVAILABLE',
      expect.stringContaining('ECONNREFUSED'),
    ]);
  });
});

describe('an answer is refused', () => {
  it('with the reason of the API, without characters that a message should not have', async () => {
    answerer = json(400, { error: 'NO_ROUTES_FOUND <b>`' });
    const error = await errorOf(newApi());
    expect(error.code).toBe('QUOTE_REFUSED');
    expect(error.message).toContain('(NO_ROUTES_FOUND b)');
  });

  it('that is for another token', async () => {
    answerer = json(200, { ...ANSWER, outputMint: REQUEST.sold.mint });
    expect((await errorOf(newApi())).code).toBe('QUOTE_REFUSED');
  });
});

describe('a rate limit', () => {
  it('is respected until it is over, without further requests', async () => {
    const api = newApi();
    const inThirty = String(Math.floor(Date.now() / 1_000) + 30);
    answerer = json(429, {}, { 'x-ratelimit-reset': inThirty });
    const limited = await errorOf(api);
    expect(limited.code).toBe('QUOTE_UNAVAILABLE');
    const { retryAfter } = limited.context as { retryAfter: number };
    expect(retryAfter).toBeGreaterThan(25);
    expect(retryAfter).toBeLessThanOrEqual(30);
    answerer = json(200, ANSWER);
    nowMs = 20_000;
    expect((await errorOf(api)).code).toBe('QUOTE_UNAVAILABLE');
    expect(requests).toHaveLength(1);
    nowMs = 31_000;
    await api.quote(REQUEST, new AbortController().signal);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['absent', {}, 5],
    ['a year away', { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 31_536_000) }, 60],
    ['over already', { 'x-ratelimit-reset': '1' }, 1],
  ])('whose end is %s is waited for within bounds', async (_, headers, seconds) => {
    answerer = json(429, {}, headers);
    expect((await errorOf(newApi())).context).toMatchObject({ retryAfter: seconds });
  });
});

it('no more requests run at a time than configured, and a caller has half of them', async () => {
  const api = newApi();
  const waiting: (() => void)[] = [];
  answerer = (request, response) => void waiting.push(() => json(200, ANSWER)(request, response));
  const until = async (count: number) => {
    while (requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(requests).toHaveLength(count);
  };
  const quote = (caller: string) => api.quote({ ...REQUEST, caller }, new AbortController().signal);
  const quotes = ['a', 'a', 'a', 'a'].map(quote);
  await until(CONCURRENCY / 2);
  quotes.push(...['b', 'b', 'b'].map(quote));
  await until(CONCURRENCY);
  answerer = json(200, ANSWER);
  for (const answer of waiting) answer();
  await expect(Promise.all(quotes)).resolves.toHaveLength(7);
});
