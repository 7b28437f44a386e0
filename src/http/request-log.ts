import type { Logger } from '../telemetry/logger.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';

/** A request that has been answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  readonly status: number;
  readonly durationMs: number;
}

const MAX_PATH_LENGTH = 200;
/** Polled every few seconds by load balancers and Prometheus; the metrics already count them. */
const PROBES = new Set(['/health', '/ready', '/metrics']);

/** Logs one line per request: probes at `debug`, everything else at `info`. */
export class RequestLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    // The fields below hold no secret, and looking for one takes longer than writing the line.
    this.#logger = logger.child({}, { redact: [] });
  }

  write(answered: AnsweredRequest, trace: RequestTrace): void {
    const level = PROBES.has(trace.route) ? 'debug' : 'info';
    if (this.#logger.isLevelEnabled(level)) this.#logger[level](requestFields(answered, trace), 'request');
  }
}

function requestFields({ method, target, status, durationMs }: AnsweredRequest, trace: RequestTrace): object {
  const { id, operation, outcome, cost, view, codes } = trace;
  return {
    id,
    method,
    path: pathOf(target),
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(outcome === null ? {} : { operation, outcome, cost, view }),
    ...(codes.length === 0 ? {} : { codes: [...new Set(codes)] }),
  };
}

/** Without the query string, which may hold a document with its variables. */
function pathOf(target: string): string {
  const queryAt = target.indexOf('?');
  return target.slice(0, queryAt === -1 ? MAX_PATH_LENGTH : Math.min(queryAt, MAX_PATH_LENGTH));
}
