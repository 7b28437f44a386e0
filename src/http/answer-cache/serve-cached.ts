import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_COST, type Refusal } from '../allowance.ts';
import { headersOf } from '../exchange.ts';
import type { RequestPipeline } from '../pipeline.ts';
import { type RefusalShape, refusalAnswer } from '../refusals.ts';
import { headerList, type ResponseHeaders } from '../response-headers.ts';
import type { Listener } from '../server.ts';
import type { AnswerCache, CachedAnswer } from './answer-cache.ts';
import type { RequestKeys } from './request-key.ts';

export interface ServeCachedOptions {
  readonly cache: AnswerCache;
  /** Id of the newest View; undefined before the first one. */
  readonly newestView: () => string | undefined;
  readonly keys: RequestKeys;
  readonly pipeline: RequestPipeline;
  readonly responseHeaders: ResponseHeaders;
  readonly refusalShape: RefusalShape;
}

/** Longer documents are rarely sent twice. */
const MAX_BODY_BYTES = 32_000;
const JSON_BODY = /^application\/json\s*(?:;|$)/i;
/** Headers that select a View, or a body that has to be decoded first. */
const BYPASS = ['x-view', 'x-min-slot', 'content-encoding', 'transfer-encoding', 'expect'] as const;

/**
 * Answers a request from the cache before it becomes a `Request`: nothing is parsed, validated or executed, but it is
 * admitted, logged and paid for like any other. Everything else is passed on.
 */
export function serveCached(options: ServeCachedOptions, next: Listener): Listener {
  const { cache, newestView, keys } = options;
  return (incoming, outgoing) => {
    const { method } = incoming;
    if (BYPASS.some((name) => incoming.headers[name] !== undefined)) return next(incoming, outgoing);
    const serve = (key: string | null) => {
      const view = newestView();
      const found = view === undefined || key === null ? undefined : cache.find(view, key);
      if (found === undefined) next(incoming, outgoing);
      else sendCached(found, options, incoming, outgoing);
    };
    if (method === 'GET' || method === 'HEAD') return serve(keys.ofTarget(incoming));
    if (method !== 'POST' || !keys.hasBodyKey(incoming) || !isSmallJson(incoming))
      return next(incoming, outgoing);
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      // The request listener takes a body that has been read from `rawBody`.
      const rawBody = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      serve(keys.ofBody(Object.assign(incoming, { rawBody })));
    });
  };
}

function isSmallJson({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length']);
  return length > 0 && length <= MAX_BODY_BYTES && JSON_BODY.test(headers['content-type'] ?? '');
}

function sendCached(
  { encoded, units, trace: answerTrace }: CachedAnswer,
  { pipeline, responseHeaders, refusalShape }: ServeCachedOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const exchange = pipeline.receive(incoming);
  const { trace, allowance, target } = exchange;
  const preferences = { method: exchange.method, headers: headersOf(incoming) };
  const send = (refusal: Refusal): void => {
    const answer =
      refusal === null ? encoded.ready(preferences) : refusalAnswer(refusalShape(target), refusal, trace);
    if (answer === undefined) {
      encoded.answer(preferences).then(
        () => send(null),
        (error: unknown) => outgoing.destroy(error instanceof Error ? error : new Error(String(error))),
      );
      return;
    }
    if (refusal === null) Object.assign(trace, answerTrace);
    const { status, headers, body } = answer;
    const own = pipeline.headers(exchange);
    outgoing.writeHead(
      status,
      refusal === null
        ? [...responseHeaders.completeShared(preferences, headers), ...headerList(own)]
        : { ...responseHeaders.complete(preferences, headers), ...own },
    );
    outgoing.end(preferences.method === 'HEAD' ? null : body);
    pipeline.finish(exchange, status);
  };
  const refusal = allowance.spend(REQUEST_COST + units);
  if (refusal instanceof Promise) void refusal.then(send);
  else send(refusal);
}
