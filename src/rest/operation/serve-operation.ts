import type { Context } from 'hono';
import { type CodedError, isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { lengthUnits, REQUEST_COST } from '../../http/allowance.ts';
import type { Produce } from '../../http/answer-cache/answer-cache.ts';
import { targetKey } from '../../http/answer-cache/request-key.ts';
import type { Responder } from '../../http/answer-cache/responder.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Platform } from '../../services/platform/platform.ts';
import { requestedState } from '../../services/platform/requested-state.ts';
import { hasUnreadTransactions } from '../../services/platform/transaction-source.ts';
import { requestDeadline } from '../../services/request/deadline.ts';
import type { Session } from '../../services/request/session.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { type ErrorAnswer, errorAnswer } from './error-answers.ts';
import { InvalidInput } from './invalid-input.ts';
import type { Call, Operation } from './operation.ts';
import { operationCost } from './operation-cost.ts';
import { readJson } from './read-body.ts';
import { streamParts } from './stream-parts.ts';
import { streamedBody, TextStream } from './text-stream.ts';
import { unknownFields } from './unknown-values.ts';

export interface RestOptions {
  readonly platform: Platform;
  readonly logger: Logger;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  /** Interval between Views. */
  readonly viewRefreshMs: number;
  /** Null: URLs in answers begin with the host that the request was sent to. */
  readonly publicUrl: string | null;
  readonly responder: Responder;
}

export type Env = { Bindings: Exchange };

/** `/a/{b}` in the router's syntax. */
export const pattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

export async function serveOperation(
  operation: Operation,
  options: RestOptions,
  c: Context<Env>,
): Promise<Response> {
  const request = c.req.raw;
  const { trace, allowance, work } = c.env;
  trace.route = pattern(operation.path);
  const state: { view?: Session['view'] } = {};
  try {
    const { run, continues } = operation.accept({
      params: c.req.param(),
      query: queryOf(operation, c),
      body: operation.body === null ? {} : await readJson(request, options.maxBodyBytes),
    });
    const cost = operationCost(operation);
    const decision = allowance.spend(cost);
    const refusal = await decision;
    if (refusal !== null) throw refusal;
    if (operation.needsKey && allowance.keyId === null) throw new SluiceError('UNAUTHENTICATED', KEY_NEEDED);
    work.pay(cost);
    // Redis decides about many requests in one answer, and they would all go on in the same turn.
    if (decision instanceof Promise) await c.env.turn();
    const baseUrl = options.publicUrl ?? new URL(request.url).origin;
    const key = isCached(operation) ? targetKey(baseUrl, documentedTarget(operation, c)) : null;
    const produce: Produce = async (note, signal) => {
      using deadline = requestDeadline(options.requestTimeoutMs, c.env.startedAt, signal);
      const { platform } = options;
      work.follow(deadline.signal);
      const session = await platform.openSession({
        ...requestedState({
          view: request.headers.get('x-view'),
          minSlot: request.headers.get('x-min-slot'),
        }),
        continues,
        work,
      });
      state.view = session.view;
      trace.view = session.view.moment.id;
      const stop = new AbortController();
      const part = streamParts({
        platform,
        exchange: c.env,
        timeoutMs: options.requestTimeoutMs,
        cost: cost + REQUEST_COST,
        view: session.view.moment.id,
        signal: stop.signal,
      });
      const settle = () => {
        note.isFixedByView = session.isFixedByView;
        work.settle((units) => allowance.charge(units));
      };
      const answer = await run({ session, platform, baseUrl, part } satisfies Call).finally(settle);
      if (answer instanceof TextStream) {
        const body = await streamedBody(answer, stop, (error) => {
          if (!isCodedError(error)) options.logger.error({ id: trace.id, err: error }, 'stream failed');
        }).finally(settle);
        return new Response(body, { headers: streamHeaders(operation, options, answer, session) });
      }
      const text = operation.media === undefined ? JSON.stringify(answer) : String(answer);
      const units = lengthUnits(text);
      if (units > 0) allowance.charge(units);
      if (isCached(operation)) note.made = { view: session.view.moment.id, units };
      return new Response(text, { headers: answerHeaders(operation, options, answer, session) });
    };
    return await options.responder.respond(request, c.env, key, produce, continues);
  } catch (error) {
    const failure = failureOf(error, operation, options, c);
    trace.codes = [failure.code];
    const headers = state.view === undefined ? {} : stateHeaders(state.view);
    const challenge =
      operation.needsKey && failure.code === 'UNAUTHENTICATED' ? { 'www-authenticate': CHALLENGE } : {};
    return errorResponse(errorAnswer(operation.family.shape, failure), { ...headers, ...challenge });
  }
}

const KEY_NEEDED = {
  reason:
    'This operation needs an API key of the operator: send it as Authorization: Bearer, as X-Api-Key, or as user or password of HTTP Basic. The operator creates keys with `npm run keys -- create`; without any, the operation is off',
};
const CHALLENGE = 'Bearer realm="sluice", Basic realm="sluice"';

export function errorResponse(
  { status, body, headers }: ErrorAnswer,
  more: Readonly<Record<string, string>>,
): Response {
  return Response.json(body, { status, headers: { ...headers, ...more, 'cache-control': 'no-store' } });
}

/** The documented parameters that were given. One that is given once is a string, a repeated one a list. */
function queryOf(operation: Operation, c: Context<Env>): Record<string, unknown> {
  return Object.fromEntries(
    givenParameters(operation, c).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** The values of each documented parameter that was given. `name[]` is another spelling of `name`. */
function givenParameters({ query }: Operation, c: Context<Env>): (readonly [string, readonly string[]])[] {
  const given = new Map(Object.entries(c.req.queries()));
  return Object.keys(query.shape)
    .map((name) => [name, [name, `${name}[]`].flatMap((each) => given.get(each) ?? [])] as const)
    .filter(([, values]) => values.length > 0);
}

/** The target with its documented parameters only, sorted by name: requests with equal targets have equal answers. */
function documentedTarget(operation: Operation, c: Context<Env>): string {
  const params: Readonly<Record<string, string>> = c.req.param();
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const given = givenParameters(operation, c).sort(([a], [b]) => (a < b ? -1 : 1));
  const search = new URLSearchParams(
    given.flatMap(([name, values]) => values.map((value) => [name, value])),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function answerHeaders(
  operation: Operation,
  options: RestOptions,
  answer: unknown,
  session: Session,
): Record<string, string> {
  return {
    'content-type': operation.media ?? 'application/json',
    'cache-control': cacheControl(operation, options, session),
    vary: 'Accept-Encoding, X-View, X-Min-Slot',
    ...stateHeaders(session.view),
    ...unknownHeader(answer),
    ...(hasUnreadTransactions(session) ? { 'x-complete': 'false' } : {}),
    ...operation.headers,
  };
}

function streamHeaders(
  operation: Operation,
  options: RestOptions,
  { headers }: TextStream,
  session: Session,
): Record<string, string> {
  // The end of a file says whether it is complete.
  const { 'x-complete': _, ...common } = answerHeaders(operation, options, null, session);
  return { ...common, 'content-type': `${operation.media}; charset=utf-8`, ...headers };
}

/** Whether the answer cache may have it: it stores only what its View determines. */
const isCached = ({ holds }: Operation) => holds === 'view' || holds === 'positions';

/** Account notifications replace a View sooner than the refresh interval says. */
const MAX_VIEW_AGE_SECONDS = 5;

/** Clients reuse a copy for at most half the life of a View. */
function cacheControl(
  { holds, method }: Operation,
  { viewRefreshMs }: RestOptions,
  { isFixedByView }: Session,
): string {
  if (method === 'post') return 'no-store';
  if (holds === 'never' || holds === 'positions' || !isFixedByView) return 'private, no-cache';
  if (holds === 'day') return 'public, max-age=86400';
  return `public, max-age=${Math.min(MAX_VIEW_AGE_SECONDS, Math.floor(viewRefreshMs / 2_000))}`;
}

function stateHeaders({ moment: { id, slot } }: Session['view']): Record<string, string> {
  return { 'x-view': id, 'x-slot': String(slot) };
}

function unknownHeader(answer: unknown): Record<string, string> {
  const fields = unknownFields(answer);
  return fields.length === 0 ? {} : { 'x-unknown': fields.join(', ') };
}

/** A list has its cursor in one parameter, and a stream in another. */
function invalidToken(
  { query }: Operation,
  { context: { cursor } }: CodedError<'CURSOR_INVALID'>,
): InvalidInput {
  const [name, source, none] =
    'cursor' in query.shape
      ? ['cursor', 'the cursor of a row', 'the first row']
      : ['paginationToken', 'the paginationToken', 'the first page'];
  const message = `"${cursor}" is not a token of this query: pass ${source} of an answer to the same query, or none for ${none}`;
  return new InvalidInput([{ code: 'custom', path: [name], message }]);
}

/** Anything but a coded error is a bug: it is logged, and the caller learns only the request id. */
function failureOf(
  error: unknown,
  operation: Operation,
  { logger }: RestOptions,
  c: Context<Env>,
): CodedError {
  if (c.req.raw.signal.aborted) return new SluiceError('REQUEST_CANCELLED', { what: 'The request' });
  if (isCodedError(error, 'CURSOR_INVALID')) return invalidToken(operation, error);
  if (isCodedError(error)) return error;
  logger.error({ id: c.env.trace.id, err: error }, 'request failed');
  return new SluiceError('INTERNAL', {});
}
