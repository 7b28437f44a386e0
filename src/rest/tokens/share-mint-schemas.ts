import { z } from '@hono/zod-openapi';
import { address } from '../values/address.ts';

export const ShareMintParams = z.object({ pubkey: address('Mint of a vault\u2019s shares.') });

export const ShareMetadata = z
  .strictObject({
    name: z.string().openapi({ description: 'Token name of the shares.' }),
    symbol: z.string().openapi({ description: 'Ticker of the shares.' }),
    description: z.string().openapi({ description: 'Short description of the shares, for display.' }),
    image: z.string().openapi({ format: 'uri', description: 'Absolute URL of the SVG icon.' }),
  })
  .openapi('ShareMetadata');

export const ShareIcon = z.string().openapi({
  description:
    'A self-contained SVG document without scripts or external references. It adapts to its size and to dark mode.',
});
