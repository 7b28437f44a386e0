import type { Context } from 'hono';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import type { KeptAnswers, View } from '../http/answer-cache/view-answers.ts';
import { asResponse, PackedAnswer } from '../http/encoded-answer.ts';
import type { Passage } from '../http/pipeline.ts';
import { restOfCost } from '../http/refusals.ts';
import { deadlineSignal } from '../services/deadline.ts';
import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';
import { wantedState } from '../services/wanted-state.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type ErrorAnswer, errorAnswer } from './error-answers.ts';
import type { Call, Operation } from './operation.ts';
import { readJson } from './read-body.ts';

export interface RestOptions {
  readonly platform: Platform;
  readonly logger: Logger;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  /** How often there is a new View. */
  readonly viewRefreshMs: number;
  /** Null: the address under which a request reached us. */
  readonly publicUrl: string | null;
  readonly kept: KeptAnswers;
}

export type Env = { Bindings: Pick<Passage, 'trace' | 'allowance'> };
type Run = (call: Call) => Promise<unknown>;

/** `/a/{b}` as the router writes it. */
export const pattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

export async function serveOperation(
  operation: Operation,
  options: RestOptions,
  c: Context<Env>,
): Promise<Response> {
  const request = c.req.raw;
  let session: Session | undefined;
  try {
    const run = operation.accept({
      params: c.req.param(),
      query: queryOf(c.req.queries()),
      body: operation.body === null ? {} : await readJson(request, options.maxBodyBytes),
    });
    const refusal = await c.env.allowance.spend(restOfCost(operation));
    if (refusal !== null) throw refusal;
    using deadline = deadlineSignal(options.requestTimeoutMs, 'The request', request.signal);
    const { platform } = options;
    const [view, minSlot] = [request.headers.get('x-view'), request.headers.get('x-min-slot')];
    session = await platform.openSession({ ...wantedState({ view, minSlot }), signal: deadline.signal });
    c.env.trace.view = session.view.moment.number;
    const baseUrl = options.publicUrl ?? new URL(request.url).origin;
    const packed =
      operation.holds === 'view'
        ? await keptAnswer(operation, options, run, {
            session,
            baseUrl,
            target: documentedTarget(operation, c),
          })
        : pack(operation, options, await run({ session, platform, baseUrl }), session.view);
    return asResponse(await packed.answer(request));
  } catch (error) {
    const failure = failureOf(error, options, c);
    c.env.trace.codes = [failure.code];
    const answer = errorAnswer(operation.family.shape, failure);
    return errorResponse(answer, session === undefined ? {} : stateHeaders(session.view));
  }
}

export function errorResponse(
  { status, body, headers }: ErrorAnswer,
  more: Readonly<Record<string, string>>,
): Response {
  return Response.json(body, { status, headers: { ...headers, ...more, 'cache-control': 'no-store' } });
}

/** A parameter that is given once is its text, one that is repeated a list. */
function queryOf(given: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/**
 * The question in one spelling: documented parameters only, by name. A request that is spelled so finds its kept answer
 * before it is routed.
 */
function documentedTarget({ path, query }: Operation, c: Context<Env>): string {
  const params: Readonly<Record<string, string>> = c.req.param();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = new Map(Object.entries(c.req.queries()));
  const names = Object.keys(query.shape).sort();
  const search = new URLSearchParams(
    names.flatMap((name) => (given.get(name) ?? []).map((value) => [name, value])),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

interface Question {
  readonly session: Session;
  readonly baseUrl: string;
  readonly target: string;
}

async function keptAnswer(
  operation: Operation,
  options: RestOptions,
  run: Run,
  { session, baseUrl, target }: Question,
): Promise<PackedAnswer> {
  const { platform, requestTimeoutMs } = options;
  const { view } = session;
  const make = async (signal: AbortSignal) => {
    using deadline = deadlineSignal(requestTimeoutMs, 'The request', signal);
    // Others may wait for it too: it reads by a session of its own, which does not end with the first caller's.
    const shared = await platform.openSession({ view: view.moment.number, signal: deadline.signal });
    const answer = await run({ session: shared, platform, baseUrl });
    return { packed: pack(operation, options, answer, view), route: pattern(operation.path) };
  };
  // The base URL is part of the question: answers may hold URLs that begin with it.
  const { packed } = await options.kept.of(view).findOrMake(`${baseUrl}${target}`, session.signal, make);
  return packed;
}

function pack(operation: Operation, options: RestOptions, answer: unknown, view: View): PackedAnswer {
  const { media, method } = operation;
  const text = media === undefined ? JSON.stringify(answer) : String(answer);
  return new PackedAnswer(Buffer.from(text), {
    contentType: media ?? 'application/json',
    tagged: method === 'get',
    headers: {
      'cache-control': cacheControl(operation, options),
      vary: 'Accept-Encoding, X-View, X-Min-Slot',
      ...stateHeaders(view),
      ...operation.headers,
    },
  });
}

/** A View that notifications replace lives shorter than the setting says. */
const MAX_VIEW_AGE_SECONDS = 5;

/** A copy is never used for longer than half of what a View lives. */
function cacheControl({ holds, method }: Operation, { viewRefreshMs }: RestOptions): string {
  if (method === 'post') return 'no-store';
  if (holds === 'day') return 'public, max-age=86400';
  if (holds === 'never') return 'private, no-cache';
  return `public, max-age=${Math.min(MAX_VIEW_AGE_SECONDS, Math.floor(viewRefreshMs / 2_000))}`;
}

/** What the answer was made of. */
function stateHeaders({ moment: { number, slot } }: View): Record<string, string> {
  return { 'x-view': String(number), 'x-slot': String(slot) };
}

/** A coded error; anything else is a fault of ours, of which only the request id is told. */
function failureOf(error: unknown, { logger }: RestOptions, c: Context<Env>): SluiceError {
  if (c.req.raw.signal.aborted) return new SluiceError('REQUEST_CANCELLED', { what: 'The request' });
  if (isSluiceError(error)) return error;
  logger.error({ id: c.env.trace.id, err: error }, 'a request failed');
  return new SluiceError('INTERNAL', {});
}
