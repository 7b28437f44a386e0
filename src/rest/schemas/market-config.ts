import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';

export const MarketConfig = z
  .strictObject({
    lendingMarket: addressOut('Address of the market.'),
    name: z.string().openapi({ description: 'May be empty when nobody has named it.' }),
    description: z.string().openapi({ description: 'What it is for; may be empty.' }),
    isPrimary: z.boolean().openapi({ description: 'Whether this deployment shows it first.' }),
    isCurated: z.boolean().openapi({ description: 'Whether this deployment vouches for it.' }),
    lookupTable: addressOut('Its address lookup table; 11111111111111111111111111111111 when none is known.'),
  })
  .openapi('MarketConfig');
