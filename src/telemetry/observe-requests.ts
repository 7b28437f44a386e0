import { SluiceError } from '../errors/sluice-error.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { REQUEST_ID_HEADER, type RequestTrace, traceOf } from './request-trace.ts';

const MAX_PATH_LENGTH = 200;

/**
 * A handler whose requests have an id, one log line each, and a place in the metrics. What it throws becomes an answer
 * that tells nothing but the id.
 */
export function observeRequests(
  handle: (request: Request, trace: RequestTrace) => Promise<Response>,
  logger: Logger,
  metrics: Metrics,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const startedAt = performance.now();
    const trace = traceOf(request.headers);
    let response: Response;
    try {
      response = await handle(request, trace);
    } catch (error) {
      response = request.signal.aborted
        ? failureResponse(new SluiceError('REQUEST_CANCELLED', { what: 'The request' }), trace)
        : internalErrorResponse(error, trace, logger);
    }
    response.headers.set(REQUEST_ID_HEADER, trace.id);
    const { method } = request;
    const { status } = response;
    const durationMs = performance.now() - startedAt;
    metrics.requestAnswered({ method, status, durationMs, trace });
    // The path alone: a query string may hold a document with its variables.
    const path = new URL(request.url).pathname.slice(0, MAX_PATH_LENGTH);
    logger.info(requestLine({ method, path, status, durationMs }, trace), 'request');
    return response;
  };
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
