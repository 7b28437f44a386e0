import type { IncomingMessage } from 'node:http';
import { SluiceError } from '../errors/sluice-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { REQUEST_ID_HEADER, type RequestTrace, traceOf } from '../telemetry/request-trace.ts';
import type { Admission, Allowance } from './allowance.ts';
import { logRequest } from './request-log.ts';

/** A request on its way. */
export interface Passage {
  readonly method: string;
  /** Path and query, as they came. */
  readonly target: string;
  readonly trace: RequestTrace;
  /** Nothing is done for a request before its cost is taken from it; its headers go with the answer. */
  readonly allowance: Allowance;
  /** By the clock of `performance`. */
  readonly startedAt: number;
}

/**
 * Where every request passes, once on its way in and once on its way out, whichever way it is answered: it has an id, one
 * log line, a place in the metrics, and somebody who pays for it.
 */
export class RequestGate {
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #admission: Admission;

  constructor(logger: Logger, metrics: Metrics, admission: Admission) {
    this.#logger = logger;
    this.#metrics = metrics;
    this.#admission = admission;
  }

  /** @param peer address of the other end of the socket; undefined without one */
  enter(method: string, target: string, headers: Pick<Headers, 'get'>, peer: string | undefined): Passage {
    const allowance = this.#admission.allowanceOf(headers, peer, target);
    return { method, target, trace: traceOf(headers), allowance, startedAt: performance.now() };
  }

  /** The same for a request as the socket gives it, before anything of its body has come. */
  receive(incoming: IncomingMessage): Passage {
    const { method = '', url = '', socket } = incoming;
    return this.enter(method, url, headersOf(incoming), socket.remoteAddress);
  }

  leave({ method, target, trace, startedAt }: Passage, status: number): void {
    const durationMs = performance.now() - startedAt;
    this.#metrics.requestAnswered({ method, status, durationMs, trace });
    logRequest(this.#logger, { method, target, status, durationMs }, trace);
  }
}

/** As `Headers` reads them: what may come only once is a text. */
export function headersOf({ headers }: IncomingMessage): Pick<Headers, 'get'> {
  return {
    get(name) {
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
  };
}

/** Where a request came in, as the server hands it over beside the request. */
export interface Connection {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/** A handler whose requests pass the gate. What it throws becomes an answer that tells nothing but the id. */
export function observeRequests(
  handle: (request: Request, passage: Passage) => Promise<Response>,
  gate: RequestGate,
  logger: Logger,
): (request: Request, connection?: Connection) => Promise<Response> {
  return async (request, connection) => {
    const peer = connection?.incoming?.socket?.remoteAddress;
    const passage = gate.enter(request.method, targetOf(request.url), request.headers, peer);
    const { trace, allowance } = passage;
    let response: Response;
    try {
      response = await handle(request, passage);
    } catch (error) {
      response = request.signal.aborted
        ? failureResponse(new SluiceError('REQUEST_CANCELLED', { what: 'The request' }), trace)
        : internalErrorResponse(error, trace, logger);
    }
    response.headers.set(REQUEST_ID_HEADER, trace.id);
    for (const [name, value] of Object.entries(allowance.headers())) response.headers.set(name, value);
    gate.leave(passage, response.status);
    return response;
  };
}

/** Path and query of an absolute URL. */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
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
