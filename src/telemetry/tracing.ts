import type { Logger } from './logger.ts';
import { failureLog } from './logger.ts';
import type { RpcSample } from './metrics.ts';
import type { RequestTrace } from './request-trace.ts';
import type { StatementSample } from './store-metrics.ts';

/** Spans of a request and of what is done for it. What nobody asked for, such as keeping the View new, has none. */
export interface Tracing {
  /** Around everything that is done for a request. The answer tells the caller which trace it is. */
  request(request: Request, trace: RequestTrace, answer: () => Promise<Response>): Promise<Response>;
  /** Around a GraphQL operation. */
  operation<T>(trace: RequestTrace, run: () => Promise<T>): Promise<T>;
  /** A call that has ended. */
  rpcCalled(call: RpcSample): void;
  statementEnded(statement: StatementSample): void;
  /** Sends what has not been sent. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** Of the collector; null traces nothing. */
  readonly endpoint: string | null;
  readonly serviceName: string;
  /** From 0 to 1. */
  readonly sampleRatio: number;
  readonly logger: Logger;
}

const FAILURE_LOG_MS = 300_000;

/** Null without a collector; then nothing of OpenTelemetry is loaded. */
export async function startTracing(options: TracingOptions): Promise<Tracing | null> {
  const { endpoint, logger } = options;
  if (endpoint === null) return null;
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.ts');
  const onFailure = failureLog(logger, 'sending traces failed', FAILURE_LOG_MS);
  return new OpenTelemetryTracing({ ...options, endpoint, onFailure });
}
