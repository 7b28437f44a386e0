import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';

export const MarketConfig = z
  .strictObject({
    lendingMarket: addressOut('Address of the market.'),
    name: z.string().openapi({ description: 'Name of the market. May be empty.' }),
    description: z.string().openapi({ description: 'Description of the market. May be empty.' }),
    isPrimary: z
      .boolean()
      .openapi({ description: 'Whether the catalogue of this deployment marks it as a primary market.' }),
    isCurated: z
      .boolean()
      .openapi({ description: 'Whether the catalogue of this deployment marks it as curated.' }),
    lookupTable: addressOut(
      'Lookup table for transactions in this market. 11111111111111111111111111111111 when none is known.',
    ),
  })
  .openapi('MarketConfig');
