import { OperationTypeNode } from 'graphql';
import type { QueryLimits } from '../../src/graphql/cost/limits.ts';
import { type DocumentOptions, documentOf } from './documents.ts';
import type { Knobs } from './knobs.ts';
import { fitting, refusalOf } from './permitted.ts';
import { type SchemaField, schemaFields } from './schema-fields.ts';

/** A request, with placeholders. */
export interface Attack {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly body: string | null;
  /** JSON, or events for a stream, unless it says otherwise. */
  readonly accept?: string;
}

/** Something to search the dearest permitted request for. */
export interface Target {
  /** `Type.field`, `stream Type.field`, the method and path of a REST operation, or `MCP tool`. */
  readonly name: string;
  /** Whether the answer is a stream, which is paid for when it is opened. */
  readonly isStream: boolean;
  /** Whether it is a scalar without arguments. */
  readonly isPlain: boolean;
  /** The knobs made permissible; null when no request is. */
  permissible(knobs: Knobs): Knobs | null;
  /** The request with a number. Requests with different numbers are not answered from a cache. */
  attack(knobs: Knobs, number: number): Attack;
}

const ANSWERED = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION];

/**
 * Every field of the schema as answers, and as streams those that nothing else reaches, and those with work of their own:
 * a View repeats it for each of them.
 */
export function graphTargets(options: DocumentOptions, limits: QueryLimits): Target[] {
  const answered = schemaFields(options.schema, ANSWERED);
  const known = new Set(answered.map(({ name }) => name));
  const streamed = schemaFields(options.schema, [OperationTypeNode.SUBSCRIPTION]);
  return [
    ...answered.map((field) => graphTarget(options, limits, field, null)),
    ...streamed
      .filter(({ name }) => !known.has(name))
      .map((field) => graphTarget(options, limits, field, field.name)),
    ...streamed
      .filter(({ name, takesArguments }) => known.has(name) && takesArguments)
      .map((field) => graphTarget(options, limits, field, `stream ${field.name}`)),
  ];
}

function graphTarget(
  options: DocumentOptions,
  limits: QueryLimits,
  field: SchemaField,
  /** Null for one that is answered at once. */
  stream: string | null,
): Target {
  const { schema } = options;
  const isPermitted = (knobs: Knobs) =>
    refusalOf(schema, limits, documentOf(options, field, knobs, 1)) === null;
  return {
    name: stream ?? field.name,
    isStream: stream !== null,
    isPlain: field.isPlain,
    permissible: (knobs) => fitting(knobs, isPermitted),
    attack: (knobs, number) => ({
      method: 'POST',
      target: '/graphql',
      body: JSON.stringify({ query: documentOf(options, field, knobs, number) }),
    }),
  };
}
