import SchemaBuilder, { PothosSchemaError, PothosValidationError } from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin, { decodeGlobalID } from '@pothos/plugin-relay';
import type { Address } from '@solana/kit';
import type { Rational } from '../numeric/rational.ts';
import type { GraphQLContext } from './context.ts';
import {
  addressScalar,
  base64Scalar,
  dateTimeScalar,
  decimalScalar,
  jsonScalar,
  u64Scalar,
} from './scalars.ts';

export interface SchemaTypes {
  Context: GraphQLContext;
  Scalars: {
    Address: { Input: Address; Output: Address };
    Decimal: { Input: Rational; Output: Rational };
    U64: { Input: bigint; Output: bigint };
    DateTime: { Input: Date; Output: Date };
    Base64: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
    ID: { Input: string; Output: string | number | bigint };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin, DataloaderPlugin],
  relay: {
    decodeGlobalID: knownGlobalID,
    idFieldOptions: { description: 'The global identifier, for `node` and for caches.' },
    nodeTypeOptions: { description: 'Anything that can be fetched again by its global identifier.' },
    nodeQueryOptions: {
      description: 'One object by its global identifier. Null, with an error, when it cannot be read.',
      args: { id: { description: 'A global identifier that an earlier answer gave.' } },
    },
    nodesQueryOptions: {
      description:
        'Many objects by their global identifiers, in the same order; null where one cannot be read.',
      args: { ids: { description: 'Global identifiers that earlier answers gave.' } },
    },
    pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
    hasNextPageFieldOptions: { description: 'Whether the list goes on after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list has items before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first item; null on an empty page.' },
    endCursorFieldOptions: { description: 'Cursor of the last item; null on an empty page.' },
  },
});

/** An identifier of a type that there is not was not given by us: that is the caller's mistake and no fault of ours. */
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
builder.addScalarType('U64', u64Scalar);
builder.addScalarType('DateTime', dateTimeScalar);
builder.addScalarType('Base64', base64Scalar);
builder.addScalarType('JSON', jsonScalar);

builder.queryType({
  description:
    'Everything that can be read. All numbers of one answer belong to one View of the chain; `extensions.chain` tells which.',
});
