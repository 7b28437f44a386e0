import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { post } from '../support/contract/contract-app.ts';
import { serveOnSocket } from '../support/http/socket-site.ts';

let rpc: LocalnetRpc;
let folder: string;
let store: KeyFolder;
const gateways: TestApp[] = [];

beforeAll(async () => {
  rpc = await serveChain(unchangedChain());
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  store = new KeyFolder(folder);
});

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop();
});

afterAll(async () => {
  await rpc?.close();
  await rm(folder, { recursive: true });
});

async function keyFor(wish: { limit?: number; origins?: readonly string[]; name?: string } = {}) {
  const made = makeKey({ name: 'tests', limit: 100, origins: [], ...wish }, new Date());
  await store.add(made.key);
  return { id: made.key.id, text: made.text, bearer: { authorization: `Bearer ${made.text}` } };
}

async function gatewayWith(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, KEYS_DIR: folder, ...env } });
  gateways.push(gateway);
  return gateway;
}

const PATH = '/kvaults/vaults';

describe('a request with a key', () => {
  it('uses the limit of its key instead of its address, with either header', async () => {
    const { text, bearer } = await keyFor({ limit: 3 });
    const gateway = await gatewayWith({ RATE_LIMIT: '1' });
    // REST is loaded by its first request, so send one before counting.
    await gateway.get('/health');
    const first = await gateway.get(PATH, bearer);
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=2;t=6[01]$/);
    expect((await gateway.get(PATH, { 'x-api-key': text })).headers.get('ratelimit')).toMatch(/;r=1;/);
    expect((await gateway.get(PATH)).status).toBe(200);
    expect((await gateway.get(PATH)).status).toBe(429);
    expect((await gateway.get(PATH, bearer)).status).toBe(200);
    expect((await gateway.get(PATH, bearer)).status).toBe(429);
  });

  it('is refused on both APIs when the key is unknown, malformed or revoked, charged to its address', async () => {
    const { id, bearer } = await keyFor();
    const stranger = {
      authorization: `Bearer ${makeKey({ name: 'x', limit: 1, origins: [] }, new Date()).text}`,
    };
    const gateway = await gatewayWith({ RATE_LIMIT: '5' });
    expect((await gateway.get(PATH, bearer)).status).toBe(200);
    await store.revoke(id, new Date());
    await vi.waitUntil(async () => (await gateway.get(PATH, bearer)).status === 401, {
      timeout: 120_000,
      interval: 500,
    });
    const other = await gatewayWith({ RATE_LIMIT: '5' });
    const revoked = await other.get(PATH, bearer);
    expect(revoked.status).toBe(401);
    expect(revoked.headers.get('www-authenticate')).toBe('Bearer realm="sluice"');
    expect(revoked.headers.get('x-error-code')).toBe('UNAUTHENTICATED');
    expect(await revoked.json()).toEqual({ error: 'The key was revoked.' });
    const asked = await other.query('{ chain { slot } }', { headers: stranger });
    expect([asked.status, asked.errors[0]?.extensions?.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(asked.errors[0]?.message).toBe('Unknown API key.');
    const built = await other.get('/ktx/klend/deposit', { authorization: 'Basic abc' }, 'POST');
    expect([built.status, await built.json()]).toEqual([
      401,
      {
        statusCode: 401,
        message: 'Malformed API key.',
        error: 'Unauthorized',
        code: 'UNAUTHENTICATED',
      },
    ]);
    expect((await other.get(PATH, { 'x-api-key': '' })).status).toBe(401);
    expect((await other.get(PATH, stranger)).status).toBe(401);
    // The address has used up its limit with five attempts.
    expect((await other.get(PATH, stranger)).status).toBe(429);
  });

  it('alone reads transactions in bulk, and may be sent as HTTP Basic', async () => {
    const { text, bearer } = await keyFor();
    const gateway = await gatewayWith();
    const basic = (userAndPassword: string) => ({
      authorization: `Basic ${Buffer.from(userAndPassword).toString('base64')}`,
    });
    const ask = (headers: Readonly<Record<string, string>>) =>
      gateway.app.fetch(
        new Request('http://sluice.test/kvaults/transactions', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ instruction: 'buy' }),
        }),
      );
    const forms = [bearer, { 'x-api-key': text }, basic(`anyone:${text}`), basic(`${text}:`), basic(text)];
    for (const headers of forms) {
      // This gateway has no history, which is found out after the key was accepted.
      expect((await ask(headers)).headers.get('x-error-code')).toBe('HISTORY_DISABLED');
    }
    const without = await ask({});
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="sluice", Basic realm="sluice"',
    ]);
    expect(await without.json()).toEqual({ error: expect.stringContaining('needs an API key') });
    const wrong = await ask(basic('anyone:anything'));
    expect([wrong.status, await wrong.json()]).toEqual([401, { error: 'Malformed API key.' }]);
    const asked = await gateway.query('{ vaultTransactions(instruction: "buy") { totalCount } }');
    expect(asked.errors[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });

  it('is limited to 30 guesses a minute of an address, which does not concern its valid keys', async () => {
    const { bearer } = await keyFor();
    const gateway = await gatewayWith({ RATE_LIMIT: '0' });
    const guess = () => ({ 'x-api-key': makeKey({ name: 'x', limit: 1, origins: [] }, new Date()).text });
    for (let i = 0; i < 30; i += 1)
      expect((await gateway.get(PATH, i % 2 === 0 ? guess() : { 'x-api-key': 'sluice_x' })).status).toBe(401);
    const refused = await gateway.get(PATH, guess());
    const seconds = Number(refused.headers.get('retry-after'));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([429, null]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(61);
    expect(refused.headers.get('ratelimit-policy')).toBe('"invalid-key";q=30;w=60');
    expect(await refused.json()).toEqual({
      error: `More than 30 requests with an invalid API key came from your address within a minute. Correct the key, and try again in ${seconds} s.`,
    });
    const graph = await gateway.query('{ __typename }', { headers: guess() });
    expect([graph.status, graph.errors[0]?.extensions]).toMatchObject([429, { limit: 30, retryable: true }]);
    // The right key, and no key, from the same address.
    expect((await gateway.get(PATH, bearer)).status).toBe(200);
    expect((await gateway.get(PATH)).status).toBe(200);
  });

  it('leaves the budget of its address alone when it is a guess', async () => {
    const gateway = await gatewayWith({ RATE_LIMIT: '2' });
    for (let i = 0; i < 4; i += 1) await gateway.get(PATH, { 'x-api-key': 'sluice_x' });
    expect((await gateway.get(PATH, { 'x-api-key': 'sluice_x' })).status).toBe(429);
    expect((await gateway.get(PATH)).headers.get('ratelimit')).toMatch(/^"default";r=1;/);
  });

  it('is refused from another origin, or without one, when its key is restricted to origins', async () => {
    const { bearer } = await keyFor({ origins: ['https://app.example'] });
    const gateway = await gatewayWith();
    const from = async (origin?: string) =>
      (await gateway.get(PATH, origin === undefined ? bearer : { ...bearer, origin })).status;
    expect(await from('https://app.example')).toBe(200);
    expect(await from('https://evil.example')).toBe(401);
    expect(await from('https://app.example.evil.example')).toBe(401);
    expect(await from()).toBe(401);
  });

  it('learns why, and what to do, when its origin is missing or another', async () => {
    const { bearer } = await keyFor({ origins: ['https://app.example'] });
    const gateway = await gatewayWith();
    const missing =
      'This API key is restricted to origins, and the request has no Origin header. Send Origin with one of them, or use a key without origins.';
    const other =
      'This API key is restricted to other origins. Use it from one of them, or use a key without origins.';
    const rest = await gateway.get(PATH, bearer);
    expect([rest.headers.get('x-error-code'), await rest.json()]).toEqual([
      'UNAUTHENTICATED',
      { error: missing },
    ]);
    const elsewhere = await gateway.get(PATH, { ...bearer, origin: 'https://evil.example' });
    expect(await elsewhere.json()).toEqual({ error: other });
    const graph = await gateway.query('{ chain { slot } }', { headers: bearer });
    expect([graph.status, graph.errors[0]?.message]).toEqual([401, missing]);
  });

  it('is the only kind answered where a key is required, and is not cached by intermediaries', async () => {
    const { bearer } = await keyFor();
    const gateway = await gatewayWith({ REQUIRE_KEY: 'on', VIEW_REFRESH_MS: '600000' });
    const without = await gateway.get(PATH);
    expect(without.status).toBe(401);
    expect(await without.json()).toEqual({
      error: 'An API key is required: send it as Authorization: Bearer or X-Api-Key.',
    });
    expect((await gateway.query('{ __typename }')).status).toBe(401);
    expect((await gateway.get('/health')).status).toBe(200);
    const site = await serveOnSocket(gateway.app);
    try {
      await site.get(PATH, bearer);
      const cached = await site.get(PATH, bearer);
      expect([cached.cached, cached.status]).toEqual([true, 200]);
      expect(cached.headers['cache-control']).toMatch(/^private, max-age=/);
      const stranger = await site.get(PATH);
      expect([stranger.cached, stranger.status, stranger.headers['www-authenticate']]).toEqual([
        true,
        401,
        'Bearer realm="sluice"',
      ]);
    } finally {
      await site.close();
    }
  });

  it('is counted by key in the metrics, without the secret', async () => {
    const { id, text, bearer } = await keyFor({ name: 'counted' });
    const gateway = await gatewayWith();
    await gateway.get(PATH, bearer);
    await gateway.get(PATH, bearer);
    await gateway.get(PATH, { authorization: `Bearer ${text}x` });
    const metrics = await (await gateway.get('/metrics')).text();
    expect(metrics).toContain(`sluice_key_requests_total{id="${id}",key="counted"} 2`);
    expect(metrics).toContain(`sluice_key_cost_total{id="${id}",key="counted"} 2`);
    expect(metrics).toContain('sluice_unauthenticated_total{reason="malformed"} 1');
    expect(metrics).not.toContain(text.slice(-43));
  });
});

describe('registering a lookup table', () => {
  it('is refused: for its input, without a key, for what is not there, and always in the end', async () => {
    const { vault, emptyWallet } = unchangedChain().addresses;
    const { bearer } = await keyFor();
    const gateway = await gatewayWith();
    const register = (body: object, headers: Readonly<Record<string, string>> = bearer) =>
      post(gateway, '/luts/managed/new-vault', body, { headers });
    const tables = await gateway.get(`/luts/managed?productIdentifierAddress=${vault}`);
    const [lutAddress] = ((await tables.json()) as { lutAddresses: readonly string[] }).lutAddresses;
    const right = { vaultAddress: vault, lutAddress };
    const answers = [
      await register({ ...right, lutAddress: 'nonsense' }, {}),
      await register(right, {}),
      await register({ ...right, vaultAddress: emptyWallet }),
      await register({ ...right, lutAddress: emptyWallet }),
      await register(right),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('x-error-code')])).toEqual([
      [400, 'BAD_REQUEST'],
      [401, 'UNAUTHENTICATED'],
      [404, 'ACCOUNT_NOT_FOUND'],
      [404, 'ACCOUNT_NOT_FOUND'],
      [501, 'LOOKUP_TABLES_READ_ONLY'],
    ]);
    const message = expect.stringContaining(`Vault ${vault} has table ${lutAddress} in its account`);
    expect(answers.at(-1)?.body).toEqual({ error: message });
  });
});
