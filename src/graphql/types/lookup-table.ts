import { LookupTableRef } from '../node-refs.ts';

LookupTableRef.implement({
  description: 'An address lookup table. Transactions refer to its entries by index.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the table.' }),
    addresses: t.field({
      type: ['Address'],
      nullable: false,
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
      nullable: false,
      description: 'Whether transactions can use the table. False once it has been deactivated.',
      resolve: ({ value }) => value.deactivationSlot === null,
    }),
  }),
});
