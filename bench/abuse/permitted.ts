import { type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import { exceededLimit, type QueryLimits } from '../../src/graphql/cost/limits.ts';
import { measureQuery } from '../../src/graphql/cost/measure.ts';
import { hasTooManyOverlaps } from '../../src/graphql/cost/overlaps.ts';
import { type Knobs, shrunk } from './knobs.ts';
import { filled } from './placeholders.ts';

const PRESENT = { now: Date.UTC(2026, 0), signed: () => 'AAAA' };

/** Why the gateway would refuse a document without running it; null for one that it runs. */
export function refusalOf(schema: GraphQLSchema, limits: QueryLimits, text: string): string | null {
  try {
    const document = parse(filled(text, PRESENT), { maxTokens: limits.tokens });
    if (hasTooManyOverlaps(document)) return 'TOO_MANY_OVERLAPS';
    const [invalid] = validate(schema, document);
    if (invalid !== undefined) return invalid.message;
    const operation = getOperationAST(document);
    if (!operation) return 'there is no operation';
    const measure = measureQuery({ schema, document, operation, variables: {} });
    return exceededLimit(measure, limits)?.code ?? null;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/** The knobs, made smaller until the document is permitted; null when even the smallest is not. */
export function fitting(knobs: Knobs, isPermitted: (knobs: Knobs) => boolean): Knobs | null {
  for (let fit: Knobs | null = knobs; fit !== null; fit = shrunk(fit)) if (isPermitted(fit)) return fit;
  return null;
}
