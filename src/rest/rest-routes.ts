import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import { deadlineSignal } from '../services/deadline.ts';
import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';
import { wantedState } from '../services/wanted-state.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import { type ErrorAnswer, type ErrorFamily, errorAnswer } from './error-shapes.ts';
import { nearestPath } from './nearest-path.ts';
import type { Operation } from './operation.ts';
import { readJson } from './read-body.ts';
import { OPERATIONS } from './table.ts';

export interface RestOptions {
  readonly platform: Platform;
  readonly logger: Logger;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  /** Null: the address under which a request reached us. */
  readonly publicUrl: string | null;
}

type Env = { Bindings: { trace: RequestTrace } };

/** Written by `npm run openapi` and checked against the table: what is served is what is committed. */
const OPENAPI = new URL('../../openapi.json', import.meta.url);

/** Every operation of the table, and the document that describes them. */
export function restRoutes(options: RestOptions): Hono<Env> {
  const routes = new Hono<Env>();
  const document = readFileSync(OPENAPI, 'utf8');
  routes.get('/openapi.json', (c) => c.body(document, 200, { 'content-type': 'application/json' }));
  const ordered = [...OPERATIONS].sort((a, b) => comparePaths(a.path, b.path));
  for (const operation of ordered) {
    routes.on(operation.method.toUpperCase(), pattern(operation.path), (c) => serve(operation, options, c));
  }
  for (const { path, family } of ordered) {
    const methods = ordered.filter((each) => each.path === path).map(({ method }) => method.toUpperCase());
    routes.all(pattern(path), (c) => otherMethod(path, family, methods.join(', '), c));
  }
  return routes;
}

/** What is answered where there is nothing. */
export function unknownPath(path: string): object {
  const nearest = nearestPath(
    path,
    OPERATIONS.map((each) => each.path),
  );
  return { error: `There is nothing at ${path.slice(0, 200)}. The nearest documented path is ${nearest}.` };
}

/** `/a/{b}` as the router writes it. */
const pattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** The router takes the first that fits: a word goes before a parameter. */
function comparePaths(a: string, b: string): number {
  const literalFirst = (path: string) => path.replaceAll('{', '\uffff');
  return literalFirst(a) < literalFirst(b) ? -1 : 1;
}

async function serve(operation: Operation, options: RestOptions, c: Context<Env>): Promise<Response> {
  const request = c.req.raw;
  let session: Session | undefined;
  try {
    const run = operation.accept({
      params: c.req.param(),
      query: queryOf(c.req.queries()),
      body: operation.body === null ? {} : await readJson(request, options.maxBodyBytes),
    });
    using deadline = deadlineSignal(options.requestTimeoutMs, 'The request', request.signal);
    const { platform } = options;
    const [view, minSlot] = [request.headers.get('x-view'), request.headers.get('x-min-slot')];
    session = await platform.openSession({ ...wantedState({ view, minSlot }), signal: deadline.signal });
    const baseUrl = options.publicUrl ?? new URL(request.url).origin;
    const answer = await run({ session, platform, baseUrl });
    const headers = contextHeaders(session, c);
    return operation.media === undefined
      ? Response.json(answer, { headers })
      : new Response(String(answer), { headers: { ...headers, 'content-type': operation.media } });
  } catch (error) {
    const failure = failureOf(error, options, c);
    c.env.trace.codes = [failure.code];
    const answer = errorAnswer(operation.family, failure);
    return shaped(answer, session === undefined ? {} : contextHeaders(session, c));
  }
}

/** A parameter that is given once is its text, one that is repeated a list. */
function queryOf(given: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** What the answer was made of. */
function contextHeaders(session: Session, c: Context<Env>): Record<string, string> {
  const { number, slot } = session.view.moment;
  c.env.trace.view = number;
  return { 'x-view': String(number), 'x-slot': String(slot) };
}

/** A coded error; anything else is a fault of ours, of which only the request id is told. */
function failureOf(error: unknown, { logger }: RestOptions, c: Context<Env>): SluiceError {
  if (c.req.raw.signal.aborted) return new SluiceError('REQUEST_CANCELLED', { what: 'The request' });
  if (isSluiceError(error)) return error;
  logger.error({ id: c.env.trace.id, err: error }, 'a request failed');
  return new SluiceError('INTERNAL', {});
}

function otherMethod(path: string, family: ErrorFamily, allow: string, c: Context<Env>): Response {
  if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const message = `${path} does not answer ${c.req.method}; use ${allow}.`;
  return shaped(family.shape({ status: 405, message }), { allow });
}

function shaped({ status, body, headers }: ErrorAnswer, more: Readonly<Record<string, string>>): Response {
  return Response.json(body, { status, headers: { ...headers, ...more } });
}
