import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { QueryLimits } from '../../src/graphql/cost/limits.ts';
import { type DocumentOptions, documentOf } from './documents.ts';
import type { Knobs } from './knobs.ts';
import { fitting, refusalOf } from './permitted.ts';
import { type SchemaField, schemaFields } from './schema-fields.ts';

export interface Attack {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly body: string | null;
}

/** Something to search the dearest permitted request for. */
export interface Target {
  /** `Type.field`, or the method and path of a REST operation. */
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

/** Every field of the schema. A field that only a subscription reaches is a stream. */
export function graphTargets(options: DocumentOptions, limits: QueryLimits): Target[] {
  return schemaFields(options.schema).flatMap((field) => {
    const byStream = ofOperation(field, (operation) => operation === OperationTypeNode.SUBSCRIPTION);
    const answered = ofOperation(field, (operation) => operation !== OperationTypeNode.SUBSCRIPTION);
    return answered.paths.length > 0
      ? [graphTarget(options, limits, answered, false)]
      : [graphTarget(options, limits, byStream, true)];
  });
}

const ofOperation = (
  { paths, ...field }: SchemaField,
  isWanted: (operation: OperationTypeNode) => boolean,
): SchemaField => ({ ...field, paths: paths.filter(({ operation }) => isWanted(operation)) });

function graphTarget(
  options: DocumentOptions,
  limits: QueryLimits,
  field: SchemaField,
  isStream: boolean,
): Target {
  const { schema }: { readonly schema: GraphQLSchema } = options;
  const isPermitted = (knobs: Knobs) =>
    refusalOf(schema, limits, documentOf(options, field, knobs, 1)) === null;
  return {
    name: field.name,
    isStream,
    isPlain: field.isPlain,
    permissible: (knobs) => fitting(knobs, isPermitted),
    attack: (knobs, number) => ({
      method: 'POST',
      target: '/graphql',
      body: JSON.stringify({ query: documentOf(options, field, knobs, number) }),
    }),
  };
}
