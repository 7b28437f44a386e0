import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { SILENT } from '../../src/telemetry/logger.ts';
import { OpenTelemetryTracing } from '../../src/telemetry/open-telemetry-tracing.ts';
import { traceOf } from '../../src/telemetry/request-trace.ts';
import { STILL } from '../support/apps/test-app.ts';
import { type OpenTestDatabase, postgres } from '../support/databases/test-databases.ts';

interface SpanValue {
  readonly stringValue?: string;
  readonly intValue?: number;
}

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: SpanValue }[];
  readonly status: { readonly code?: number };
}

interface ReceivedTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** Stands before an RPC and keeps the headers that it gets. */
async function startWitness(url: string): Promise<{ server: Server; url: string; headers: object[] }> {
  const headers: object[] = [];
  const server = createServer(async (incoming, outgoing) => {
    headers.push(incoming.headers);
    const body = await buffer(incoming);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers };
}

/** A collector of OTLP over HTTP that keeps what it gets. */
async function startCollector(): Promise<{ server: Server; url: string; received: ReceivedTraces[] }> {
  const received: ReceivedTraces[] = [];
  const server = createServer(async (incoming, outgoing) => {
    expect(incoming.url).toBe('/v1/traces');
    received.push((await json(incoming)) as ReceivedTraces);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const attributeOf = (span: ReceivedSpan, key: string) => {
  const value = span.attributes.find((attribute) => attribute.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

const CALLERS = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const QUERY = `query Mine($wallet: Address!) {
  wallet(address: $wallet) { obligations { nodes { healthFactor } } }
  vaults(first: 1) { nodes { metricsHistory { points { timestamp } } } }
}`;

describe.each(postgres())('traces, with history in $name', (kind) => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let witness: Awaited<ReturnType<typeof startWitness>>;
  let database: OpenTestDatabase;
  let rpc: LocalnetRpc;
  let app: App;
  let wallet: string;
  let responses: Response[];
  let spans: ReceivedSpan[];

  beforeAll(async () => {
    collector = await startCollector();
    database = await kind.open();
    const localChain = unchangedChain();
    wallet = localChain.addresses.wallet;
    rpc = await serveChain(localChain);
    witness = await startWitness(rpc.url);
    app = await createApp(
      loadConfig({
        ...STILL,
        SOLANA_RPC_URLS: `${witness.url}/?api-key=very-secret`,
        DATABASE_URL: database.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: 'sluice-test',
      }),
      { logger: SILENT },
    );
    await until(() => app.chain.views.newest !== undefined);
    let ready = '';
    while (!ready.includes('"history":{"status":"ready"')) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      ready = await (await app.fetch(new Request('http://sluice.test/ready'))).text();
    }
    responses = [
      await app.fetch(
        new Request('http://sluice.test/graphql', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-request-id': 'the-one',
            traceparent: `00-${CALLERS.trace}-${CALLERS.span}-01`,
          },
          body: JSON.stringify({ query: QUERY, variables: { wallet } }),
        }),
      ),
      await app.fetch(
        new Request(`http://sluice.test/kvaults/users/${wallet}/positions`, {
          headers: { traceparent: `00-${'f'.repeat(32)}-${CALLERS.span}-00`, 'x-request-id': 'unwanted' },
        }),
      ),
      await app.fetch(
        new Request('http://sluice.test/kvaults/vaults', {
          headers: { traceparent: 'nonsense', 'x-request-id': 'another' },
        }),
      ),
    ];
    expect(await responses[0]?.clone().text()).not.toContain('"errors"');
    await app.stop();
    spans = collector.received.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
  });

  afterAll(async () => {
    await rpc?.close();
    collector?.server.close();
    witness?.server.close();
    await database?.close();
  });

  const ofRequest = (id: string) => {
    const root = spans.find((span) => attributeOf(span, 'sluice.request_id') === id);
    if (root === undefined) throw new Error(`no span of request ${id}`);
    return root;
  };

  it('are a tree: the caller’s span, the request, the operation, its calls and statements', () => {
    const root = ofRequest('the-one');
    expect([root.traceId, root.parentSpanId]).toEqual([CALLERS.trace, CALLERS.span]);
    expect([
      root.name,
      attributeOf(root, 'http.request.method'),
      attributeOf(root, 'http.response.status_code'),
    ]).toEqual(['/graphql', 'POST', 200]);
    const [operation, ...more] = spans.filter((span) => span.parentSpanId === root.spanId);
    expect(more).toEqual([]);
    if (operation === undefined) throw new Error('the request has no operation');
    expect([operation.name, attributeOf(operation, 'graphql.operation.name')]).toEqual(['graphql', 'Mine']);
    expect(attributeOf(operation, 'sluice.outcome')).toBe('ok');
    const leaves = spans.filter((span) => span.parentSpanId === operation.spanId);
    expect(leaves.map((span) => span.name)).toContain('rpc getProgramAccounts');
    const statements = leaves.map((span) => attributeOf(span, 'db.query.text') ?? '');
    expect(statements.join()).toContain('vault_point');
    const [call] = leaves.filter((span) => span.name === 'rpc getProgramAccounts');
    expect(call && attributeOf(call, 'sluice.endpoint')).toBe('rpc-1');
    for (const leaf of leaves) {
      expect(leaf.traceId).toBe(CALLERS.trace);
      expect(BigInt(leaf.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
      expect(BigInt(leaf.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
    }
  });

  it('return their id to the caller, and start a new trace if the caller sends none', () => {
    const root = ofRequest('the-one');
    expect(responses[0]?.headers.get('traceresponse')).toBe(`00-${CALLERS.trace}-${root.spanId}-01`);
    const another = ofRequest('another');
    expect(another.parentSpanId ?? '').toBe('');
    expect(another.name).toBe('/kvaults/vaults');
    expect(responses[2]?.headers.get('traceresponse')).toBe(`00-${another.traceId}-${another.spanId}-01`);
  });

  it('are not recorded when the caller opts out, nor for background work', () => {
    expect(() => ofRequest('unwanted')).toThrow('no span');
    const roots = spans.filter((span) => (span.parentSpanId ?? '') === '');
    expect(roots.every((span) => attributeOf(span, 'sluice.request_id') !== undefined)).toBe(true);
  });

  it('hold no document, variable, path or URL', () => {
    const text = JSON.stringify(collector.received);
    for (const secret of [wallet, 'very-secret', 'healthFactor', '127.0.0.1', database.url]) {
      expect(text).not.toContain(secret);
    }
    const [resource] = collector.received[0]?.resourceSpans ?? [];
    expect(resource?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'sluice-test' },
    });
  });

  it('are not propagated to RPC endpoints', () => {
    expect(witness.headers.length).toBeGreaterThan(3);
    expect(JSON.stringify(witness.headers)).not.toMatch(/traceparent|tracestate/);
  });
});

it('an unreachable collector does not prevent a gateway from stopping, and is logged', async () => {
  const failures = new Set<string>();
  const tracing = new OpenTelemetryTracing({
    endpoint: 'http://127.0.0.1:9',
    serviceName: 'sluice',
    sampleRatio: 1,
    onFailure: (failure) => void failures.add(String(failure)),
  });
  expect(await tracing.operation(traceOf(new Headers()), async () => 'answer')).toBe('answer');
  await tracing.stop();
  expect([...failures]).toEqual(['Error: connect ECONNREFUSED 127.0.0.1:9']);
});
