import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { STILL } from '../support/apps/test-app.ts';
import { type OpenTestDatabase, postgres } from '../support/databases/test-databases.ts';

const QUERY = `query ($wallet: Address!) {
  wallet(address: $wallet) { obligations { nodes { transactions(first: 5) { nodes { signature } } } } }
  vaults(first: 1) { nodes { metricsHistory { points { timestamp } } } }
}`;

describe.each(postgres())('/metrics of a gateway with history in $name', (kind) => {
  let database: OpenTestDatabase;
  let rpc: LocalnetRpc;
  let app: App;
  let text: string;
  const lines: string[] = [];

  const get = async (path: string) =>
    await (await app.fetch(new Request(`http://sluice.test${path}`))).text();

  /** The value of a sample; undefined when there is none. */
  const sample = (name: string): number | undefined => {
    const found = text.split('\n').find((line) => line.startsWith(`${name} `));
    return found === undefined ? undefined : Number(found.slice(name.length + 1));
  };

  beforeAll(async () => {
    database = await kind.open();
    const localChain = unchangedChain();
    rpc = await serveChain(localChain);
    app = await createApp(
      loadConfig({ ...STILL, SOLANA_RPC_URLS: rpc.url, DATABASE_URL: database.url, LOG_LEVEL: 'info' }),
      { logger: createLogger('info', { write: (line) => lines.push(line) }) },
    );
    await until(() => app.chain.views.newest !== undefined);
    while (!(await get('/ready')).includes('"history":{"status":"ready"')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await get('/health');
    const answer = await app.fetch(
      new Request('http://sluice.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: QUERY, variables: { wallet: localChain.addresses.wallet } }),
      }),
    );
    expect(await answer.text()).not.toContain('"errors"');
    const until100Ms = performance.now() + 100;
    while (performance.now() < until100Ms);
    // The delay is measured when the loop runs again.
    await new Promise((resolve) => setTimeout(resolve, 20));
    text = await get('/metrics');
  });

  afterAll(async () => {
    await app?.stop();
    await rpc?.close();
    await database?.close();
  });

  it('reports accounts and bytes per page', () => {
    const pages = sample('sluice_account_page_accounts_count') ?? 0;
    expect(pages).toBeGreaterThan(1);
    expect(sample('sluice_account_page_bytes_count')).toBe(pages);
    const perPage = (sample('sluice_account_page_accounts_sum') ?? 0) / pages;
    expect(perPage).toBeGreaterThan(1);
    expect(perPage).toBeLessThanOrEqual(98);
    expect(sample('sluice_account_page_bytes_bucket{le="4000000"}')).toBe(pages);
    // Every reserve has 8,624 bytes.
    expect(sample('sluice_account_page_bytes_sum')).toBeGreaterThan(
      app.chain.views.current().all('reserve').size * 8_624,
    );
  });

  it('reports decoding time by kind of account', () => {
    const view = app.chain.views.current();
    for (const kind of ['reserve', 'vault', 'market'] as const) {
      expect(sample(`sluice_account_decode_seconds_count{kind="${kind}"}`)).toBe(view.all(kind).size);
    }
    expect(sample('sluice_account_decode_seconds_count{kind="obligation"}')).toBeGreaterThan(0);
    expect(sample('sluice_account_decode_seconds_sum{kind="reserve"}')).toBeGreaterThan(0);
  });

  it('reports the state of each endpoint', () => {
    expect(sample('sluice_rpc_endpoint_healthy{endpoint="rpc-1"}')).toBe(1);
    expect(sample('sluice_rpc_endpoint_lag_slots{endpoint="rpc-1"}')).toBe(0);
    expect(sample('sluice_rpc_endpoint_in_flight{endpoint="rpc-1"}')).toBeGreaterThanOrEqual(0);
    expect(sample('sluice_notifications_connected')).toBe(0);
  });

  it('reports database connections and statement time', () => {
    const of = (state: string) => sample(`sluice_database_connections{state="${state}"}`) ?? -1;
    expect(of('max')).toBe(8);
    expect(of('idle') + of('busy')).toBeGreaterThan(0);
    expect(of('idle') + of('busy')).toBeLessThanOrEqual(8);
    expect(of('waiting')).toBe(0);
    expect(sample('sluice_sql_statement_seconds_count{outcome="ok"}')).toBeGreaterThan(2);
    expect(sample('sluice_sql_statement_seconds_sum{outcome="ok"}')).toBeGreaterThan(0);
  });

  it('reports the progress of ingestion', () => {
    for (const name of ['addresses', 'transactions', 'oldest_seconds']) {
      expect(sample(`sluice_ingest_${name}`)).toBeGreaterThanOrEqual(0);
    }
  });

  it('reports the event loop delay', () => {
    const [p50, p99, max] = ['p50', 'p99', 'max'].map(
      (name) => sample(`nodejs_eventloop_lag_${name}_seconds`) ?? Number.NaN,
    );
    // At least the 100 ms for which it was blocked, less the resolution of the measurement.
    expect(max).toBeGreaterThan(0.08);
    expect(p99).toBeLessThanOrEqual(max ?? 0);
    expect(p50).toBeLessThanOrEqual(p99 ?? 0);
    expect(p50).toBeGreaterThan(0);
  });

  it('logs no line per probe', () => {
    const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path);
    expect(paths).toContain('/graphql');
    expect(paths.filter((path) => path !== undefined && path !== '/graphql')).toEqual([]);
  });
});
