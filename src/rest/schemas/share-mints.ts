import { z } from '@hono/zod-openapi';
import { address } from './address.ts';

export const ShareMintParams = z.object({ pubkey: address('Mint of a vault\u2019s shares.') });

export const ShareMetadata = z
  .strictObject({
    name: z.string().openapi({ description: 'Name of the shares as a token.' }),
    symbol: z.string().openapi({ description: 'Ticker of the shares.' }),
    description: z.string().openapi({ description: 'What a share is, in a sentence or two.' }),
    image: z.string().openapi({ format: 'uri', description: 'Absolute URL of the icon, SVG.' }),
  })
  .openapi('ShareMetadata');

export const ShareIcon = z.string().openapi({
  description:
    'An SVG document of its own: no script, no reference to anything outside. It adapts to its size and to dark mode.',
});
