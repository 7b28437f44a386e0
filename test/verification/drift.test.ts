import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import type { DriftState } from '../../src/drift/drift-watch.ts';
import { obligation } from '../../src/programs/klend/obligation.ts';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import { programDataAddress } from '../../src/programs/loader/program-data.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { accountIn, serveLedger, TestLedger, withFields } from '../support/ledger/test-ledger.ts';
import { until } from '../support/rpc/test-pools.ts';

let ledger: TestLedger;
let rpc: DemoRpcServer;
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
  return [...ledger.programAccounts(MAINNET_PROGRAMS.klend)]
    .filter(([, { data }]) => Buffer.compare(data.subarray(0, 8), obligation.discriminator) === 0)
    .map(([address, account]) => ({
      address,
      account,
      value: obligation.decode({ address, ...account }, MAINNET_PROGRAMS.klend),
    }))
    .sort((a, b) => Number(b.value.lastUpdate.slot - a.value.lastUpdate.slot));
}

beforeAll(async () => {
  ledger = new TestLedger();
  // Far enough that obligations were refreshed within the checked window, some in the current slot.
  ledger.advance(120);
  while (ledger.slot % 4n !== 0n || ledger.slot % 256n < 40n) ledger.advance();
  rpc = await serveLedger(ledger);
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
  ledger.restore();
  lines.length = 0;
});

afterAll(async () => {
  await app?.stop();
  await rpc?.close();
});

describe('the drift alarm', () => {
  it('stays silent while our numbers agree with the chain', async () => {
    const { kinds, alarms, upgrades } = await nextCheck();
    expect(alarms).toEqual([]);
    expect(upgrades).toEqual([]);
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
    ledger.place(newest.address, changed);
    const drift = await nextCheck();
    for (const kind of ['obligation_terms', 'obligation_values'] as const) {
      expect(drift.kinds[kind].alarms).toBe(1);
      expect(drift.kinds[kind].relative).toBeCloseTo(0.01 / 1.01, 9);
    }
    expect(drift.alarms[0]).toMatchObject({ address: newest.address, field: 'depositedValueSf' });
    expect((await ready()).status).toBe(200);
    expect(await metric('sluice_drift_relative{kind="obligation_values"}')).toBeCloseTo(0.01 / 1.01, 9);
    expect(lines.join('')).toContain(newest.address);
    ledger.restore();
    expect((await nextCheck()).alarms).toEqual([]);
  });

  it('ignores an obligation that an action has marked stale', async () => {
    const [newest] = obligations();
    if (newest === undefined) throw new Error('the world has no obligation');
    const changed = withFields(obligation, newest.account, {
      depositedValueSf: newest.value.depositedValueSf * 2n,
      lastUpdate: { ...newest.value.lastUpdate, stale: 1 },
    });
    ledger.place(newest.address, changed);
    expect((await nextCheck()).alarms).toEqual([]);
  });

  it.each([
    ['more', 104n],
    ['less', 96n],
  ])('is raised when a vault had %s at its last fee charge than interest explains', async (_, percent) => {
    const [vault] = ledger.demo.world.vaults.filter(({ prevAumSf }) => prevAumSf > 0n);
    if (vault === undefined) throw new Error('the world has no vault');
    const account = accountIn(ledger, vault.address);
    const prevAumSf = (vault.prevAumSf * percent) / 100n;
    ledger.place(vault.address, withFields(vaultState, account, { prevAumSf }));
    const drift = await nextCheck();
    expect(drift.alarms).toEqual([
      { kind: 'vault_aum', address: vault.address, field: 'prevAumSf', relative: expect.closeTo(0.04, 2) },
    ]);
  });

  it('reports a program upgrade', async () => {
    const address = programDataAddress(MAINNET_PROGRAMS.kvault);
    const account = accountIn(ledger, address);
    const before = Buffer.from(account.data).readBigUInt64LE(4);
    expect(await metric('sluice_program_deployed_slot{program="kvault"}')).toBe(Number(before));
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(before + 77n, 4);
    ledger.place(address, { ...account, data });
    const { upgrades } = await nextCheck();
    const upgrade = { program: 'kvault', fromSlot: String(before), toSlot: String(before + 77n) };
    expect(upgrades).toEqual([upgrade]);
    expect(await metric('sluice_program_deployed_slot{program="kvault"}')).toBe(Number(before) + 77);
    expect(await metric('sluice_program_upgrades_seen{program="kvault"}')).toBe(1);
    expect(await metric('sluice_program_upgrades_seen{program="klend"}')).toBe(0);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 'warn', upgrade }),
    );
  });
});
