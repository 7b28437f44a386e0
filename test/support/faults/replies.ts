import type { ChainExtension, GraphQLFailure } from '../apps/test-app.ts';
import type { Question } from './traffic.ts';

/** A response as a client sees it. */
export interface Reply {
  readonly question: Question;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** GraphQL `data` or the REST body; null when there is none. */
  readonly content: unknown;
  readonly codes: readonly string[];
  /** Whether a GraphQL operation was executed: its errors have status 200. */
  readonly isBegun: boolean;
  /** Paths of GraphQL errors. */
  readonly failedAt: readonly string[];
  readonly retryable: boolean;
  /** The View slot that it claims. */
  readonly slot: bigint | null;
  readonly view: string | null;
  /** Slots of live reads; null for REST, which does not report them. */
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
  const { path, body, api } = question;
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
  return { ...common, ...(api === 'graph' ? graphReply(parsed as GraphBody) : restReply(parsed, response)) };
}

type ParsedReply = Omit<Reply, 'question' | 'status' | 'headers' | 'text'>;

export function graphReply(body: GraphBody): ParsedReply {
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

/** A GraphQL builder returns its refusal as a result. */
function refusalOf(data: unknown): string[] {
  const [result] = Object.values(
    (data ?? {}) as Record<string, { __typename?: string; code?: string } | null>,
  );
  return result?.__typename === 'BuildError' ? [result.code ?? 'none'] : [];
}

function restReply(body: unknown, { ok, headers }: Response): ParsedReply {
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
    view,
    live: null,
  };
}

/** Differences from the reference. A null is accepted where the answer has an error. */
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
 * Share by which the interest of a few slots moves a number: a vault of one slot over reserves of another is
 * worth what neither slot alone says. The smallest lie in these suites moves numbers by a thousand slots.
 */
const FEW_SLOTS = 5e-8;

/**
 * Where an answer of a View whose accounts are of several slots is outside of what the truth of these slots spans. Such
 * an answer may mix them, so a number may leave their span by as much as the span is wide, and by the interest of those
 * slots. The bytes of the View's accounts are compared exactly, each at its own slot.
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
  const slack = high - low + FEW_SLOTS * Math.max(Math.abs(low), Math.abs(high));
  if (own >= low - slack && own <= high + slack) return [];
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
