import { GraphQLBoolean, type GraphQLLeafType, GraphQLString } from 'graphql';
import { toDecimalJson } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';

/** Writes values of a leaf as JSON. */
export interface LeafWriter {
  /** Undefined for all but values of the form that the type usually has. */
  readonly usual: (value: unknown) => string | undefined;
  /** What the type's `serialize` gives, whatever the value. */
  readonly any: (value: unknown) => string;
}

/** How values of a type are written. */
export function leafWriter(type: GraphQLLeafType): LeafWriter {
  const serialized = serializedBy(type);
  return { usual: usualForm(type), any: (value) => JSON.stringify(serialized(value)) };
}

function usualForm(type: GraphQLLeafType): LeafWriter['usual'] {
  if (type === GraphQLBoolean) {
    return (value) => (value === true ? 'true' : value === false ? 'false' : undefined);
  }
  if (type === GraphQLString || type.name === 'Address') {
    return (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined);
  }
  // A number that is published twice is written once.
  if (type.name === 'Decimal') {
    return (value) => (value instanceof Rational ? toDecimalJson(value) : undefined);
  }
  return () => undefined;
}

function serializedBy(type: GraphQLLeafType): (value: unknown) => unknown {
  return (value) => {
    const result = type.serialize(value);
    if (result === undefined || result === null) {
      throw new Error(`Expected "${type.name}.serialize" to return a non-nullable value.`);
    }
    return result;
  };
}
