import { connect } from 'node:net';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { abuses } from '../../bench/abuse-requests.ts';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

const LIMIT = 50;
/** Soon enough not to be waited for. */
const SLOW_CLIENTS = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 100 };

const localChain = unchangedChain();
let rpc: LocalnetRpc;
let gateway: TestApp;
let limited: TestApp;
let port: number;
let close: () => Promise<void>;

beforeAll(async () => {
  rpc = await serveChain(localChain);
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
  limited = await startReadyApp({
    rpcUrls: [rpc.url],
    env: { ...STILL, RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' },
  });
  ({ port, close } = await serve(gateway));
});
afterAll(async () => {
  await close?.();
  await gateway?.stop();
  await limited?.stop();
  await rpc?.close();
});

async function serve({ app }: TestApp): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createHttpServer(app, { requestTimeoutMs: 15_000, slowClientLimits: SLOW_CLIENTS });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends bytes as they are and gives everything that comes until the server hangs up. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? undefined : reject(error),
    );
  });
}

const READS = `obligation(address: "${localChain.addresses.obligation}") { address }`;
const post = (to: TestApp, body: string, headers: Record<string, string> = {}) =>
  to.app.fetch(
    new Request('http://sluice.test/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        ...headers,
      },
      body,
    }),
  );

describe('abusive requests', () => {
  it('would reach the RPC if they were executed', async () => {
    const before = rpc.requests.httpRequests;
    expect((await gateway.query(`{ ${READS} }`)).errors).toEqual([]);
    expect(rpc.requests.httpRequests).toBeGreaterThan(before);
  });

  it.each(abuses(READS))(
    'are rejected before anything is executed: $name',
    async ({ body, status, code }) => {
      const before = rpc.requests.httpRequests;
      const response = await post(gateway, body);
      const text = await response.text();
      expect(response.status, text.slice(0, 300)).toBe(status);
      const answer = JSON.parse(text) as {
        data?: unknown;
        errors: { extensions: { code: string } }[];
        extensions?: { cost?: { resolved: number } };
      };
      expect(answer.data).toBeUndefined();
      expect(new Set(answer.errors.map(({ extensions }) => extensions.code))).toEqual(new Set([code]));
      // An object that a resolver gave would have been counted.
      expect(answer.extensions?.cost?.resolved ?? 0).toBe(0);
      expect(text.length).toBeLessThan(100_000);
      expect(rpc.requests.httpRequests).toBe(before);
    },
  );

  it('do not include a query of a front end: the same fields under a hundred aliases', async () => {
    const one = (i: number) =>
      `a${i}: vault(address: "${localChain.addresses.vault}") { name totalValue { usd } currentApy { total } allocations { reserve { token { symbol } } } }`;
    const answer = await gateway.query(`{ ${Array.from({ length: 90 }, (_, i) => one(i)).join(' ')} }`);
    expect(answer.errors).toEqual([]);
  });
});

describe('a client that is slow or violates HTTP', () => {
  it.each([
    ['nothing at all', '', '408'],
    ['headers that do not end', 'GET /kvaults/vaults HTTP/1.1\r\nhost: a\r\nx-slow: ', '408'],
    [
      'a body that does not end',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"query"',
      '408',
    ],
    [
      'a body in chunks that does not end',
      'POST /ktx/klend/deposit HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"wal\r\n',
      '408',
    ],
    ['headers of 17 KB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`, '431'],
    ['a URL of 17 KB', `GET /kvaults/vaults?a=${'x'.repeat(17_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, '431'],
    ['no HTTP', '\u0000\u0001\u0002 nothing \r\n\r\n', '400'],
    [
      'two lengths',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}',
      '400',
    ],
    ['two hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', '400'],
    ['the same host twice', 'GET /kvaults/vaults HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n', '400'],
    [
      'two hosts of a query',
      'POST /graphql HTTP/1.1\r\nhost: a\r\nhost: b\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
      '400',
    ],
    [
      'a length and chunks',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
  ])('is cut off: %s', async (_, bytes, status) => {
    expect((await raw(bytes)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  });

  // The server closes while most of the request is unread. TCP then resets the connection, and a client may lose the answer.
  it.each([
    ['headers of a megabyte', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(1_000_000)}\r\n\r\n`],
    ['a URL of 100 KB', `GET /kvaults/vaults?a=${'x'.repeat(100_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
    [
      'a thousand headers of a KB',
      `GET / HTTP/1.1\r\nhost: a\r\n${`x: ${'x'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`,
    ],
  ])('is cut off, with an answer or a reset: %s', async (_, bytes) => {
    expect(['HTTP/1.1 431', '']).toContain((await raw(bytes)).slice(0, 12));
  });
});

describe('a client over its limit', () => {
  it('is rejected, and takes no capacity from another client', async () => {
    const FLOOD = 1_500;
    const OTHERS = 40;
    const before = rpc.requests.httpRequests;
    const as = (client: string) => ({ 'x-forwarded-for': client });
    const connection = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    const ask = async (client: string, i: number) => {
      const request =
        i % 2 === 0
          ? new Request('http://sluice.test/kvaults/vaults', { headers: as(client) })
          : new Request('http://sluice.test/graphql', {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...as(client) },
              body: JSON.stringify({ query: '{ chain { slot } }' }),
            });
      const response = await limited.app.fetch(request, connection);
      await response.arrayBuffer();
      return response.status;
    };
    const flood = Promise.all(Array.from({ length: FLOOD }, (_, i) => ask('203.0.113.1', i)));
    const others: number[] = [];
    for (let i = 0; i < OTHERS; i += 1) others.push(await ask('203.0.113.2', i));
    const flooded = await flood;
    expect(others).toEqual(others.map(() => 200));
    expect(flooded.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(flooded.filter((status) => status === 429)).toHaveLength(FLOOD - LIMIT);
    expect(rpc.requests.httpRequests).toBe(before);
  });
});

it('an idle connection outlives those of a load balancer, so that none is closed during a request', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  await answer.text();
  expect(Number(/timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60);
});
