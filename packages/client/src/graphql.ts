import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

/**
 * Types a document by the gateway's schema: `graphql('query { vaults { nodes { name } } }')`. Whole numbers over 2^53
 * and decimals arrive as strings; `Decimal` compares and formats them.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    Address: string;
    Base64: string;
    BigInt: string;
    DateTime: string;
    Decimal: string;
    JSON: unknown;
    U64: string;
  };
}>();

export {
  type FragmentOf,
  type ResultOf,
  readFragment,
  type TadaDocumentNode,
  type VariablesOf,
} from 'gql.tada';
