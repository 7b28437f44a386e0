import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { createRegisteredOperations } from '../../src/graphql/persisted/registered-operations.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

let rpc: LocalnetRpc;
let folder: string;
const gateways: TestApp[] = [];

beforeAll(async () => {
  rpc = await serveChain(unchangedChain());
  folder = await mkdtemp(join(tmpdir(), 'sluice-operations-'));
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

interface GraphAnswer {
  readonly status: number;
  readonly data?: Record<string, unknown>;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function ask(gateway: TestApp, init: RequestInit, search = ''): Promise<GraphAnswer> {
  const response = await gateway.app.fetch(new Request(`http://sluice.test/graphql${search}`, init));
  return { status: response.status, ...((await response.json()) as object) };
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const codeOf = ({ errors }: GraphAnswer) => errors?.[0]?.extensions.code;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const named = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } });
const PLAIN = '{ __typename }';

describe('cross-site requests', () => {
  const forms = [
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ];

  it('are refused as forms, and admitted with a header that needs a preflight', async () => {
    const gateway = await gatewayWith();
    for (const type of forms) {
      const body = JSON.stringify({ query: PLAIN });
      const forged = await ask(gateway, { method: 'POST', headers: { 'content-type': type }, body });
      expect([type, forged.status, codeOf(forged)]).toEqual([type, 403, 'CROSS_SITE_REQUEST']);
    }
    const form = { method: 'POST', body: new URLSearchParams({ query: PLAIN }) };
    expect(codeOf(await ask(gateway, form))).toBe('CROSS_SITE_REQUEST');
    for (const header of ['x-csrf-prevention', 'apollo-require-preflight', 'x-apollo-operation-name']) {
      expect((await ask(gateway, { ...form, headers: { [header]: '1' } })).data).toEqual({
        __typename: 'Query',
      });
    }
    expect((await ask(gateway, json({ query: PLAIN }))).data).toEqual({ __typename: 'Query' });
  });

  it('are refused as images or links, and admitted from an allowed origin', async () => {
    const gateway = await gatewayWith({ CORS_ORIGINS: 'https://app.example' });
    const search = `?query=${encodeURIComponent(PLAIN)}`;
    const from = async (site: string, mode: string, origin?: string) => {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, ...(origin && { origin }) };
      return (await ask(gateway, { headers }, search)).status;
    };
    expect(await from('cross-site', 'no-cors')).toBe(403);
    expect(await from('cross-site', 'navigate')).toBe(403);
    expect(await from('same-site', 'no-cors')).toBe(403);
    expect(await from('cross-site', 'cors', 'https://evil.example')).toBe(403);
    expect(await from('cross-site', 'cors', 'https://app.example')).toBe(200);
    expect(await from('same-origin', 'cors')).toBe(200);
    expect(await from('none', 'navigate')).toBe(200);
    expect((await ask(gateway, {}, search)).status).toBe(200);
    const page = await gateway.get('/graphql', {
      accept: 'text/html',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('cost nothing when refused', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '1' });
    for (let i = 0; i < 3; i += 1) await ask(gateway, { method: 'POST', body: PLAIN });
    expect((await ask(gateway, json({ query: PLAIN }))).status).toBe(200);
  });
});

describe('persisted operations', () => {
  it('are registered with their hash and found by it afterwards, by GET and POST', async () => {
    const gateway = await gatewayWith();
    const query = 'query Slots { chain { slot } }';
    const extensions = named(sha256(query));
    const unknown = await ask(gateway, json({ extensions }));
    expect([unknown.status, codeOf(unknown), unknown.errors?.[0]?.message]).toEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
      'PersistedQueryNotFound',
    ]);
    const taught = await ask(gateway, json({ query, extensions }));
    expect(taught.data).toHaveProperty('chain.slot');
    expect((await ask(gateway, json({ extensions }))).data).toEqual(taught.data);
    const search = `?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
    expect((await ask(gateway, {}, search)).data).toEqual(taught.data);
  });

  it('are not registered when the hash does not match or the document is refused', async () => {
    const gateway = await gatewayWith({ MAX_QUERY_DEPTH: '2' });
    const wrong = await ask(gateway, json({ query: PLAIN, extensions: named(sha256('another')) }));
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH']);
    for (const query of ['{ nonsense }', '{ nonsense', '{ vaults { nodes { token { symbol } } } }']) {
      const extensions = named(sha256(query));
      expect((await ask(gateway, json({ query, extensions }))).data).toBeUndefined();
      expect(codeOf(await ask(gateway, json({ extensions })))).toBe('PERSISTED_QUERY_NOT_FOUND');
    }
    for (const persistedQuery of [
      { version: 2, sha256Hash: sha256(PLAIN) },
      { version: 1, sha256Hash: 'x' },
      1,
    ]) {
      const answer = await ask(gateway, json({ query: PLAIN, extensions: { persistedQuery } }));
      expect([answer.status, codeOf(answer)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH']);
    }
  });

  it('are found in a file by id or hash, and exclude other documents where only they are allowed', async () => {
    const file = join(folder, 'operations.json');
    const query = 'query Slots { chain { slot } }';
    await writeFile(file, JSON.stringify({ slots: query }));
    const gateway = await gatewayWith({ PERSISTED_OPERATIONS: file, PERSISTED_ONLY: 'on' });
    const answers = [
      await ask(gateway, json({ documentId: 'slots' })),
      await ask(gateway, {}, '?documentId=slots'),
      await ask(gateway, json({ extensions: named(sha256(query)) })),
      await ask(gateway, json({ query })),
    ];
    for (const { data } of answers) expect(data).toHaveProperty('chain.slot');
    const free = await ask(gateway, json({ query: PLAIN }));
    expect([free.status, codeOf(free)]).toEqual([400, 'PERSISTED_OPERATIONS_ONLY']);
    const extensions = named(sha256(PLAIN));
    expect(codeOf(await ask(gateway, json({ query: PLAIN, extensions })))).toBe('PERSISTED_OPERATIONS_ONLY');
    expect(codeOf(await ask(gateway, json({ extensions })))).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(codeOf(await ask(gateway, json({ documentId: 'others' })))).toBe('PERSISTED_OPERATION_UNKNOWN');
  });

  it('are read from an Apollo manifest too, and an invalid file stops the start', async () => {
    const file = join(folder, 'manifest.json');
    const operation = { id: 'one', name: 'One', type: 'query', body: 'query One { chain { slot } }' };
    const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations: [operation] };
    await writeFile(file, JSON.stringify(manifest));
    const gateway = await gatewayWith({ PERSISTED_OPERATIONS: file });
    expect((await ask(gateway, json({ documentId: 'one' }))).data).toHaveProperty('chain.slot');
    for (const content of ['nonsense', '[]', '{"a": 1}', '{"a": "{ nonsense }"}', '{"a": "{"}']) {
      await writeFile(file, content);
      await expect(gatewayWith({ PERSISTED_OPERATIONS: file })).rejects.toThrow(/^PERSISTED_OPERATIONS: /);
    }
    const missing = gatewayWith({ PERSISTED_OPERATIONS: join(folder, 'nowhere') });
    await expect(missing).rejects.toThrow(/^PERSISTED_OPERATIONS: /);
    await expect(gatewayWith({ PERSISTED_ONLY: 'on' })).rejects.toThrow(/^PERSISTED_OPERATIONS: /);
  });

  it('evict the least recently used when there are too many', () => {
    const registered = createRegisteredOperations(1_000);
    const text = 'x'.repeat(90);
    for (let i = 0; i < 10; i += 1) registered.set(`hash ${i}`, text);
    registered.get('hash 0');
    registered.set('hash 10', text);
    expect(registered.get('hash 0')).toBe(text);
    expect(registered.get('hash 1')).toBeUndefined();
    registered.set('long', 'x'.repeat(101));
    expect(registered.get('long')).toBeUndefined();
    for (let i = 0; i < 1_000; i += 1) registered.set(`another ${i}`, text);
    expect(registered.calculatedSize).toBeLessThanOrEqual(1_000);
  });
});

describe('introspection', () => {
  const question = '{ __schema { queryType { name } } __type(name: "Vault") { name } }';

  it('is answered unless disabled, and then errors reveal nothing either', async () => {
    expect((await (await gatewayWith()).query(question)).data).toHaveProperty(
      '__schema.queryType.name',
      'Query',
    );
    const closed = await gatewayWith({ INTROSPECTION: 'off' });
    const refused = await closed.query(question);
    expect(refused.data).toBeUndefined();
    expect(refused.errors.map(({ extensions }) => extensions?.code)).toContain('GRAPHQL_VALIDATION_FAILED');
    expect((await closed.query('{ vault { name } }')).text).not.toContain('Did you mean');
    expect((await closed.query('{ vaultz { nodes { name } } }')).text).not.toContain('Did you mean');
    expect((await closed.query(PLAIN)).data).toEqual({ __typename: 'Query' });
  });

  it.each([
    ['an enum value', { field: 'HOLDER' }, 'enum.'],
    ['a field of an input', { field: 'HOLDERS', directon: 'ASC' }, 'is not defined by type "VaultOrder".'],
    ['a long name', { field: 'HOLDERS', [`directio${'n'.repeat(480)}`]: 'ASC' }, '...'],
  ])('suggests nothing for %s in variables when disabled', async (_, order, end) => {
    const query = 'query ($order: VaultOrder) { vaults(orderBy: $order) { totalCount } }';
    const closed = await gatewayWith({ INTROSPECTION: 'off' });
    const { errors, text } = await closed.query(query, { variables: { order } });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message.endsWith(end)).toBe(true);
    expect(text).not.toContain('Did you mean');
    expect(errors[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('security headers', () => {
  const paths = [
    '/kvaults/vaults',
    '/health',
    '/nowhere',
    '/graphql?query={__typename}',
    '/docs',
    '/metrics',
  ];

  it('are on every response', async () => {
    const gateway = await gatewayWith();
    for (const path of paths) {
      const { headers } = await gateway.get(path);
      expect([path, headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
        path,
        'nosniff',
        'no-referrer',
      ]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('strict-transport-security')).toBeNull();
    }
    const page = await gateway.get('/graphql', { accept: 'text/html' });
    expect(page.headers.get('content-security-policy')).toMatch(
      /script-src 'self' 'sha256-[^']+'(?: 'sha256-[^']+')*;/,
    );
  });

  it('include HSTS where clients use https', async () => {
    const gateway = await gatewayWith({ PUBLIC_URL: 'https://gateway.example' });
    const { headers } = await gateway.get('/health');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });
});
