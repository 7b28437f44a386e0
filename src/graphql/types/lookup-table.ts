import { LookupTableRef } from '../node-refs.ts';

LookupTableRef.implement({
  description: 'An address lookup table: transactions refer to its entries by their place.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the table.' }),
    addresses: t.field({
      type: ['Address'],
      nullable: false,
      description: 'All entries, in order.',
      resolve: ({ value }) => [...value.addresses],
    }),
    authority: t.field({
      type: 'Address',
      nullable: true,
      description: 'Who may change it. Null when nobody may.',
      resolve: ({ value }) => value.authority,
    }),
    active: t.boolean({
      nullable: false,
      description: 'Whether it can be used in transactions; false once it is being closed.',
      resolve: ({ value }) => value.deactivationSlot === null,
    }),
  }),
});
