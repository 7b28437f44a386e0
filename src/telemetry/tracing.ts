import type { Logger } from './logger.ts';
import { failureLog } from './logger.ts';
import type { RpcSample } from './metrics.ts';
import type { RequestTrace } from './request-trace.ts';
import type { StatementSample } from './store-metrics.ts';

/** Spans of requests and of the work done for them. Background work, such as View refreshes, has none. */
export interface Tracing {
  /** Wraps the handling of a request; the response names the trace. */
  request(request: Request, trace: RequestTrace, answer: () => Promise<Response>): Promise<Response>;
  /** Wraps a GraphQL operation. */
  operation<T>(trace: RequestTrace, run: () => Promise<T>): Promise<T>;
  /** Records a finished call. */
  rpcCalled(call: RpcSample): void;
  statementEnded(statement: StatementSample): void;
  /** Flushes pending spans. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** URL of the collector; null disables tracing. */
  readonly endpoint: string | null;
  readonly serviceName: string;
  /** From 0 to 1. */
  readonly sampleRatio: number;
  readonly logger: Logger;
}

const FAILURE_LOG_MS = 300_000;

/** Null without a collector; OpenTelemetry is then not loaded. */
export async function startTracing(options: TracingOptions): Promise<Tracing | null> {
  const { endpoint, logger } = options;
  if (endpoint === null) return null;
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.ts');
  const onFailure = failureLog(logger, 'sending traces failed', FAILURE_LOG_MS);
  return new OpenTelemetryTracing({ ...options, endpoint, onFailure });
}
