import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { traceOf } from '../../src/telemetry/request-trace.ts';

const trace = (changes: object = {}) => ({ ...traceOf(new Headers()), ...changes });

describe('metrics', () => {
  it('are each app\u2019s own', async () => {
    const [one, other] = [new Metrics(), new Metrics()];
    one.refreshFailed();
    expect((await one.expose()).text).toContain('sluice_view_refresh_failures_total 1');
    expect((await other.expose()).text).toContain('sluice_view_refresh_failures_total 0');
  });

  it('only use labels from our own tables', async () => {
    const metrics = new Metrics();
    const strange = trace({ codes: ['toString', 'NOT_OURS', 'INTERNAL'], outcome: 'failed', cost: 7 });
    metrics.requestAnswered({ method: 'BREW', status: 500, durationMs: 12, trace: strange });
    const { text } = await metrics.expose();
    expect(text).toContain('sluice_http_requests_total{route="other",method="other",status="500"} 1');
    expect(text).toContain('sluice_errors_total{code="OTHER"} 2');
    expect(text).toContain('sluice_errors_total{code="INTERNAL"} 1');
    expect(text).toContain('sluice_graphql_operations_total{outcome="failed"} 1');
    expect(text).toContain('sluice_http_request_duration_seconds_bucket{le="0.025",route="other"} 1');
    expect(text).toContain('sluice_graphql_cost_sum 7');
    expect(text).not.toMatch(/BREW|NOT_OURS|toString/);
  });

  it('report 0 for the View before there is one', async () => {
    const metrics = new Metrics();
    let view: { number: number; slot: bigint; builtAtMs: number } | undefined;
    metrics.watchView(() => view);
    expect((await metrics.expose()).text).toMatch(/^sluice_view_number 0$/m);
    view = { number: 3, slot: 400_000_000n, builtAtMs: Date.now() - 1500 };
    const { text } = await metrics.expose();
    expect(text).toMatch(/^sluice_view_number 3$/m);
    expect(text).toMatch(/^sluice_view_slot 400000000$/m);
    expect(Number(/^sluice_view_age_seconds (.*)$/m.exec(text)?.[1])).toBeCloseTo(1.5, 0);
  });

  it('count endpoint attempts by outcome', async () => {
    const metrics = new Metrics();
    const call = {
      endpoint: 'rpc-1',
      method: 'getSlot',
      durationMs: 40,
      requestBytes: 50,
      responseBytes: 70,
    };
    metrics.rpcCalled({ ...call, outcome: 'ok' });
    metrics.rpcCalled({ ...call, outcome: 'RPC_TIMEOUT' });
    metrics.rpcCalled({ ...call, endpoint: 'rpc-2', outcome: 'RPC_BAD_RESPONSE', refusedBody: 'TOO_LARGE' });
    const { text } = await metrics.expose();
    expect(text).toContain('sluice_rpc_calls_total{endpoint="rpc-1",method="getSlot",outcome="ok"} 1');
    expect(text).toContain('sluice_rpc_bodies_refused_total{endpoint="rpc-2",reason="TOO_LARGE"} 1');
    expect(text).toContain(
      'sluice_rpc_calls_total{endpoint="rpc-1",method="getSlot",outcome="RPC_TIMEOUT"} 1',
    );
    expect(text).toContain(
      'sluice_rpc_bytes_total{endpoint="rpc-1",method="getSlot",direction="received"} 140',
    );
  });
});
