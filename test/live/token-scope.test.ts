import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';

let live: LiveApp;
let folder: string;
let key: string;

/** The gateway requires a key. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  const made = makeKey({ name: 'page', limit: 0, origins: [] }, new Date());
  key = made.text;
  const keys = new KeyFolder(folder);
  await keys.add(made.key);
  await keys.close();
  live = await testApp({ live: true, env: { REQUIRE_KEY: 'on', KEYS_DIR: folder } });
});
afterAll(async () => {
  await live?.stop();
  await rm(folder, { recursive: true, force: true });
});

const SLOT = 'subscription Slot { slot { slot } }';
const CREATE = 'mutation { createStreamToken { token } }';
const APP = 'https://app.example';

async function tokenFor(origin: string | null): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, ...(origin !== null && { origin }) };
  const { data } = await live.query<{ createStreamToken: { token: string } }>(CREATE, { headers });
  return data.createStreamToken.token;
}

interface Sent {
  readonly path?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a token the way EventSource does. Returns the status and the beginning of the body. */
async function send(token: string, { path = '/graphql', parameters, body, headers }: Sent) {
  const search = new URLSearchParams({ ...parameters, token });
  const abort = new AbortController();
  const response = await fetch(`${live.site.origin}${path}?${search}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'text/event-stream', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: abort.signal,
  });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  abort.abort();
  return { status: response.status, text: new TextDecoder().decode(value) };
}

describe('a stream token', () => {
  it('opens a subscription by GET and by POST', async () => {
    const token = await tokenFor(null);
    expect((await send(token, { parameters: { query: SLOT } })).status).toBe(200);
    expect((await send(token, { body: { query: SLOT } })).status).toBe(200);
  });

  it('opens no query, introspection or mutation', async () => {
    const token = await tokenFor(null);
    const documents = ['{ chain { slot } }', '{ __schema { queryType { name } } }', '{ __typename }', CREATE];
    for (const query of documents) {
      const refused = await send(token, { body: { query } });
      expect([query, refused.status]).toEqual([query, 401]);
      expect(refused.text).toContain('UNAUTHENTICATED');
    }
    expect((await send(token, { parameters: { query: '{ chain { slot } }' } })).status).toBe(401);
  });

  it('opens no query that stands beside a subscription', async () => {
    const token = await tokenFor(null);
    const query = `${SLOT} query Chain { chain { slot } }`;
    expect((await send(token, { body: { query, operationName: 'Chain' } })).status).toBe(401);
    expect((await send(token, { body: { query, operationName: 'Slot' } })).status).toBe(200);
  });

  it('opens neither REST nor builders', async () => {
    const token = await tokenFor(null);
    expect((await send(token, { path: '/kvaults/vaults' })).status).toBe(401);
    const { vault, wallet } = live.localChain.addresses;
    const deposit = { wallet, kvault: vault, amount: '1' };
    expect((await send(token, { path: '/ktx/kvault/deposit', body: deposit })).status).toBe(401);
  });

  it('cannot be renewed', async () => {
    const token = await tokenFor(null);
    const renewed = await send(token, { body: { query: CREATE } });
    expect(renewed.status).toBe(401);
    expect(renewed.text).not.toContain('"token"');
  });

  it('is refused with another origin than it was created with, or without one', async () => {
    const open = async (token: string, headers: Record<string, string>) =>
      (await send(token, { parameters: { query: SLOT }, headers })).status;
    const bound = await tokenFor(APP);
    expect(await open(bound, { origin: APP })).toBe(200);
    expect(await open(bound, { origin: 'https://evil.example' })).toBe(401);
    expect(await open(bound, {})).toBe(401);
    expect(await open(await tokenFor(null), { origin: APP })).toBe(401);
  });

  it('of a page of the gateway itself opens streams without an origin, as browsers do there', async () => {
    const token = await tokenFor(live.site.origin);
    expect((await send(token, { parameters: { query: SLOT } })).status).toBe(200);
  });
});
