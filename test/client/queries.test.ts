import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, createClient, graphql, hasCode } from '@sluice/client';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

const NUMBERS = graphql(`
  query Numbers {
    chain { slot view }
    reserves(first: 50) { nodes { address supplied { baseUnits usd } supplyApy { total } } }
  }
`);
const VAULT = graphql(`
  query Vault($address: Address!, $other: Address!) {
    vault(address: $address) { name address }
    other: vault(address: $other) { name address }
  }
`);
const BROKEN = graphql('query Broken($address: Address!) { vault(address: $address) { address } }');

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp;
let site: Site;
let folder: string;
let key: string;
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
  folder = await mkdtemp(join(tmpdir(), 'sluice-client-keys-'));
  const made = makeKey({ name: 'client', limit: 0, origins: [] }, new Date());
  await new KeyFolder(folder).add(made.key);
  key = made.text;
  const logger = createLogger('info', { write: (line) => void logged.push(JSON.parse(line)) });
  const env = { ...STILL, VIEWS_KEPT: '3', KEYS_DIR: folder, REQUIRE_KEY: 'on' };
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env, logger });
  site = await serveSite(gateway.app.fetch);
});
afterAll(async () => {
  await site?.close();
  await gateway?.stop();
  await rpc?.close();
  await rm(folder, { recursive: true, force: true });
});

const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: site.origin, key, ...options });

/** Moves the chain by some slots and returns the newest one. */
function moved(slots: number): string {
  localChain.advance(slots);
  return String(localChain.slot);
}

describe('an answer', () => {
  it('has typed data, the state behind it, and no errors', async () => {
    const { data, errors, warnings, chain } = await clientOf().query(NUMBERS, {});
    expect(data.reserves.nodes.length).toBeGreaterThan(5);
    expect(data.reserves.nodes[0]?.supplied.baseUnits).toMatch(/^\d+$/);
    expect([errors, warnings]).toEqual([[], []]);
    expect(chain).toMatchObject({ view: data.chain.view, slot: data.chain.slot });
  });

  it('has data and the error of the field that could not be read', async () => {
    const [address = expect.fail()] = (await vaults()).map((vault) => vault.address);
    const nowhere = (await clientOf().query(NUMBERS, {})).data.reserves.nodes[0]?.address ?? '';
    const { data, errors } = await clientOf().query(VAULT, { address, other: nowhere });
    expect(data.vault?.address).toBe(address);
    expect(data.other).toBeNull();
    expect(errors.map((error) => [error.path, error.code, error.retryable])).toEqual([
      [['other'], 'ACCOUNT_WRONG_OWNER', false],
    ]);
  });
});

async function vaults() {
  const list = graphql('query Vaults { vaults(first: 1) { nodes { address } } }');
  return (await clientOf().query(list, {})).data.vaults.nodes;
}

describe('an error', () => {
  it('is UNAUTHENTICATED for a missing or unknown key', async () => {
    const stranger = makeKey({ name: 'stranger', limit: 0, origins: [] }, new Date()).text;
    for (const options of [{ url: site.origin }, { url: site.origin, key: stranger }]) {
      const error = await createClient(options)
        .query(NUMBERS, {})
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'UNAUTHENTICATED', retryable: false, path: [] });
      expect(hasCode(error, 'UNAUTHENTICATED')).toBe(true);
      expect(hasCode(error, 'RATE_LIMITED')).toBe(false);
    }
  });

  it('has the code and message of the gateway for variables of another type', async () => {
    const failing = clientOf().query(BROKEN, { address: 'not an address' });
    await expect(failing).rejects.toMatchObject({ name: 'SluiceError', code: 'ADDRESS_INVALID' });
  });

  it('has the id of its request, which is in the log', async () => {
    const id = `test-${crypto.randomUUID()}`;
    const client = clientOf({ requestId: () => id });
    await expect(client.query(BROKEN, { address: 'x' })).rejects.toMatchObject({ requestId: id });
    await expect.poll(() => logged.some((line) => line.id === id), { timeout: 60_000 }).toBe(true);
  });
});

describe('a View', () => {
  it('gives the same numbers while the chain moves, and VIEW_GONE after that', async () => {
    const first = await clientOf().query(NUMBERS, {});
    const pinned = clientOf().at(first.chain?.view ?? '');
    const later = await clientOf().after(moved(10)).query(NUMBERS, {});
    expect(later.data).not.toEqual(first.data);
    expect((await pinned.query(NUMBERS, {})).data).toEqual(first.data);
    for (let views = 0; views < 3; views += 1) await clientOf().after(moved(10)).query(NUMBERS, {});
    await expect(pinned.query(NUMBERS, {})).rejects.toMatchObject({ code: 'VIEW_GONE', retryable: false });
  });

  it('includes the slot of `after`', async () => {
    const slot = moved(20);
    const { chain } = await clientOf().after(slot).query(NUMBERS, {});
    expect(BigInt(chain?.slot ?? 0)).toBeGreaterThanOrEqual(BigInt(slot));
  });
});
