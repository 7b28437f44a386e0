import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { QueryMeasure } from './measure.ts';

/** Ceilings of a query. All but `tokens` and `nodes` are checked after validation and before anything is read. */
export interface QueryLimits {
  readonly tokens: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Items of one list in arguments or variables. */
  readonly listItems: number;
  readonly cost: number;
  /** Objects resolved during execution. */
  readonly nodes: number;
}

/** The first ceiling that a query exceeds; null when it is within all of them. */
export function exceededLimit(measure: QueryMeasure, limits: QueryLimits): CodedError | null {
  const { cost, depth, aliases, directives, longestList } = measure;
  if (depth > limits.depth) return new SluiceError('QUERY_TOO_DEEP', { depth, ceiling: limits.depth });
  if (aliases > limits.aliases)
    return new SluiceError('TOO_MANY_ALIASES', { aliases, ceiling: limits.aliases });
  if (directives > limits.directives)
    return new SluiceError('TOO_MANY_DIRECTIVES', { directives, ceiling: limits.directives });
  if (longestList > limits.listItems)
    return new SluiceError('LIST_TOO_LONG', { items: longestList, ceiling: limits.listItems });
  if (cost > limits.cost) return new SluiceError('QUERY_TOO_EXPENSIVE', { cost, ceiling: limits.cost });
  return null;
}
