import { shareIcon } from '../../services/tokens/share-icon.ts';
import { shareMetadata, vaultOfSharesMint } from '../../services/tokens/share-metadata.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import { EnvQuery } from '../values/env.ts';
import { ShareIcon, ShareMetadata, ShareMintParams } from './share-mint-schemas.ts';

const common = {
  method: 'get',
  tag: 'Share mints',
  family: LOOKUP_ERRORS,
  params: ShareMintParams,
  query: EnvQuery,
  example: ({ sharesMint }: ExampleAddresses) => ({ params: { pubkey: sharesMint } }),
} as const;

export const SHARE_MINT_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'getShareMetadata',
    path: '/kvaults/mints/{pubkey}/metadata',
    summary: 'Metadata of a vault\u2019s receipt token',
    description:
      'Token metadata of the shares, as wallets show it. 404 when the mint is not the share mint of a vault.',
    graph: 'query { vault(address) { shareMetadata { name symbol description imageUrl } } }',
    holds: 'view',
    response: ShareMetadata,
    async answer({ session, platform, baseUrl }, { params, query }) {
      platform.requireCluster(query.env);
      const vault = vaultOfSharesMint(session.view, params.pubkey);
      const { imageUrl: image, ...metadata } = shareMetadata(session.view, vault, baseUrl);
      return { ...metadata, image };
    },
  }),
  operation({
    ...common,
    id: 'getShareIcon',
    path: '/kvaults/mints/{pubkey}/metadata/image.svg',
    summary: 'Icon of a vault\u2019s receipt token',
    description:
      'Generated for the vault, with colours derived from its address, the ticker of its token and its name. 404 when the mint is not the share mint of a vault.',
    graph: 'query { vault(address) { shareMetadata { imageUrl } } }',
    holds: 'day',
    media: 'image/svg+xml',
    // The icon contains the vault's name, which is untrusted. The policy keeps it harmless when opened as a page.
    headers: {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    },
    response: ShareIcon,
    async answer({ session, platform }, { params, query }) {
      platform.requireCluster(query.env);
      return shareIcon(session.view, vaultOfSharesMint(session.view, params.pubkey));
    },
  }),
];
