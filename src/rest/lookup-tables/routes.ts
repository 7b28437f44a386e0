import { coveringTables, managedTable } from '../../services/builds/lookup-tables.ts';
import { LOOKUP_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { ManagedTables, ManagedTablesQuery, MinimalTables, MinimalTablesBody } from './schemas.ts';

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
];
