import type { ExecutionResult } from 'graphql';
import type { QueryContext } from './two-executors.ts';

/** An answer in a form that can be compared. */
export interface ComparedAnswer {
  /** As JSON, so that the order of keys counts. */
  readonly data: string;
  /** As JSON, in their order. */
  readonly errors: readonly string[];
  /** Errors at the places that are null for them. */
  readonly here: readonly string[];
  /** Places that are null for an error below them. */
  readonly above: readonly string[];
  /** Objects that the answer has. */
  readonly nodes: number;
  /** Whether the network was asked: it answers in any order. */
  readonly live: boolean;
}

export function compared(
  result: ExecutionResult,
  { budget, session }: Pick<QueryContext, 'budget' | 'session'>,
): ComparedAnswer {
  const { stringify = JSON.stringify } = result as { stringify?: (each: ExecutionResult) => string };
  const { errors = [], ...rest } = result;
  const data = stringify(rest);
  const values = (JSON.parse(data) as { data?: unknown }).data;
  const here: string[] = [];
  const above = new Set<string>();
  for (const error of errors) {
    const path = error.path ?? [];
    const depth = depthOfNull(values, path);
    if (depth === path.length) here.push(JSON.stringify(error));
    else above.add(path.slice(0, depth).join('.'));
  }
  return {
    data,
    errors: errors.map((error) => JSON.stringify(error)),
    here: here.sort(),
    above: [...above].sort(),
    nodes: budget.resolved,
    live: session.report().rpcRequests > 0,
  };
}

/** How far down a path the data goes before it is null. */
function depthOfNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return depth;
    value = (value as Record<string | number, unknown>)[key];
  }
  return path.length;
}

/**
 * Says how two answers differ; undefined when they do not. When the network was asked, errors come in any order, and which
 * of several errors nulls a place above them depends on which of them was there first.
 */
export function difference(plain: ComparedAnswer, planned: ComparedAnswer): string | undefined {
  const same = (part: 'errors' | 'here' | 'above') => plain[part].join('\n') === planned[part].join('\n');
  const nodes = plain.nodes === planned.nodes;
  const agree = plain.live
    ? same('here') && same('above') && (nodes || plain.above.length > 0)
    : same('errors') && nodes;
  return agree && plain.data === planned.data ? undefined : JSON.stringify({ plain, planned }, null, 1);
}
