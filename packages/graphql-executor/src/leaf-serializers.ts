import { GraphQLBoolean, type GraphQLLeafType, GraphQLString } from 'graphql';

/** Writes a value as JSON if it has the usual runtime form of its type. Undefined: the type's `serialize` handles it. */
export type LeafSerializer = (value: unknown) => string | undefined;

/** Writes values of one leaf type as JSON. */
export interface LeafWriter {
  readonly fast: LeafSerializer;
  /** Writes any value through the type's `serialize`. */
  readonly any: (value: unknown) => string;
}

export function leafWriter(
  type: GraphQLLeafType,
  serializers: Readonly<Record<string, LeafSerializer>>,
): LeafWriter {
  return {
    fast: serializers[type.name] ?? builtInSerializer(type),
    any: (value) => JSON.stringify(serialize(type, value)),
  };
}

function builtInSerializer(type: GraphQLLeafType): LeafSerializer {
  if (type === GraphQLBoolean) {
    return (value) => (value === true ? 'true' : value === false ? 'false' : undefined);
  }
  if (type === GraphQLString) {
    return (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined);
  }
  return () => undefined;
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  const result: unknown = type.serialize(value);
  if (result === undefined || result === null) {
    throw new Error(`Expected "${type.name}.serialize" to return a non-nullable value.`);
  }
  return result;
}
