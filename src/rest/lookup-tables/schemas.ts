import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';

/** As many as a transaction can name, and some more. */
const MAX_ADDRESSES = 100;
/** Clients derive every account that the user may have. */
const MAX_USER_ACCOUNTS = 1_000;

const addresses = (description: string, max: number) =>
  z
    .array(address('An address.'), { error: 'must be a list of addresses' })
    .max(max, `must have at most ${max} addresses`)
    .openapi({ description });

export const MinimalTablesBody = z
  .object({
    addresses: addresses(
      'Accounts of a transaction that the tables should cover. At most 100.',
      MAX_ADDRESSES,
    ),
    verify: z.boolean({ error: 'must be true or false' }).optional().openapi({
      description:
        'Whether to read the chosen tables from the chain, in case they were changed in the last seconds. Defaults to false.',
    }),
    userAccounts: addresses(
      'Accounts of the user. They are left out of `addresses`, because no shared table has them. At most 1,000.',
      MAX_USER_ACCOUNTS,
    ).optional(),
  })
  .openapi('MinimalTablesBody');

const tablesOut = (description: string) =>
  z.array(addressOut('Address of the lookup table.')).openapi({ description });

export const MinimalTables = z
  .strictObject({
    lutAddresses: tablesOut('The tables, ordered by address. Empty when no table has any of the addresses.'),
  })
  .openapi('MinimalTables');

export const ManagedTablesQuery = z.object({
  productIdentifierAddress: address('Address of a vault or a lending market.'),
});

export const ManagedTables = z
  .strictObject({
    productIdentifierAddress: addressOut('The address as passed.'),
    lutAddresses: tablesOut('Lookup tables of the vault or market. Empty when it has none.'),
  })
  .openapi('ManagedTables');
