import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { STILL } from '../support/apps/test-app.ts';

let rpc: LocalnetRpc;
let app: App;
const lines: string[] = [];

beforeAll(async () => {
  rpc = await serveChain(unchangedChain());
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  app = await createApp(loadConfig({ ...STILL, METRICS_HOLD_MS: '0', SOLANA_RPC_URLS: rpc.url }), { logger });
  await until(() => app.chain.views.newest !== undefined);
});

afterAll(async () => {
  await app?.stop();
  await rpc?.close();
});

async function ask(query: string, variables: object = {}): Promise<void> {
  const response = await app.fetch(
    new Request('http://sluice.test/graphql?secret=in-the-url', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'an-id',
        'proxy-authorization': 'Bearer secret',
      },
      body: JSON.stringify({ query, variables }),
    }),
  );
  await response.text();
}

async function line(query: string, variables: object = {}): Promise<Record<string, unknown>> {
  lines.length = 0;
  await ask(query, variables);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

/** The value of one sample of `/metrics`; undefined when there is none. */
async function metric(name: string): Promise<number | undefined> {
  const response = await app.fetch(new Request('http://sluice.test/metrics'));
  expect(response.headers.get('content-type')).toContain('text/plain');
  const found = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
  return found === undefined ? undefined : Number(found.slice(name.length + 1));
}

describe('the log line of a request', () => {
  it('has the operation and its outcome, and no document or variables', async () => {
    const logged = await line('query Mine { vaults(first: 2) { nodes { name } } }', {
      secret: 'in variables',
    });
    expect(logged).toEqual({
      level: 'info',
      time: expect.any(String),
      id: 'an-id',
      method: 'POST',
      path: '/graphql',
      status: 200,
      durationMs: expect.any(Number),
      operation: 'Mine',
      outcome: 'ok',
      cost: 3,
      view: app.chain.views.newest?.moment.id,
      msg: 'request',
    });
    expect(JSON.stringify(logged)).not.toContain('secret');
  });

  it.each([
    ['{ vaults( }', 'refused', ['GRAPHQL_PARSE_FAILED']],
    ['{ node(id: "x") { id } other: node(id: "y") { id } }', 'partial', ['BAD_REQUEST']],
    ['{ vaults(first: 1000) { totalCount } }', 'refused', ['NUMBER_OUT_OF_RANGE']],
  ])('has the error codes: %s', async (query, outcome, codes) => {
    expect(await line(query)).toMatchObject({ outcome, codes });
  });

  it('is written for every path', async () => {
    lines.length = 0;
    await app.fetch(new Request('http://sluice.test/nowhere/at/all?secret=1'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'GET', path: '/nowhere/at/all', status: 404 });
    expect(lines.join('')).not.toContain('secret');
  });
});

describe('/metrics', () => {
  it('counts requests by route, operations by outcome, errors by code, and costs', async () => {
    const names = [
      'sluice_http_requests_total{route="/graphql",method="POST",status="200"}',
      'sluice_http_request_duration_seconds_count{route="/graphql"}',
      'sluice_graphql_operations_total{outcome="ok"}',
      'sluice_graphql_operations_total{outcome="partial"}',
      'sluice_errors_total{code="BAD_REQUEST"}',
      'sluice_graphql_cost_count',
      'sluice_graphql_cost_sum',
    ];
    const before = await Promise.all(names.map(metric));
    await ask('{ vaults(first: 4) { nodes { name } } }');
    await ask('{ node(id: "x") { id } other: node(id: "y") { id } }');
    const after = await Promise.all(names.map(metric));
    expect(after.map((value, i) => (value ?? 0) - (before[i] ?? 0))).toEqual([2, 2, 1, 1, 2, 2, 5 + 22]);
  });

  it('counts requests to unknown paths under one label', async () => {
    await Promise.all(
      ['/a', '/b', '/c/d'].map((path) => app.fetch(new Request(`http://sluice.test${path}`))),
    );
    expect(
      await metric('sluice_http_requests_total{route="other",method="GET",status="404"}'),
    ).toBeGreaterThanOrEqual(3);
    expect(
      await metric('sluice_http_requests_total{route="/metrics",method="GET",status="200"}'),
    ).toBeGreaterThan(0);
  });

  it('counts RPC calls, their time and their bytes', async () => {
    const labels = 'endpoint="rpc-1",method="getMultipleAccounts"';
    expect(await metric(`sluice_rpc_calls_total{${labels},outcome="ok"}`)).toBeGreaterThan(0);
    expect(await metric(`sluice_rpc_call_duration_seconds_count{${labels}}`)).toBeGreaterThan(0);
    expect(await metric(`sluice_rpc_bytes_total{${labels},direction="sent"}`)).toBeGreaterThan(1_000);
    expect(await metric(`sluice_rpc_bytes_total{${labels},direction="received"}`)).toBeGreaterThan(100_000);
  });

  it('reports the View, the process and the event loop delay', async () => {
    const { number, slot } = app.chain.views.current().moment;
    expect(await metric('sluice_view_number')).toBe(number);
    expect(await metric('sluice_view_slot')).toBe(Number(slot));
    expect(await metric('sluice_view_age_seconds')).toBeGreaterThan(0);
    expect(await metric('sluice_view_refresh_failures_total')).toBe(0);
    expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(await metric('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('has no label with a value from a caller', async () => {
    await ask('query ChosenByTheCaller { chain { slot } }');
    const response = await app.fetch(
      new Request('http://sluice.test/chosen-by-the-caller', {
        method: 'CHOSEN',
        headers: { 'x-request-id': 'chosen' },
      }),
    );
    expect(response.status).toBe(404);
    const text = await (await app.fetch(new Request('http://sluice.test/metrics'))).text();
    expect(text.toLowerCase()).not.toContain('chosen');
    expect(text).not.toContain(rpc.url);
  });
});
