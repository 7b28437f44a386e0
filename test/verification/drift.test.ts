import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { obligation } from '@sluice/protocol/klend/obligation';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { DriftState } from '../../src/drift/drift-watch.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

let localChain: TestChain;
let rpc: LocalnetRpc;
let app: App;
let lines: string[];

async function ready(): Promise<{ status: number; drift: DriftState }> {
  const response = await app.fetch(new Request('http://sluice.test/ready'));
  return { status: response.status, drift: ((await response.json()) as { drift: DriftState }).drift };
}

async function metric(name: string): Promise<number> {
  const text = await (await app.fetch(new Request('http://sluice.test/metrics'))).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1),
  );
}

/** The result of a check that starts after this call, on a View built after this call. */
async function nextCheck(): Promise<DriftState> {
  const number = app.chain.views.newest?.moment.number ?? 0;
  await until(() => (app.chain.views.newest?.moment.number ?? 0) > number + 1);
  const seen = new Set<string | null>();
  for (;;) {
    const { drift } = await ready();
    seen.add(drift.checkedAt);
    // A check in progress may have started earlier; the following one has not.
    if (seen.size === 3) return drift;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Obligations, most recently refreshed first. */
function obligations() {
  return [...localChain.programAccounts(MAINNET_PROGRAMS.klend)]
    .filter(([, { data }]) => Buffer.compare(data.subarray(0, 8), obligation.discriminator) === 0)
    .map(([address, account]) => ({
      address,
      account,
      value: obligation.decode({ address, ...account }, MAINNET_PROGRAMS.klend),
    }))
    .sort((a, b) => Number(b.value.lastUpdate.slot - a.value.lastUpdate.slot));
}

beforeAll(async () => {
  localChain = new TestChain();
  // Far enough that obligations were refreshed within the checked window, some in the current slot.
  localChain.advance(120);
  while (localChain.slot % 4n !== 0n || localChain.slot % 256n < 40n) localChain.advance();
  rpc = await serveChain(localChain);
  lines = [];
  app = await createApp(
    loadConfig({
      SOLANA_RPC_URLS: rpc.url,
      SOLANA_CLUSTER: 'localnet',
      VIEW_REFRESH_MS: '100',
      VAULT_REFRESH_MS: '100',
      DRIFT_INTERVAL_MS: '100',
      METRICS_HOLD_MS: '0',
    }),
    { logger: createLogger('warn', { write: (line) => lines.push(line) }) },
  );
  await until(() => app.chain.views.newest !== undefined);
});

afterEach(() => {
  localChain.restore();
  lines.length = 0;
});

afterAll(async () => {
  await app?.stop();
  await rpc?.close();
});

describe('the drift alarm', () => {
  it('stays silent while our numbers agree with the chain', async () => {
    const { kinds, alarms } = await nextCheck();
    expect(alarms).toEqual([]);
    expect(kinds.obligation_terms.compared).toBeGreaterThan(20);
    expect(kinds.obligation_values.compared).toBeGreaterThanOrEqual(5);
    expect(kinds.obligation_values_near.compared).toBeGreaterThan(20);
    expect(kinds.vault_aum.compared).toBeGreaterThan(5);
    expect(kinds.obligation_values.relative).toBeLessThan(1e-9);
    expect(kinds.obligation_terms.relative).toBeLessThan(1e-9);
    expect(await metric('sluice_drift_compared{kind="vault_aum"}')).toBe(kinds.vault_aum.compared);
    expect(await metric('sluice_drift_alarms{kind="obligation_values"}')).toBe(0);
    expect(lines).toEqual([]);
  });

  it('is raised when an obligation stores totals other than ours, and leaves the gateway ready', async () => {
    const [newest] = obligations();
    if (newest === undefined) throw new Error('the world has no obligation');
    const { depositedValueSf } = newest.value;
    const changed = withFields(obligation, newest.account, {
      depositedValueSf: (depositedValueSf * 101n) / 100n,
    });
    localChain.place(newest.address, changed);
    const drift = await nextCheck();
    for (const kind of ['obligation_terms', 'obligation_values'] as const) {
      expect(drift.kinds[kind].alarms).toBe(1);
      expect(drift.kinds[kind].relative).toBeCloseTo(0.01 / 1.01, 9);
    }
    expect(drift.alarms[0]).toMatchObject({ address: newest.address, field: 'depositedValueSf' });
    expect((await ready()).status).toBe(200);
    expect(await metric('sluice_drift_relative{kind="obligation_values"}')).toBeCloseTo(0.01 / 1.01, 9);
    expect(lines.join('')).toContain(newest.address);
    localChain.restore();
    expect((await nextCheck()).alarms).toEqual([]);
  });

  it('ignores an obligation that an action has marked stale', async () => {
    const [newest] = obligations();
    if (newest === undefined) throw new Error('the world has no obligation');
    const changed = withFields(obligation, newest.account, {
      depositedValueSf: newest.value.depositedValueSf * 2n,
      lastUpdate: { ...newest.value.lastUpdate, stale: 1 },
    });
    localChain.place(newest.address, changed);
    expect((await nextCheck()).alarms).toEqual([]);
  });

  it.each([
    ['more', 104n],
    ['less', 96n],
  ])('is raised when a vault had %s at its last fee charge than interest explains', async (_, percent) => {
    const [vault] = localChain.worldChain.world.vaults.filter(({ prevAumSf }) => prevAumSf > 0n);
    if (vault === undefined) throw new Error('the world has no vault');
    const account = accountIn(localChain, vault.address);
    const prevAumSf = (vault.prevAumSf * percent) / 100n;
    localChain.place(vault.address, withFields(vaultState, account, { prevAumSf }));
    const drift = await nextCheck();
    expect(drift.alarms).toEqual([
      { kind: 'vault_aum', address: vault.address, field: 'prevAumSf', relative: expect.closeTo(0.04, 2) },
    ]);
  });
});
