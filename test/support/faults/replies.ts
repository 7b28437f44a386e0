import type { ChainExtension, GraphQLFailure } from '../apps/test-app.ts';
import type { Question } from './traffic.ts';

/** What a caller got. */
export interface Reply {
  readonly question: Question;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The answer itself: `data` of the graph, the body of REST; null when there is none. */
  readonly content: unknown;
  readonly codes: readonly string[];
  /** Whether an operation of the graph was begun: what fails then is told with status 200. */
  readonly isBegun: boolean;
  /** Where the graph says that something failed. */
  readonly failedAt: readonly string[];
  readonly retryable: boolean;
  /** The slot of the View that it claims to be read from. */
  readonly slot: bigint | null;
  readonly view: number | null;
  /** Of what was read beside the View; REST does not tell. */
  readonly live: { readonly min: bigint; readonly max: bigint } | null;
}

export type Fetch = (request: Request) => Promise<Response>;

interface GraphBody {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFailure[];
  readonly extensions?: { readonly chain?: ChainExtension };
}

export async function askFor(
  fetch: Fetch,
  origin: string,
  question: Question,
  given: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { path, body, face } = question;
  const response = await fetch(
    new Request(`${origin}${path}`, {
      headers: { ...given, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }),
  );
  const { status, headers } = response;
  const text = await response.text();
  const parsed: unknown = JSON.parse(text);
  const common = { question, status, headers, text };
  return { ...common, ...(face === 'graph' ? graphReply(parsed as GraphBody) : restReply(parsed, response)) };
}

type Told = Omit<Reply, 'question' | 'status' | 'headers' | 'text'>;

export function graphReply(body: GraphBody): Told {
  const { data, errors = [], extensions } = body;
  const refused = refusalOf(data);
  const chain = extensions?.chain;
  return {
    content: data ?? null,
    isBegun: 'data' in body,
    codes: [...errors.map((error) => error.extensions?.code ?? 'none'), ...refused],
    failedAt: errors.map(({ path = [] }) => path.join('.')),
    retryable: errors.every((error) => error.extensions?.retryable === true),
    slot: chain === undefined ? null : BigInt(chain.slot),
    view: chain?.view ?? null,
    live: chain === undefined ? null : { min: BigInt(chain.slotMin), max: BigInt(chain.slotMax) },
  };
}

/** A builder of the graph that gives no plan says why as its result. */
function refusalOf(data: unknown): string[] {
  const [result] = Object.values(
    (data ?? {}) as Record<string, { __typename?: string; code?: string } | null>,
  );
  return result?.__typename === 'BuildError' ? [result.code ?? 'none'] : [];
}

function restReply(body: unknown, { ok, headers }: Response): Told {
  const slot = headers.get('x-slot');
  const view = headers.get('x-view');
  const said = (body as { readonly code?: string } | null)?.code;
  return {
    content: ok ? body : null,
    isBegun: false,
    codes: ok ? [] : [headers.get('x-error-code') ?? said ?? 'none'],
    failedAt: [],
    retryable: /^\d+$/.test(headers.get('retry-after') ?? ''),
    slot: slot === null ? null : BigInt(slot),
    view: view === null ? null : Number(view),
    live: null,
  };
}

/** Where an answer differs from the truth. A null is no difference where the answer says that something failed there. */
export function differences(
  given: unknown,
  truth: unknown,
  failedAt: readonly string[] = [],
  at = '',
): readonly string[] {
  if (Object.is(given, truth)) return [];
  if (given === null && hasFailed(failedAt, at)) return [];
  if (typeof given !== 'object' || typeof truth !== 'object' || given === null || truth === null) {
    return [`${at}: ${JSON.stringify(given)} instead of ${JSON.stringify(truth)}`];
  }
  const keys = new Set([...Object.keys(given), ...Object.keys(truth)]);
  return [...keys].flatMap((key) =>
    differences(
      (given as Record<string, unknown>)[key],
      (truth as Record<string, unknown>)[key],
      failedAt,
      at === '' ? key : `${at}.${key}`,
    ),
  );
}

const hasFailed = (failedAt: readonly string[], at: string) =>
  failedAt.some((path) => path === at || path.startsWith(`${at}.`) || at === '');

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Where an answer of a View whose accounts are of several slots is outside of what the truth of these slots spans. Such
 * an answer may mix them, so a number may leave their span by as much as the span is wide.
 */
export function outside(
  given: unknown,
  truths: readonly unknown[],
  failedAt: readonly string[] = [],
  at = '',
): readonly string[] {
  if (truths.some((truth) => Object.is(given, truth))) return [];
  if (given === null && hasFailed(failedAt, at)) return [];
  const numbers = [given, ...truths].map((each) => (NUMBER.test(String(each)) ? Number(each) : Number.NaN));
  const [own = Number.NaN, ...known] = numbers;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  if (own >= low - (high - low) && own <= high + (high - low)) return [];
  if (
    typeof given !== 'object' ||
    given === null ||
    truths.some((each) => typeof each !== 'object' || !each)
  ) {
    return [`${at}: ${JSON.stringify(given)} is not within ${JSON.stringify(truths)}`];
  }
  const all = truths as readonly Record<string, unknown>[];
  const keys = new Set([given, ...all].flatMap((each) => Object.keys(each)));
  return [...keys].flatMap((key) =>
    outside(
      (given as Record<string, unknown>)[key],
      all.map((truth) => truth[key]),
      failedAt,
      at === '' ? key : `${at}.${key}`,
    ),
  );
}
