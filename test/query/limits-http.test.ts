import { request as httpRequest } from 'node:http';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import type { RpcCall } from '@sluice/rpc-pool';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { STILL } from '../support/apps/test-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

interface Body {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions: Record<string, unknown>;
  }[];
}

let localChain: UnchangedChain;
let rpc: LocalnetRpc;
let app: App;
let site: Site;
const lines: string[] = [];
const calls: RpcCall[] = [];
const logged = (message: string) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);

beforeAll(async () => {
  localChain = unchangedChain();
  rpc = await serveChain(localChain);
  const config = loadConfig({ ...STILL, SOLANA_RPC_URLS: rpc.url, MAX_BODY_BYTES: '20000' });
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  app = await createApp(config, { logger, onRpcCall: (call) => calls.push(call) });
  site = await serveSite(app.fetch);
  await until(() => app.chain.views.newest !== undefined);
});

afterAll(async () => {
  await site?.close();
  await app?.stop();
  await rpc?.close();
});

afterEach(() => {
  vi.restoreAllMocks();
  rpc.faults.clear();
  lines.length = 0;
  calls.length = 0;
});

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://sluice.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
}

async function ask(query: string, headers: Record<string, string> = {}, variables = {}) {
  const response = await app.fetch(post(JSON.stringify({ query, variables }), headers));
  return { response, body: (await response.json()) as Body };
}

const codesOf = ({ errors }: Body) => errors?.map(({ extensions }) => extensions.code);

describe('a body that is too large', () => {
  const tooLarge = {
    errors: [
      {
        message: 'The request body is larger than 20000 bytes. Send a smaller one.',
        extensions: { code: 'BODY_TOO_LARGE', ceiling: 20_000, retryable: false },
      },
    ],
  };

  it('is rejected by its content-length, unread', async () => {
    const response = await app.fetch(post('x', { 'content-length': '20001' }));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(tooLarge);
  });

  it('is rejected as soon as too much has arrived', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const response = await app.fetch(post(endless));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual(tooLarge);
    expect(chunks).toBeLessThan(30);
  });

  it('is rejected over a socket while it is being sent', async () => {
    const { port } = new URL(site.origin);
    const status = await new Promise((resolve, reject) => {
      const options = {
        port,
        path: '/graphql',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      };
      const sending = httpRequest(options, (response) => {
        resolve(response.statusCode);
        sending.destroy();
      });
      sending.on('error', reject);
      for (let i = 0; i < 50; i += 1) sending.write('x'.repeat(1000));
    });
    expect(status).toBe(413);
  });

  it('is measured in bytes: the largest allowed body is answered', async () => {
    const query = '{ chain { cluster } }';
    const padded = JSON.stringify({ query, operationName: null }).padEnd(20_000, ' ');
    for (const headers of [{}, { 'content-length': '20000' }]) {
      const response = await app.fetch(post(padded, headers));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ data: { chain: { cluster: 'mainnet-beta' } } });
    }
  });
});

describe('a request that is not a single JSON operation', () => {
  it.each([
    [
      'a batch of operations',
      '[{"query":"{ chain { slot } }"},{"query":"{ chain { slot } }"}]',
      400,
      'BAD_REQUEST',
    ],
    ['broken JSON', '{"query":', 400, 'BAD_REQUEST'],
    ['no object', '"query"', 400, 'BAD_REQUEST'],
    [
      'an operation name that does not exist',
      '{"query":"query A { chain { slot } }","operationName":"B"}',
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
  ])('is rejected: %s', async (_, body, status, code) => {
    const response = await app.fetch(post(body));
    expect(response.status).toBe(status);
    const answer = (await response.json()) as Body;
    expect(codesOf(answer)).toEqual([code]);
    expect(JSON.stringify(answer)).not.toMatch(/originalError|Unexpected token|SyntaxError/);
  });

  it.each(['APPLICATION/JSON', 'Application/Json; charset=UTF-8', 'application/json ; charset=utf-8'])(
    'excludes JSON content types in other spellings: %s',
    async (type) => {
      const headers = { 'content-type': type, 'sec-fetch-site': 'cross-site' };
      const body = JSON.stringify({ query: '{ chain { slot } }' });
      const direct = await app.fetch(post(body, headers));
      expect([direct.status, await direct.json()]).toMatchObject([200, { data: { chain: {} } }]);
      const served = await fetch(`${site.origin}/graphql`, { method: 'POST', headers, body });
      expect([served.status, await served.json()]).toMatchObject([200, { data: { chain: {} } }]);
    },
  );

  it.each(['TEXT/PLAIN', 'Application/X-www-form-urlencoded', 'text/plain; application/json'])(
    'is rejected as a simple cross-site request: %s',
    async (type) => {
      const response = await app.fetch(post('{"query":"{ chain { slot } }"}', { 'content-type': type }));
      expect(codesOf((await response.json()) as Body)).toEqual(['CROSS_SITE_REQUEST']);
    },
  );

  it('is rejected as a multipart form', async () => {
    const form = new FormData();
    form.set('operations', '{"query":"{ chain { slot } }"}');
    const response = await app.fetch(
      new Request('http://sluice.test/graphql', {
        method: 'POST',
        headers: { 'x-csrf-prevention': '1' },
        body: form,
      }),
    );
    expect(response.status).toBe(415);
    expect(codesOf((await response.json()) as Body)).toEqual(['UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('input that is nested 5,000 deep', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const bodies = [
    ['variables', `{"query":"{ chain { slot } }","variables":{"a":${deep}}}`],
    ['extensions', `{"query":"{ chain { slot } }","extensions":{"chain":${deep}}}`],
  ] as const;

  it.each(bodies)('is refused in %s, and nothing is logged as a fault', async (_, body) => {
    const response = await app.fetch(post(body));
    expect(response.status).toBe(400);
    expect(codesOf((await response.json()) as Body)).toEqual(['INPUT_TOO_DEEP']);
    expect(logged('request failed')).toEqual([]);
  });

  it('is refused in the URL', async () => {
    const search = new URLSearchParams({ query: '{ chain { slot } }', variables: `{"a":${deep}}` });
    const response = await app.fetch(new Request(`http://sluice.test/graphql?${search}`));
    expect([response.status, codesOf((await response.json()) as Body)]).toEqual([400, ['INPUT_TOO_DEEP']]);
  });

  it.each([
    ['unclosed lists', `{ vault(address: ${'['.repeat(2_900)}`],
    ['lists', `{ vault(address: ${'['.repeat(1_400)}1${']'.repeat(1_400)}) { name } }`],
    ['objects', `{ vault(address: ${'{a:'.repeat(600)}1${'}'.repeat(600)}) { name } }`],
    ['selections', `${'{ a '.repeat(900)}${'}'.repeat(900)}`],
    ['types', `query ($a: ${'['.repeat(1_400)}Int${']'.repeat(1_400)}) { chain { slot } }`],
    ['lists after a text that closes them', `{ a(b: "${']'.repeat(300)}" c: ${'['.repeat(600)}`],
  ])('is refused in the document, as %s', async (_, query) => {
    const { response, body } = await ask(query);
    expect([response.status, codesOf(body)]).toEqual([400, ['INPUT_TOO_DEEP']]);
    expect(logged('request failed')).toEqual([]);
  });

  it('is not what a text with brackets is', async () => {
    const text = '['.repeat(300);
    const { body } = await ask(`# ${text}\n{ a(b: "\\"${text}") c(d: """\\""" " ${text}""") }`);
    expect(new Set(codesOf(body))).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED']));
  });
});

describe('an error in the request', () => {
  const vault = 'query ($a: Address!) { vault(address: $a) { name } }';
  it.each([
    ['syntax', '{ vaults( }', {}, 'GRAPHQL_PARSE_FAILED'],
    ['a field that is not there', '{ vaultz { name } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['a literal of the wrong type', '{ vaults(first: "x") { totalCount } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a variable of the wrong type',
      'query ($n: Int) { vaults(first: $n) { totalCount } }',
      { n: 'x' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a variable that is missing', vault, {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['an address as a literal', '{ vault(address: "x") { name } }', {}, 'ADDRESS_INVALID'],
    ['an address as a variable', vault, { a: 'x' }, 'ADDRESS_INVALID'],
    ['an identifier that is none', '{ node(id: "x") { id } }', {}, 'BAD_REQUEST'],
  ])('has a code: %s', async (_, query, variables, code) => {
    const { body } = await ask(query, {}, variables);
    expect(codesOf(body)).toEqual([code]);
  });

  it.each([
    ['application/json', 200],
    ['application/graphql-response+json', 400],
  ])('in a variable has the status for %s', async (accept, status) => {
    const { response } = await ask(vault, { accept }, { a: 'x' });
    expect(response.status).toBe(status);
  });

  it('quotes at most a short part of the input', async () => {
    const { body } = await ask(vault, {}, { a: 'x'.repeat(10_000) });
    expect(body.errors?.[0]?.message.length).toBeLessThan(600);
  });
});

describe('the request id', () => {
  it.each(['a', 'trace-1.2_3', '0af7651916cd43dd8448eb211c80319c', 'x'.repeat(128)])(
    'is taken from the caller: %s',
    async (id) => {
      const { response } = await ask('{ chain { slot } }', { 'x-request-id': id });
      expect(response.headers.get('x-request-id')).toBe(id);
      const health = await app.fetch(
        new Request('http://sluice.test/health', { headers: { 'x-request-id': id } }),
      );
      expect(health.headers.get('x-request-id')).toBe(id);
    },
  );

  it.each(['', 'a b', '"><script>', 'x'.repeat(129)])(
    'is generated when the caller\u2019s is invalid: %s',
    async (id) => {
      const { response } = await ask('{ chain { slot } }', { 'x-request-id': id });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('differs from request to request, on every path', async () => {
    const ids = await Promise.all(
      ['/health', '/nowhere', '/', '/graphql', '/metrics'].map(async (path) =>
        (await app.fetch(new Request(`http://sluice.test${path}`))).headers.get('x-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(5);
    expect(ids).not.toContain(null);
  });
});

describe('an internal fault', () => {
  const SECRET = 'https://rpc.example/very-secret-key';

  it('in a resolver is masked, reported with the request id, and logged once with its stack', async () => {
    vi.spyOn(app.chain, 'state').mockImplementation(() => {
      throw new TypeError(`cannot read ${SECRET}`);
    });
    const { response, body } = await ask('{ a: chain { slot } }', { 'x-request-id': 'quote-me' });
    expect(body.errors).toEqual([
      {
        message: 'Internal error. Report it with the request id.',
        locations: [{ line: 1, column: 3 }],
        path: ['a'],
        extensions: { code: 'INTERNAL', retryable: false, requestId: 'quote-me' },
      },
    ]);
    expect(response.status).toBe(200);
    const faults = logged('request failed');
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({
      level: 'error',
      id: 'quote-me',
      occurrences: 1,
      err: {
        name: 'TypeError',
        message: 'cannot read [hidden]',
        stack: expect.stringContaining('limits-http.test.ts'),
      },
    });
    expect(lines.join('')).not.toContain('secret');
  });

  it('before the first resolver fails the whole request', async () => {
    vi.spyOn(app.chain, 'openSession').mockRejectedValue(new Error(SECRET));
    const { response, body } = await ask('{ chain { slot } }', { 'x-request-id': 'quote-me' });
    expect(response.status).toBe(500);
    expect(body).toEqual({
      errors: [
        {
          message: 'Internal error. Report it with the request id.',
          extensions: { code: 'INTERNAL', retryable: false, requestId: 'quote-me' },
        },
      ],
    });
    expect(logged('request failed')).toHaveLength(1);
  });

  it('on another path is masked too', async () => {
    vi.spyOn(app.chain, 'state').mockImplementation(() => {
      throw new Error(SECRET);
    });
    const response = await app.fetch(
      new Request('http://sluice.test/ready', { headers: { 'x-request-id': 'quote-me' } }),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: 'Internal error. Report it with the request id.',
      code: 'INTERNAL',
      requestId: 'quote-me',
    });
    expect(logged('request failed')).toHaveLength(1);
    expect(lines.join('')).not.toContain('secret');
  });
});

describe('a caller that disconnects', () => {
  it('cancels the reads of the request', async () => {
    let hanging = false;
    const when = () => {
      hanging = true;
      return true;
    };
    rpc.faults.add({ method: 'getMultipleAccounts', hang: true, when });
    const leaving = new AbortController();
    const { obligation } = localChain.addresses;
    const sending = fetch(`${site.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ obligation(address: "${obligation}") { address } }` }),
      signal: leaving.signal,
    });
    sending.catch(() => undefined);
    await until(() => hanging);
    leaving.abort();
    await expect(sending).rejects.toThrow();
    await until(() => calls.some(({ outcome }) => outcome === 'REQUEST_CANCELLED'));
    await until(() => logged('request').length === 1);
    expect(logged('request')[0]).toMatchObject({ path: '/graphql', status: 499 });
    expect(logged('request failed')).toEqual([]);
  });
});
