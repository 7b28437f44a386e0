import SchemaBuilder, { PothosSchemaError, PothosValidationError } from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin, { decodeGlobalID } from '@pothos/plugin-relay';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { GraphQLContext } from './context.ts';
import {
  addressScalar,
  base64Scalar,
  bigIntScalar,
  dateTimeScalar,
  decimalScalar,
  jsonScalar,
  u64Scalar,
} from './scalars.ts';

export interface SchemaTypes {
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  Scalars: {
    Address: { Input: Address; Output: Address };
    Decimal: { Input: Rational; Output: Rational };
    BigInt: { Input: bigint; Output: bigint };
    U64: { Input: bigint; Output: bigint };
    DateTime: { Input: Date; Output: Date };
    Base64: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    ID: { Input: string; Output: string | number | bigint };
  };
}

/** For functions that make the same fields of several types. */
export type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin, DataloaderPlugin],
  /** A field is never null unless it says `nullable: true` and, in its description, why. */
  defaultFieldNullability: false,
  relay: {
    decodeGlobalID: knownGlobalID,
    idFieldOptions: { description: 'Globally unique ID. Pass it to `node`, or use it as a cache key.' },
    nodeTypeOptions: { description: 'An object that can be fetched by its global ID.' },
    nodeQueryOptions: {
      description: 'Fetches one object by its global ID. Null, with an error, when it cannot be read.',
      args: { id: { description: 'Global ID, from the `id` field of the object.' } },
    },
    nodesQueryOptions: {
      description:
        'Fetches several objects by their global IDs, in the same order. An item is null, with an error, when it cannot be read.',
      args: { ids: { description: 'Global IDs, from the `id` fields of the objects.' } },
    },
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    hasNextPageFieldOptions: { description: 'Whether there are items after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first item. Null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last item. Null on an empty page.' },
  },
});

/** Rejects a global ID of an unknown type as invalid input. Without this check it would count as an internal error. */
function knownGlobalID(globalID: string): { readonly typename: string; readonly id: string } {
  const decoded = decodeGlobalID(globalID);
  try {
    builder.configStore.getTypeConfig(decoded.typename, 'Object');
  } catch (error) {
    if (!(error instanceof PothosSchemaError)) throw error;
    throw new PothosValidationError(`Invalid global ID: ${globalID}`);
  }
  return decoded;
}

builder.addScalarType('Address', addressScalar);
builder.addScalarType('Decimal', decimalScalar);
builder.addScalarType('BigInt', bigIntScalar);
builder.addScalarType('U64', u64Scalar);
builder.addScalarType('DateTime', dateTimeScalar);
builder.addScalarType('Base64', base64Scalar);
builder.addScalarType('JSON', jsonScalar);

builder.queryType({
  description:
    'All read operations. Every number in an answer comes from one View, a snapshot of the chain at one slot. `extensions.chain` says which.',
});
