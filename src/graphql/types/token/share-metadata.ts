import type { ShareMetadata } from '../../../services/tokens/share-metadata.ts';
import { builder } from '../../builder.ts';

export const ShareMetadataRef = builder.objectRef<ShareMetadata>('ShareMetadata').implement({
  description: 'Token metadata of the shares of a vault, as a wallet shows it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Token name of the shares.' }),
    symbol: t.exposeString('symbol', { description: 'Ticker of the shares.' }),
    description: t.exposeString('description', {
      description: 'Short description of the shares, for display.',
    }),
    imageUrl: t.exposeString('imageUrl', {
      description: 'Absolute URL of an SVG icon generated for this vault.',
    }),
  }),
});
