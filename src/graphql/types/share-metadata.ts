import type { ShareMetadata } from '../../services/share-metadata.ts';
import { builder } from '../builder.ts';

export const ShareMetadataRef = builder.objectRef<ShareMetadata>('ShareMetadata').implement({
  description: 'The shares of a vault as a wallet shows them.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Name of the shares as a token.' }),
    symbol: t.exposeString('symbol', { nullable: false, description: 'Ticker of the shares.' }),
    description: t.exposeString('description', {
      nullable: false,
      description: 'What a share is, in a sentence or two.',
    }),
    imageUrl: t.exposeString('imageUrl', {
      nullable: false,
      description: 'Absolute URL of an icon that is drawn for this vault, SVG.',
    }),
  }),
});
