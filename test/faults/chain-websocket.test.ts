import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { startReadyApp, type TestApp } from '../support/apps/test-app.ts';

const NEVER = '3600000';

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp | undefined;
let vault: Address;

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
  vault = localChain.addresses.vault;
});

afterEach(async () => {
  rpc.faults.clear();
  await gateway?.stop();
  localChain.restore();
});

afterAll(async () => {
  await rpc?.close();
});

async function start(vaultRefreshMs: string): Promise<TestApp> {
  const started = await startReadyApp({
    rpcUrls: [rpc.url],
    wsUrls: [rpc.wsUrl],
    env: { VAULT_REFRESH_MS: vaultRefreshMs },
  });
  gateway = started;
  return started;
}

const listens = (app: TestApp) => app.app.chain.state().announcedKinds.length > 0;

/** Waits until the gateway is subscribed and has finished the resulting full read. */
async function settled(app: TestApp): Promise<void> {
  await until(() => listens(app));
  await app.view();
  await app.view();
}

/** Changes the vault, announces it with the next slot, and returns its new share count. */
function changeVault(): bigint {
  const before = accountIn(localChain, vault);
  const state = vaultState.decode(before, MAINNET_PROGRAMS.kvault);
  const sharesIssued = state.sharesIssued + 1_000n;
  localChain.place(vault, withFields(vaultState, before, { sharesIssued }));
  localChain.advance(1);
  return sharesIssued;
}

const sharesIn = (app: TestApp) => app.app.chain.views.current().get('vault', vault)?.value.sharesIssued;

describe('vaults with announced changes', () => {
  it('are in the next View without being read again', async () => {
    const app = await start(NEVER);
    await settled(app);
    rpc.requests.reset();
    const shares = changeVault();
    await app.view((view) => view.get('vault', vault)?.value.sharesIssued === shares);
    expect(rpc.requests.requestsFor(vault)).toBe(0);
  });

  it('are announced again after a reconnect, and missed changes are read', async () => {
    const app = await start(NEVER);
    await settled(app);
    rpc.faults.refuseWebSockets = true;
    rpc.faults.dropWebSockets();
    await until(() => !listens(app));
    const missed = changeVault();
    await app.view();
    await app.view();
    expect(sharesIn(app)).not.toBe(missed);
    rpc.faults.refuseWebSockets = false;
    await app.view((view) => view.get('vault', vault)?.value.sharesIssued === missed);
    expect(listens(app)).toBe(true);
    const heard = changeVault();
    await app.view((view) => view.get('vault', vault)?.value.sharesIssued === heard);
  });
});

it('are polled while there is no connection', async () => {
  rpc.faults.refuseWebSockets = true;
  const app = await start('300');
  const shares = changeVault();
  await app.view((view) => view.get('vault', vault)?.value.sharesIssued === shares);
  expect(listens(app)).toBe(false);
  expect((await app.get('/ready')).status).toBe(200);
});
