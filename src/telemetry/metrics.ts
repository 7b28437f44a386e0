import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_CODES } from '../errors/codes.ts';
import type { RequestTrace } from './request-trace.ts';

/** One attempt at one RPC endpoint. */
export interface RpcSample {
  /** Our name for it, never its URL. */
  readonly endpoint: string;
  readonly method: string;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  /** Why the body was not read to its end; absent or null when it was. */
  readonly refusedBody?: string | null;
}

export interface RequestSample {
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  readonly trace: RequestTrace;
}

/** The newest View. */
export interface ViewSample {
  readonly number: number;
  readonly slot: bigint;
  /** Unix milliseconds. */
  readonly builtAtMs: number;
}

/** State of recorded history. */
export interface HistorySample {
  /** Null if nothing is recorded or not checked yet. */
  readonly lagMs: number | null;
  /** Null if no recorder runs in this process. */
  readonly leading: boolean | null;
  /** Whether nothing can be written because the disk is full. */
  readonly diskFull: boolean;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COUNTED_AT_ONCE = 256;
const COSTS = [1, 10, 100, 1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000];

/**
 * Prometheus metrics of one app. Label values come from tables of ours, never from callers, so their number is bounded.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter('http_requests_total', 'Answered requests.', [
    'route',
    'method',
    'status',
  ]);
  readonly #requestSeconds = this.#histogram(
    'http_request_duration_seconds',
    'Time until the response was ready to be sent.',
    ['route'],
    SECONDS,
  );
  readonly #operations = this.#counter('graphql_operations_total', 'GraphQL requests by outcome.', [
    'outcome',
  ]);
  /** Batched: counting each answer on its own would take several times as long. */
  #answered: RequestSample[] = [];
  readonly #errors = this.#counter('errors_total', 'Errors in responses, by code.', ['code']);
  readonly #cost = this.#histogram('graphql_cost', 'Computed cost of queries.', [], COSTS);
  readonly #rpcCalls = this.#counter('rpc_calls_total', 'Attempts of RPC calls.', [
    'endpoint',
    'method',
    'outcome',
  ]);
  readonly #rpcSeconds = this.#histogram(
    'rpc_call_duration_seconds',
    'Time from sending an attempt to the last byte of its response.',
    ['endpoint', 'method'],
    SECONDS,
  );
  readonly #rpcBytes = this.#counter('rpc_bytes_total', 'Body bytes to and from RPC endpoints.', [
    'endpoint',
    'method',
    'direction',
  ]);
  readonly #refusedBodies = this.#counter(
    'rpc_bodies_refused_total',
    'Response bodies that were too large, alone or with all others in flight.',
    ['endpoint', 'reason'],
  );
  readonly #refreshFailures = this.#counter('view_refresh_failures_total', 'Failed View refreshes.');

  readonly #minutes = this.#counter('recorded_minutes_total', 'Minutes of history written.');
  readonly #minuteSeconds = this.#histogram(
    'recording_duration_seconds',
    'Time to sample and write a minute.',
    [],
    SECONDS,
  );
  readonly #recordingFailures = this.#counter(
    'recording_failures_total',
    'Failures to open, write or poll history.',
  );

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** For classes that register metrics of their own. */
  get registry(): Registry {
    return this.#registry;
  }

  requestAnswered(sample: RequestSample): void {
    this.#answered.push(sample);
    if (this.#answered.length >= COUNTED_AT_ONCE) this.#countAnswered();
  }

  #countAnswered(): void {
    const answered = this.#answered;
    this.#answered = [];
    for (const sample of answered) this.#count(sample);
  }

  #count({ method, status, durationMs, trace }: RequestSample): void {
    const { route, outcome, cost, codes } = trace;
    this.#requests.inc({ route, method: METHODS.has(method) ? method : 'other', status: String(status) });
    this.#requestSeconds.observe({ route }, durationMs / 1000);
    for (const code of codes) this.#errors.inc({ code: Object.hasOwn(ERROR_CODES, code) ? code : 'OTHER' });
    if (outcome !== null) this.#operations.inc({ outcome });
    if (cost !== null) this.#cost.observe(cost);
  }

  rpcCalled({
    endpoint,
    method,
    durationMs,
    requestBytes,
    responseBytes,
    outcome,
    refusedBody,
  }: RpcSample): void {
    if (refusedBody) this.#refusedBodies.inc({ endpoint, reason: refusedBody });
    this.#rpcCalls.inc({ endpoint, method, outcome });
    this.#rpcSeconds.observe({ endpoint, method }, durationMs / 1000);
    this.#rpcBytes.inc({ endpoint, method, direction: 'sent' }, requestBytes);
    this.#rpcBytes.inc({ endpoint, method, direction: 'received' }, responseBytes);
  }

  refreshFailed(): void {
    this.#refreshFailures.inc();
  }

  /** Collects the newest View on every scrape; undefined before the first one. */
  watchView(newest: () => ViewSample | undefined): void {
    const gauge = (name: string, help: string, read: (view: ViewSample) => number) => {
      new Gauge({
        name: `sluice_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          const view = newest();
          if (view !== undefined) this.set(read(view));
        },
      });
    };
    gauge('view_age_seconds', 'Age of the newest View.', ({ builtAtMs }) =>
      Math.max(0, (Date.now() - builtAtMs) / 1000),
    );
    gauge(
      'view_number',
      'Views built by this process; counts from one after a restart.',
      ({ number }) => number,
    );
    gauge('view_slot', 'Slot of the newest View.', ({ slot }) => Number(slot));
  }

  minuteRecorded({ durationMs }: { readonly durationMs: number }): void {
    this.#minutes.inc();
    this.#minuteSeconds.observe(durationMs / 1000);
  }

  recordingFailed(): void {
    this.#recordingFailures.inc();
  }

  /** Collects the state of history on every scrape. */
  watchHistory(read: () => HistorySample): void {
    const gauge = (name: string, help: string, of: (sample: HistorySample) => number | null) => {
      new Gauge({
        name: `sluice_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          const value = of(read());
          if (value !== null) this.set(value);
        },
      });
    };
    gauge('recorder_lag_seconds', 'Age of the newest recorded sample.', ({ lagMs }) => lagMs && lagMs / 1000);
    gauge('recorder_leading', 'Whether the recorder of this process holds the lease.', ({ leading }) =>
      leading === null ? null : Number(leading),
    );
    gauge('history_disk_full', 'Whether history is not written because its disk is full.', ({ diskFull }) =>
      Number(diskFull),
    );
  }

  /** The exposition text and its content type. */
  async expose(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#countAnswered();
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `sluice_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ): Histogram<L> {
    return new Histogram({ name: `sluice_${name}`, help, labelNames, buckets, registers: [this.#registry] });
  }
}
