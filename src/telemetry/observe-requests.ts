import { SluiceError } from '../errors/sluice-error.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { REQUEST_ID_HEADER, type RequestTrace, traceOf } from './request-trace.ts';

const MAX_PATH_LENGTH = 200;

/** A request on its way. */
export interface Passage {
  readonly method: string;
  /** Path and query, as they came. */
  readonly target: string;
  readonly trace: RequestTrace;
  /** By the clock of `performance`. */
  readonly startedAt: number;
}

/**
 * Where every request passes, once on its way in and once on its way out, whichever way it is answered: it has an id, one
 * log line, and a place in the metrics.
 */
export class RequestGate {
  readonly #lines: Pick<Logger, 'info'>;
  readonly #metrics: Metrics;

  constructor(logger: Logger, metrics: Metrics) {
    // A line has the fields below and no others. To search it for credentials would cost more than the whole request.
    this.#lines = logger.child({}, { redact: [] });
    this.#metrics = metrics;
  }

  enter(method: string, target: string, headers: Pick<Headers, 'get'>): Passage {
    return { method, target, trace: traceOf(headers), startedAt: performance.now() };
  }

  leave({ method, target, trace, startedAt }: Passage, status: number): void {
    const durationMs = performance.now() - startedAt;
    this.#metrics.requestAnswered({ method, status, durationMs, trace });
    // The path alone: a query string may hold a document with its variables.
    const queryAt = target.indexOf('?');
    const path = target.slice(0, queryAt === -1 ? MAX_PATH_LENGTH : Math.min(queryAt, MAX_PATH_LENGTH));
    this.#lines.info(requestLine({ method, path, status, durationMs }, trace), 'request');
  }
}

/** A handler whose requests pass the gate. What it throws becomes an answer that tells nothing but the id. */
export function observeRequests(
  handle: (request: Request, trace: RequestTrace) => Promise<Response>,
  gate: RequestGate,
  logger: Logger,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const passage = gate.enter(request.method, targetOf(request.url), request.headers);
    const { trace } = passage;
    let response: Response;
    try {
      response = await handle(request, trace);
    } catch (error) {
      response = request.signal.aborted
        ? failureResponse(new SluiceError('REQUEST_CANCELLED', { what: 'The request' }), trace)
        : internalErrorResponse(error, trace, logger);
    }
    response.headers.set(REQUEST_ID_HEADER, trace.id);
    gate.leave(passage, response.status);
    return response;
  };
}

/** Path and query of an absolute URL. */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

function requestLine({ method, path, status, durationMs }: Answered, trace: RequestTrace): object {
  const { id, operation, outcome, cost, view, codes } = trace;
  return {
    id,
    method,
    path,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(outcome === null ? {} : { operation, outcome, cost, view }),
    ...(codes.length === 0 ? {} : { codes: [...new Set(codes)] }),
  };
}

/** For faces without a shape of their own for errors. */
export function internalErrorResponse(error: unknown, trace: RequestTrace, logger: Logger): Response {
  logger.error({ id: trace.id, err: error }, 'a request failed');
  return failureResponse(new SluiceError('INTERNAL', {}), trace);
}

function failureResponse({ code, message, status }: SluiceError, trace: RequestTrace): Response {
  trace.codes = [code];
  return Response.json({ error: message, code, requestId: trace.id }, { status });
}
