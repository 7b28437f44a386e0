import { coveringTables } from '../../../services/builds/lookup-tables.ts';
import { builder } from '../../builder.ts';
import { LookupTableRef } from '../../node-refs.ts';

LookupTableRef.implement({
  description: 'An address lookup table. Transactions refer to its entries by index.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the table.' }),
    addresses: t.field({
      type: ['Address'],
      description: 'All entries, in index order.',
      resolve: ({ value }) => [...value.addresses],
    }),
    authority: t.field({
      type: 'Address',
      nullable: true,
      description: 'Address that may change the table. Null when the table is frozen.',
      resolve: ({ value }) => value.authority,
    }),
    active: t.boolean({
      description: 'Whether transactions can use the table. False once it has been deactivated.',
      resolve: ({ value }) => value.deactivationSlot === null,
    }),
  }),
});

builder.queryFields((t) => ({
  lookupTables: t.field({
    type: [LookupTableRef],
    description:
      'The smallest set of lookup tables of vaults and markets that together contain every address that any of them contains, ordered by address. Addresses that no table has are ignored; deactivated tables and entries that are too new for a transaction do not count. A search that takes too long ends with the smallest set found, which is never larger than repeatedly taking the table with the most missing addresses.',
    args: {
      covering: t.arg({
        type: ['Address'],
        required: true,
        description: 'Accounts of a transaction that the tables should cover.',
      }),
      userAccounts: t.arg({
        type: ['Address'],
        description: 'Accounts of the user among them. They need not be covered: no shared table has them.',
      }),
      verify: t.arg.boolean({
        description:
          'Whether to read the chosen tables from the chain, in case they were changed in the last seconds. Defaults to false.',
      }),
    },
    resolve: (_root, { covering, userAccounts, verify }, { session }) =>
      coveringTables(session, { addresses: covering, userAccounts, verify }),
  }),
}));
