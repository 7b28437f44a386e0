import { z } from '@hono/zod-openapi';
import {
  coveringTables,
  managedTable,
  managedTables,
  managedTablesOf,
  refuseTable,
} from '../../services/builds/lookup-tables.ts';
import { LOOKUP_ERRORS, READ_ERRORS, REGISTER_TABLE_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import {
  ManagedBatchQuery,
  ManagedTables,
  ManagedTablesQuery,
  MinimalTables,
  MinimalTablesBody,
  NewVaultTable,
  NewVaultTableBody,
  ProductTables,
  ProductTypeParams,
} from './schemas.ts';

export const LOOKUP_TABLE_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'findMinimalLookupTables',
    method: 'post',
    path: '/luts/find-minimal',
    tag: 'Lookup tables',
    summary: 'Fewest lookup tables that cover a transaction',
    description:
      'The smallest set of tables of vaults and markets that together have every address that any of them has. Addresses that no table has are ignored; deactivated tables and entries that are too new for a transaction do not count. The set is the minimum for what transactions contain; a search that takes too long ends with the smallest set found, which is never larger than repeatedly taking the table with the most missing addresses.',
    graph: 'query { lookupTables(covering, userAccounts, verify) { address } }',
    family: READ_ERRORS,
    holds: 'never',
    body: MinimalTablesBody,
    response: MinimalTables,
    example: ({ tokenMint, market, reserve }) => ({ body: { addresses: [market, reserve, tokenMint] } }),
    async answer({ session }, { body }) {
      const tables = await coveringTables(session, body);
      return { lutAddresses: tables.map(({ address }) => address) };
    },
  }),
  operation({
    id: 'getManagedLookupTables',
    method: 'get',
    path: '/luts/managed',
    tag: 'Lookup tables',
    summary: 'Lookup tables of a vault or market',
    description:
      'The table of a vault, as stored in its account, or of a market, as the catalogue of this deployment names it.',
    graph: 'query { vault(address) { lookupTable { address } } market(address) { lookupTable { address } } }',
    family: LOOKUP_ERRORS,
    holds: 'view',
    query: ManagedTablesQuery,
    response: ManagedTables,
    example: ({ vault }) => ({ query: { productIdentifierAddress: vault } }),
    async answer({ session }, { query: { productIdentifierAddress } }) {
      const table = managedTable(session, productIdentifierAddress);
      return { productIdentifierAddress, lutAddresses: table === null ? [] : [table] };
    },
  }),
  operation({
    id: 'getManagedLookupTablesOfSeveral',
    method: 'get',
    path: '/luts/managed/batch',
    tag: 'Lookup tables',
    summary: 'Lookup tables of several vaults or markets',
    description:
      'One entry per address, in the order of the request. An address that is neither a vault nor a market has no tables.',
    graph:
      'query { vaults(filter) { nodes { address lookupTable { address } } } markets(filter) { nodes { address lookupTable { address } } } }',
    family: READ_ERRORS,
    holds: 'view',
    query: ManagedBatchQuery,
    response: z.array(ManagedTables),
    example: ({ vault, market }) => ({ query: { productIdentifierAddress: [vault, market] } }),
    async answer({ session }, { query }) {
      return managedTables(session, query.productIdentifierAddress).map(({ product, tables }) => ({
        productIdentifierAddress: product,
        lutAddresses: [...tables],
      }));
    },
  }),
  operation({
    id: 'listManagedLookupTables',
    method: 'get',
    path: '/luts/managed/product-type/{productType}',
    tag: 'Lookup tables',
    summary: 'Lookup tables of all vaults or markets',
    description:
      'Products of a kind that have a table, ordered by address. Empty for kinds that this gateway does not serve: `swap_pair`, `strategy` and `meta_vault`.',
    graph:
      'query { vaults(first after) { nodes { address lookupTable { address } } } markets(first after) { nodes { address lookupTable { address } } } }',
    family: READ_ERRORS,
    holds: 'view',
    params: ProductTypeParams,
    response: z.array(ProductTables),
    example: () => ({ params: { productType: 'vault' as const } }),
    async answer({ session }, { params: { productType } }) {
      return managedTablesOf(session, productType).map(({ product, tables }) => ({
        productIdentifierAddress: product,
        productType,
        lutAddresses: [...tables],
      }));
    },
  }),
];

/** Documented by the live service, which registers the table. Here it is always refused. */
export const REGISTER_VAULT_TABLE = operation({
  id: 'registerVaultLookupTable',
  method: 'post',
  path: '/luts/managed/new-vault',
  tag: 'Lookup tables',
  summary: 'Register the lookup table of a vault (refused)',
  description:
    'Always refused with 501 and LOOKUP_TABLES_READ_ONLY: lookup tables are read from the chain, from the account of the vault. Invalid input, a missing API key, and a vault or table that does not exist are refused first, as the live service does.',
  graph: 'query { vault(address) { lookupTable { address } } }',
  family: REGISTER_TABLE_ERRORS,
  needsKey: true,
  holds: 'never',
  body: NewVaultTableBody,
  response: NewVaultTable,
  example: ({ vault, market }) => ({ body: { vaultAddress: vault, lutAddress: market } }),
  exampleAnswer: {
    productId: 1,
    vaultAddress: '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq',
    lutAddress: 'B96LN2PTxp8zJaAKhMxwjfpq5RBWSPPZAqe7CQB5MpNi',
    lutEntryId: 1,
  },
  async answer({ session }, { body }) {
    return await refuseTable(session, body.vaultAddress, body.lutAddress);
  },
});
