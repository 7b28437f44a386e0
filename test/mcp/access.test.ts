import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { schema } from '../../src/graphql/schema.ts';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import type { Graph } from '../../src/mcp/graph.ts';
import { graphqlTool } from '../../src/mcp/tools/graphql.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { connectMcp } from '../support/mcp/mcp-client.ts';

let rpc: LocalnetRpc;
let localChain: UnchangedChain;
let folder: string;
const gateways: TestApp[] = [];

beforeAll(async () => {
  localChain = unchangedChain();
  rpc = await serveChain(localChain);
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});
afterAll(async () => {
  await rpc?.close();
  await rm(folder, { recursive: true });
});

async function gatewayWith(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, ...env } });
  gateways.push(gateway);
  return gateway;
}

interface Failed {
  readonly error?: { readonly data?: { readonly code?: string } };
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

async function post(gateway: TestApp, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await gateway.app.fetch(
    new Request('http://sluice.test/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  const answered = text === '' ? null : (JSON.parse(text) as Failed);
  return { status: response.status, headers: response.headers, body: answered };
}

const errorOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [status, body?.error?.data?.code];
const WIDE =
  '{ vaults(first: 100) { nodes { allocations { reserve { market { reserves { address } } } } } } }';

describe('the limit of a caller', () => {
  it('is that of the other APIs, and refuses in the format of the protocol', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '3' });
    const first = await post(gateway, LIST);
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, expect.stringContaining(';r=2;')]);
    await gateway.query('{ chain { slot } }');
    await post(gateway, LIST);
    const refused = await post(gateway, LIST);
    expect(errorOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body?.error?.data).toMatchObject({
      retryable: true,
      limit: 3,
      retryAfter: expect.any(Number),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await gateway.query('{ chain { slot } }')).errors[0]?.extensions?.code).toBe('RATE_LIMITED');
  });

  it('pays what the query costs, and refuses a call that it does not cover with the code of the graph', async () => {
    const unlimited = await gatewayWith();
    const { extensions } = await unlimited.query(WIDE);
    const cost = (extensions as { cost?: { requested: number } }).cost?.requested ?? 0;
    expect(cost).toBeGreaterThan(1_000);

    const gateway = await gatewayWith({ RATE_LIMIT: '10' });
    const session = await connectMcp(gateway.app, 'modern');
    const error = await session.failure('graphql', { query: WIDE });
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true, context: { limit: 10 } });
    const { vault } = localChain.addresses;
    const left = await post(gateway, LIST);
    const before = Number(/;r=(\d+);/.exec(left.headers.get('ratelimit') ?? '')?.[1]);
    // Finding the kind is a document of its own.
    await session.call('inspect', { address: vault });
    const after = await post(gateway, LIST);
    const rest = Number(/;r=(\d+);/.exec(after.headers.get('ratelimit') ?? '')?.[1]);
    expect(before - rest).toBeGreaterThanOrEqual(3);
    await session.close();
  });

  it('is that of the key, which is needed where the other APIs need it', async () => {
    const made = makeKey({ name: 'assistant', limit: 50, origins: [] }, new Date());
    await new KeyFolder(folder).add(made.key);
    const gateway = await gatewayWith({ KEYS_DIR: folder, REQUIRE_KEY: 'on' });
    expect(errorOf(await post(gateway, LIST))).toEqual([401, 'UNAUTHENTICATED']);
    expect(errorOf(await post(gateway, LIST, { 'x-api-key': 'nonsense' }))).toEqual([401, 'UNAUTHENTICATED']);
    const bearer = { authorization: `Bearer ${made.text}` };
    expect((await post(gateway, LIST, bearer)).headers.get('ratelimit-policy')).toBe('"key";q=50;w=60');
    const session = await connectMcp(gateway.app, 'modern', bearer);
    const { data } = await session.call<object>('inspect', { address: localChain.addresses.market });
    expect(JSON.stringify(data)).toContain(localChain.addresses.reserve);
    await session.close();
  });
});

describe('a request from a browser', () => {
  it('is refused from an origin that the operator has not named, before it is charged', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '100' });
    const refused = await post(gateway, LIST, { origin: 'https://evil.example' });
    expect(errorOf(refused)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect(errorOf(await post(gateway, LIST, { origin: 'null' }))).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    expect((await post(gateway, LIST, { origin: 'http://localhost:6274' })).status).toBe(200);
    expect((await post(gateway, LIST)).headers.get('ratelimit')).toContain(';r=98;');
  });

  it('is accepted from the named origins and the public URL', async () => {
    const env = { CORS_ORIGINS: 'https://app.example', PUBLIC_URL: 'https://gateway.example/base' };
    const gateway = await gatewayWith(env);
    for (const origin of ['https://app.example', 'https://gateway.example'])
      expect((await post(gateway, LIST, { origin })).status, origin).toBe(200);
    const other = await post(gateway, LIST, { origin: 'https://other.example' });
    expect(errorOf(other)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  });
});

describe('a malformed request', () => {
  it('is refused with a code', async () => {
    const gateway = await gatewayWith({ MAX_BODY_BYTES: '1000' });
    const padded = { ...LIST, params: { padding: 'x'.repeat(2_000) } };
    expect(errorOf(await post(gateway, padded))).toEqual([413, 'BODY_TOO_LARGE']);
    expect(errorOf(await post(gateway, '{'))).toEqual([400, 'BAD_REQUEST']);
    expect(errorOf(await post(gateway, [LIST, LIST]))).toEqual([400, 'BAD_REQUEST']);
    for (const type of ['text/plain', ''])
      expect(errorOf(await post(gateway, LIST, { 'content-type': type }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    // A stream would occupy a connection that nothing is ever sent on.
    await expect((await connectMcp(gateway.app)).client.listen({ toolsListChanged: true })).rejects.toThrow();
    const read = await gateway.get('/mcp');
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('input that is nested 5,000 deep', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const called = (tool: string, args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;

  it('is refused with a code, and nothing is logged as a fault', async () => {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL, logger });
    gateways.push(gateway);
    const variables = `{"query":"{ chain { slot } }","variables":{"a":${deep}}}`;
    for (const body of [
      called('graphql', variables),
      called('inspect', `{"address":${deep}}`),
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":${deep}}}}`,
    ])
      expect(errorOf(await post(gateway, body))).toEqual([400, 'INPUT_TOO_DEEP']);
    expect(lines).toEqual([]);
  });

  it('is refused as an argument of a tool, however the message arrived', async () => {
    const args: unknown = JSON.parse(`{"query":"{ __typename }","variables":{"a":${deep}}}`);
    const { signal } = new AbortController();
    const graph = { execute: () => Promise.reject(new Error('executed')), giveWay: () => null };
    const called = callTool(graphqlTool({ maxTokens: 100, schemaUri: null }), args, {
      schema,
      graph,
      maxCharacters: 10_000,
      signal,
    });
    await expect(called).rejects.toMatchObject({ code: 'INPUT_TOO_DEEP' });
  });
});

describe('a long answer', () => {
  it('is cut and written in turns of their own', async () => {
    const steps: string[] = [];
    const graph: Graph = {
      execute: async () => ({ data: { chain: { slot: '1' } }, errors: [] }),
      giveWay: () => {
        steps.push('gave way');
        return null;
      },
    };
    const { signal } = new AbortController();
    const tool = graphqlTool({ maxTokens: 100, schemaUri: null });
    await callTool(tool, { query: '{ chain { slot } }' }, { schema, graph, maxCharacters: 10_000, signal });
    expect(steps).toHaveLength(2);
  });
});

describe('the operator', () => {
  it('may switch the server off', async () => {
    const gateway = await gatewayWith({ MCP: 'off' });
    expect((await post(gateway, LIST)).status).toBe(404);
  });

  it('gets the tools without queries of callers where only known documents are executed', async () => {
    const file = join(folder, 'operations.json');
    await writeFile(file, JSON.stringify({ slot: '{ chain { slot } }' }));
    const gateway = await gatewayWith({
      PERSISTED_OPERATIONS: file,
      PERSISTED_ONLY: 'on',
      INTROSPECTION: 'off',
    });
    const session = await connectMcp(gateway.app);
    expect(session.tools.map(({ name }) => name)).not.toContain('graphql');
    expect(session.client.getServerCapabilities()?.resources).toBeUndefined();
    await session.call('discover', { find: { markets: {} } });
    await session.close();
  });

  it('sees the requests in the metrics, under a route of their own', async () => {
    const gateway = await gatewayWith();
    const session = await connectMcp(gateway.app);
    await session.call('discover', { find: { markets: {} } });
    await session.close();
    const metrics = await (await gateway.get('/metrics')).text();
    expect(metrics).toMatch(/route="\/mcp",method="POST",status="200"/);
  });

  it('has a guide for assistants, without a key', async () => {
    const gateway = await gatewayWith({ KEYS_DIR: folder, REQUIRE_KEY: 'on' });
    const guide = await gateway.get('/llms.txt');
    expect([guide.status, guide.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await guide.text()).toMatch(/^# Sluice\n\n> /);
  });
});
