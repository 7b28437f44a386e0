import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { RpcSample } from './metrics.ts';
import type { RequestTrace } from './request-trace.ts';
import type { StatementSample } from './store-metrics.ts';
import type { Tracing } from './tracing.ts';

export interface OpenTelemetryOptions {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampleRatio: number;
  /** Called when spans could not be sent and are lost. */
  readonly onFailure: (error: unknown) => void;
}

const MAX_STATEMENT_LENGTH = 500;
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const TRACE_RESPONSE_HEADER = 'traceresponse';
const OK = 'ok';

/**
 * Sends spans to a collector. Names and attributes never contain a document, variable, path or URL; an RPC endpoint is
 * named by its position in the configuration. Trace context is not propagated to RPC endpoints, which belong to others.
 */
export class OpenTelemetryTracing implements Tracing {
  readonly #provider: NodeTracerProvider;
  readonly #tracer: Tracer;
  /** Local to this gateway: nothing is registered globally. */
  readonly #active = new AsyncLocalStorage<Context>();
  readonly #onFailure: (error: unknown) => void;

  constructor({ endpoint, serviceName, sampleRatio, onFailure }: OpenTelemetryOptions) {
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    const exporter = reporting(new OTLPTraceExporter({ url }), onFailure);
    this.#provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.#tracer = this.#provider.getTracer('sluice');
    this.#onFailure = onFailure;
  }

  async request(request: Request, trace: RequestTrace, answer: () => Promise<Response>): Promise<Response> {
    const { method } = request;
    const span = this.#tracer.startSpan(
      'request',
      { kind: SpanKind.SERVER, startTime: now(), attributes: { 'sluice.request_id': trace.id } },
      callersContext(request.headers),
    );
    try {
      const response = await this.#within(span, answer);
      span.updateName(trace.route);
      span.setAttributes({
        'http.request.method': method,
        'http.route': trace.route,
        'http.response.status_code': response.status,
        ...(trace.codes.length === 0 ? {} : { 'sluice.codes': [...new Set(trace.codes)] }),
      });
      if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      response.headers.set(TRACE_RESPONSE_HEADER, traceResponse(span));
      return response;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end(now());
    }
  }

  async operation<T>(trace: RequestTrace, run: () => Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan('graphql', { startTime: now() }, this.#active.getStore());
    try {
      return await this.#within(span, run);
    } finally {
      const { operation, outcome, cost, view } = trace;
      if (operation !== null) span.setAttribute('graphql.operation.name', operation);
      if (outcome !== null) span.setAttribute('sluice.outcome', outcome);
      if (cost !== null) span.setAttribute('sluice.cost', cost);
      if (view !== null) span.setAttribute('sluice.view', view);
      if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(now());
    }
  }

  rpcCalled({ endpoint, method, durationMs, requestBytes, responseBytes, outcome }: RpcSample): void {
    this.#ended(`rpc ${method}`, durationMs, outcome, {
      'rpc.system': 'jsonrpc',
      'rpc.method': method,
      'sluice.endpoint': endpoint,
      'sluice.request_bytes': requestBytes,
      'sluice.response_bytes': responseBytes,
    });
  }

  statementEnded({ text, durationMs, outcome }: StatementSample): void {
    const statement = text.replaceAll(/\s+/g, ' ').trim();
    const [verb = ''] = statement.split(' ', 1);
    this.#ended(`sql ${verb.toUpperCase()}`, durationMs, outcome, {
      'db.system.name': 'postgresql',
      'db.operation.name': verb.toUpperCase(),
      'db.query.text': statement.slice(0, MAX_STATEMENT_LENGTH),
    });
  }

  async stop(): Promise<void> {
    // Losing the last spans must not keep the gateway from stopping.
    await this.#provider.shutdown().catch(this.#onFailure);
  }

  /** Records finished work of the current request; work outside any request has no span. */
  #ended(name: string, durationMs: number, outcome: string, attributes: Attributes): void {
    const context = this.#active.getStore();
    if (context === undefined) return;
    const end = now();
    const span = this.#tracer.startSpan(
      name,
      {
        kind: SpanKind.CLIENT,
        startTime: end - durationMs,
        attributes: { ...attributes, 'sluice.outcome': outcome },
      },
      context,
    );
    if (outcome !== OK) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  #within<T>(span: Span, run: () => Promise<T>): Promise<T> {
    return this.#active.run(traceApi.setSpan(this.#active.getStore() ?? ROOT_CONTEXT, span), run);
  }
}

/** Unix milliseconds on the monotonic clock, which durations are measured with. */
const now = () => performance.timeOrigin + performance.now();

/** The caller's trace from its W3C headers; a malformed header starts a new trace. */
function callersContext(headers: Headers): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACE_PARENT.exec(headers.get('traceparent') ?? '') ?? [];
  const state = headers.get('tracestate');
  const parent = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(state === null ? {} : { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(parent) ? traceApi.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

function traceResponse(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** An exporter that reports failures. */
function reporting(exporter: OTLPTraceExporter, onFailure: (error: unknown) => void): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onFailure(result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
