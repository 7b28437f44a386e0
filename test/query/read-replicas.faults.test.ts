import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { recordSeries, startWorldOver } from '../support/contract/recorded-app.ts';
import {
  NO_POSTGRES,
  skipPostgres,
  startTestPostgres,
  startTestReplica,
  type TestPostgres,
} from '../support/databases/postgres-server.ts';
import { OPERATION_ROWS } from '../support/operations/all.ts';

const PATIENT = { timeout: 120_000, interval: 100 };

/** Operations that answer from recorded series alone. */
const SERIES = [
  '/kvaults/vaults/{pubkey}/metrics/history',
  '/kvaults/vaults/metrics/history',
  '/kvaults/vaults/{pubkey}/backtest',
  '/klend/{depositReservePubkey}/{borrowReservePubkey}/rewards/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history',
  '/svc-market/{pubkey}/leverage/metrics',
  '/svc-market/{pubkey}/metrics/history',
  '/kvaults/private-credit/metrics/history',
  '/v2/staking-yields',
  '/yields/{source}/history',
  '/prices/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history',
];

interface Ready {
  readonly history: { readonly replicas?: readonly Readonly<Record<string, unknown>>[] };
}

describe.skipIf(skipPostgres)(`a gateway with a read replica${NO_POSTGRES}`, () => {
  let [primary, replica]: TestPostgres[] = [];
  let [alone, replicated]: ContractWorld[] = [];

  beforeAll(async () => {
    primary = await startTestPostgres();
    await recordSeries(primary.url);
    replica = await startTestReplica(primary);
    alone = await startWorldOver(primary.url);
    replicated = await startWorldOver(primary.url, { DATABASE_READ_URLS: replica.url, METRICS_HOLD_MS: '0' });
    await vi.waitFor(async () => expect(await inUse()).toEqual([true]), PATIENT);
  });

  afterAll(async () => {
    await Promise.all([alone?.stop(), replicated?.stop()]);
    replica?.remove();
    primary?.remove();
  });

  const ready = async () => await replicated?.get('/ready');
  const replicas = async () => ((await ready())?.body as Ready | undefined)?.history.replicas;
  const inUse = async () => (await replicas())?.map((each) => each.inUse);

  async function metrics(): Promise<ReadonlyMap<string, number>> {
    const text = (await replicated?.get('/metrics'))?.text ?? '';
    const lines = text.split('\n').filter((line) => line.startsWith('sluice_replica_'));
    return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
  }

  it('answers like one without', async () => {
    const rows = OPERATION_ROWS.filter(({ path }) => SERIES.includes(path));
    expect(rows.length).toBe(SERIES.length);
    for (const { path, requests } of rows) {
      for (const ask of replicated === undefined ? [] : requests(replicated.subjects).slice(0, 5)) {
        const [one, other] = await Promise.all([alone?.ask(ask), replicated?.ask(ask)]);
        expect([path, other?.status, other?.text]).toEqual([path, one?.status, one?.text]);
      }
    }
  });

  it('has read the series from the replica, and nothing of them from the primary', async () => {
    const found = await metrics();
    expect(found.get('sluice_replica_reads_total{server="replica-1"}')).toBeGreaterThan(20);
    expect(found.get('sluice_replica_reads_total{server="primary"}')).toBe(0);
    expect(found.get('sluice_replica_failures_total{server="replica-1"}')).toBe(0);
    expect(found.get('sluice_replica_good{replica="replica-1"}')).toBe(1);
    expect(found.get('sluice_replica_in_use{replica="replica-1"}')).toBe(1);
    expect(found.get('sluice_replica_lag_bytes{replica="replica-1"}')).toBeGreaterThanOrEqual(0);
    expect(found.get('sluice_replica_lag_seconds{replica="replica-1"}')).toBeGreaterThanOrEqual(0);
  });

  it('serves from the primary, and stays ready, when the replica is killed', async () => {
    const [vault] = replicated?.subjects.vaults ?? [];
    // Ends that were not asked for: the answers of before are cached for their View.
    const ask = (minute: number) => ({
      url: `/kvaults/vaults/${vault?.address}/metrics/history?end=2100-01-01T00:0${minute}:00Z`,
    });
    const before = await replicated?.ask(ask(1));
    replica?.killHard();
    const after = await replicated?.ask(ask(2));
    expect([after?.status, after?.text]).toEqual([200, before?.text]);
    expect((await metrics()).get('sluice_replica_reads_total{server="primary"}')).toBeGreaterThan(0);
    await expect.poll(async () => (await replicas())?.[0]?.status, PATIENT).toBe('failing');
    expect((await ready())?.status).toBe(200);
    replica?.start();
    await expect.poll(inUse, PATIENT).toEqual([true]);
  });
});
