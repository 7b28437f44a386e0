import type { IncomingMessage } from 'node:http';
import { type CodedError, httpStatusOf, SluiceError } from '../errors/sluice-error.ts';
import { CooperativeScheduler } from '../node/cooperative-scheduler.ts';
import { WorkBudget } from '../node/work-budget.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { REQUEST_ID_HEADER, type RequestTrace, traceOf } from '../telemetry/request-trace.ts';
import { type Admission, REQUEST_COST } from './allowance.ts';
import { type Connection, type Exchange, headersOf } from './exchange.ts';
import { RequestLog } from './request-log.ts';

/** A fetch-style handler. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>;
/** A handler inside the pipeline. */
export type ExchangeHandler = (
  request: Request,
  exchange: Exchange,
  connection?: Connection,
) => Promise<Response>;

/**
 * Wraps the handling of every request: assigns an id and a payer, writes one log line and records the metrics.
 */
export class RequestPipeline {
  readonly #logger: Logger;
  readonly #requestLog: RequestLog;
  readonly #metrics: Metrics;
  readonly #admission: Admission;
  readonly #mostWork: number;
  /** The starts of requests. */
  readonly #scheduler = new CooperativeScheduler();

  /** @param mostWork ceiling of the account of each request */
  constructor(logger: Logger, metrics: Metrics, admission: Admission, mostWork: number) {
    this.#mostWork = mostWork;
    this.#logger = logger;
    this.#requestLog = new RequestLog(logger);
    this.#metrics = metrics;
    this.#admission = admission;
  }

  /** @param peer address of the other end of the socket; undefined without one */
  begin(method: string, target: string, headers: Pick<Headers, 'get'>, peer: string | undefined): Exchange {
    const allowance = this.#admission.allowanceOf(headers, peer, target);
    const turn = () => this.#scheduler.enter(allowance.client);
    const work = new WorkBudget({ ceiling: this.#mostWork, caller: allowance.client });
    work.pay(REQUEST_COST);
    return { method, target, trace: traceOf(headers), allowance, work, startedAt: performance.now(), turn };
  }

  /** `begin` for a request whose body has not been read. */
  receive(incoming: IncomingMessage): Exchange {
    const { method = '', url = '', socket } = incoming;
    return this.begin(method, url, headersOf(incoming), socket.remoteAddress);
  }

  /** Headers of the exchange itself: its id and the caller's limits. */
  headers({ trace, allowance }: Exchange): Record<string, string> {
    return Object.assign(allowance.headers(), { [REQUEST_ID_HEADER]: trace.id });
  }

  finish({ method, target, trace, startedAt }: Exchange, status: number): void {
    const durationMs = performance.now() - startedAt;
    this.#metrics.requestAnswered({ method, status, durationMs, trace });
    this.#requestLog.write({ method, target, status, durationMs }, trace);
  }

  /** Runs a handler inside the pipeline. Whatever it throws is answered with nothing but a code and the request id. */
  around(handle: ExchangeHandler): Handler {
    return async (request, connection) => {
      const peer = connection?.incoming?.socket?.remoteAddress;
      const exchange = this.begin(request.method, targetOf(request.url), request.headers, peer);
      const response = await this.#answered(handle, request, exchange, connection);
      for (const [name, value] of Object.entries(this.headers(exchange))) response.headers.set(name, value);
      this.finish(exchange, response.status);
      return response;
    };
  }

  async #answered(
    handle: ExchangeHandler,
    request: Request,
    exchange: Exchange,
    connection: Connection | undefined,
  ): Promise<Response> {
    try {
      return await handle(request, exchange, connection);
    } catch (error) {
      return request.signal.aborted
        ? failureResponse(new SluiceError('REQUEST_CANCELLED', { what: 'The request' }), exchange.trace)
        : internalErrorResponse(error, exchange.trace, this.#logger);
    }
  }
}

/** Path and query of an absolute URL. */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

/** For failures outside both APIs, which format their own errors. */
export function internalErrorResponse(error: unknown, trace: RequestTrace, logger: Logger): Response {
  logger.error({ id: trace.id, err: error }, 'request failed');
  return failureResponse(new SluiceError('INTERNAL', {}), trace);
}

function failureResponse(error: CodedError, trace: RequestTrace): Response {
  const { code, message } = error;
  trace.codes = [code];
  return Response.json({ error: message, code, requestId: trace.id }, { status: httpStatusOf(error) });
}
