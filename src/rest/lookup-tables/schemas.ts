import { z } from '@hono/zod-openapi';
import { PRODUCT_TYPES } from '../../services/builds/lookup-tables.ts';
import { address, addressOut } from '../values/address.ts';
import { listItems } from '../values/query-values.ts';

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

const MAX_PRODUCTS = 100;
const ONE_OR_MORE = `must be 1 to ${MAX_PRODUCTS} addresses, repeated or separated by commas`;

export const ManagedBatchQuery = z.object({
  productIdentifierAddress: z
    .preprocess(
      listItems,
      z
        .array(address('An address.'), { error: ONE_OR_MORE })
        .min(1, ONE_OR_MORE)
        .max(MAX_PRODUCTS, ONE_OR_MORE),
    )
    .openapi({
      param: { required: true },
      description: `Addresses of vaults or lending markets, at most ${MAX_PRODUCTS}. May be repeated.`,
    }),
});

export const ProductTypeParams = z.object({
  productType: z
    .enum(PRODUCT_TYPES, { error: `must be ${PRODUCT_TYPES.join(', ')}` })
    .openapi({ description: 'Kind of the products.' }),
});

export const ProductTables = z
  .strictObject({
    productIdentifierAddress: addressOut('Address of the vault or market.'),
    productType: z.enum(PRODUCT_TYPES).openapi({ description: 'Kind of the product, as passed.' }),
    lutAddresses: tablesOut('Its lookup tables.'),
  })
  .openapi('ProductTables');

export const NewVaultTableBody = z
  .object({
    vaultAddress: address('Address of the vault.'),
    lutAddress: address('Address of the lookup table.'),
  })
  .openapi('NewVaultTableBody');

export const NewVaultTable = z
  .strictObject({
    productId: z.int().openapi({ description: 'Number of the product in the registry.' }),
    vaultAddress: addressOut('The vault as passed.'),
    lutAddress: addressOut('The lookup table as passed.'),
    lutEntryId: z.int().openapi({ description: 'Number of the entry in the registry.' }),
  })
  .openapi('NewVaultTable');
