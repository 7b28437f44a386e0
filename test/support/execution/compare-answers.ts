import type { ExecutionResult } from 'graphql';
import type { QueryContext } from './two-executors.ts';

/** Fields that differ between two answers of a chain that does not advance: clocks and latencies. */
export const CHANGING = ['ChainStatus.viewAgeMs', 'RpcEndpoint.latencyMs', 'RecorderStatus.lagMs'];

/** A response in comparable form. */
export interface ComparedAnswer {
  /** JSON, so that the order of keys is compared too. */
  readonly data: string;
  /** JSON of the errors in response order. */
  readonly errors: readonly string[];
  /** Errors whose own field is null. */
  readonly atField: readonly string[];
  /** Paths that are null because of an error below them. */
  readonly nulledParents: readonly string[];
  /** JSON of the warnings; sorted, because lists read from the chain arrive in any order. */
  readonly warnings: readonly string[];
  /** The warnings that are not below a nulled parent. */
  readonly warningsOfData: readonly string[];
  /** Number of resolved objects. */
  readonly nodes: number;
  /** Whether more than the View was read, such as accounts or the loans of a market: that arrives in any order. */
  readonly readMore: boolean;
}

export function comparable(
  result: ExecutionResult,
  { objects, session, warnings }: Pick<QueryContext, 'objects' | 'session' | 'warnings'>,
): ComparedAnswer {
  const { stringify = JSON.stringify } = result as { stringify?: (each: ExecutionResult) => string };
  const { errors = [], ...rest } = result;
  const data = stringify(rest);
  const values = (JSON.parse(data) as { data?: unknown }).data;
  const atField: string[] = [];
  const nulledParents = new Set<string>();
  for (const error of errors) {
    const path = error.path ?? [];
    const depth = depthOfNull(values, path);
    if (depth === path.length) atField.push(JSON.stringify(error));
    else nulledParents.add(path.slice(0, depth).join('.'));
  }
  const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
  return {
    data,
    errors: errors.map((error) => JSON.stringify(error)),
    atField: atField.sort(),
    nulledParents: [...nulledParents].sort(),
    warnings: sorted(warnings.list),
    warningsOfData: sorted(warnings.list.filter(({ path }) => depthOfNull(values, path) === path.length)),
    nodes: objects.resolved,
    readMore: session.report().rpcRequests > 0 || !session.isFixedByView,
  };
}

/** Length of the part of a path that leads to null. */
function depthOfNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return depth;
    value = (value as Record<string | number, unknown>)[key];
  }
  return path.length;
}

/**
 * Describes how two responses differ; undefined when they do not. Where more than the View was read, errors may be in any order, and which
 * of several errors nulls a common parent depends on which arrives first; so do the objects and warnings below that parent.
 */
export function difference(reference: ComparedAnswer, planned: ComparedAnswer): string | undefined {
  const same = (part: 'errors' | 'atField' | 'nulledParents' | 'warnings' | 'warningsOfData') =>
    reference[part].join('\n') === planned[part].join('\n');
  const sameWork = reference.nodes === planned.nodes && same('warnings');
  const agree = reference.readMore
    ? same('atField') &&
      same('nulledParents') &&
      same('warningsOfData') &&
      (sameWork || reference.nulledParents.length > 0)
    : same('errors') && sameWork;
  return agree && reference.data === planned.data
    ? undefined
    : JSON.stringify({ reference, planned }, null, 1);
}
