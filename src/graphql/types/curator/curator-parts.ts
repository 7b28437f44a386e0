import type { ExposureKind } from '../../../domain/risk/vault-exposure.ts';
import {
  type CuratorExposure,
  curatorExposures,
  type MarketAllocation,
  marketAllocations,
} from '../../../services/curators/allocations.ts';
import { builder } from '../../builder.ts';
import { CuratorRef, MarketRef, marketLink, TokenRef, tokenLink } from '../../node-refs.ts';

export const ExposureKindRef = builder.enumType('ExposureKind', {
  description: 'Where tokens of a vault are, and what stands behind them.',
  values: {
    IDLE: { description: 'Tokens that stay in the vault.' },
    LIQUIDITY: { description: 'Tokens in reserves that are not lent.' },
    COLLATERAL: { description: 'Tokens lent to loans, by the token of their collateral.' },
    UNSECURED: { description: 'Tokens lent to loans that have no collateral left.' },
    UNKNOWN: { description: 'Tokens lent to loans that cannot be valued.' },
  } as const satisfies Record<ExposureKind, unknown>,
});

const MarketAllocationRef = builder.objectRef<MarketAllocation>('CuratorAllocation').implement({
  description: 'Tokens of all vaults of a curator in one market.',
  fields: (t) => ({
    marketAddress: t.expose('market', {
      type: 'Address',
      nullable: true,
      description: 'Address of the market. Null for tokens that are not invested.',
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description:
        'The market. Null for tokens that are not invested; null with an error when it cannot be read.',
      resolve: ({ market }, _args, { session }) => (market === null ? null : marketLink(session, market)),
    }),
    usd: t.expose('usd', { type: 'Decimal', description: 'Their value, in USD.' }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Their part of all tokens of the vaults, as a fraction. The shares add up to 1.',
    }),
  }),
});

const CuratorExposureRef = builder.objectRef<CuratorExposure>('CuratorExposure').implement({
  description: 'A part of the tokens of all vaults of a curator, by what stands behind it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ExposureKindRef, description: 'Where the tokens are.' }),
    mint: t.expose('mint', {
      type: 'Address',
      nullable: true,
      description: 'Mint of the collateral, or of tokens that are not lent. Null for UNSECURED and UNKNOWN.',
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'That token. Null for UNSECURED and UNKNOWN; null with an error when it cannot be read.',
      resolve: ({ mint }, _args, { session }) => (mint === null ? null : tokenLink(session, mint)),
    }),
    usd: t.expose('usd', { type: 'Decimal', description: 'Value of the tokens, in USD.' }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Their part of all tokens of the vaults, as a fraction. The shares add up to 1.',
    }),
  }),
});

builder.objectFields(CuratorRef, (t) => ({
  allocations: t.field({
    type: [MarketAllocationRef],
    nullable: true,
    description:
      'Where the tokens of its vaults are, by market, largest first. Includes fees that are not withdrawn. Null when a reserve of a vault cannot be read or a token has no price.',
    resolve: (curator, _args, { session }) => marketAllocations(session.view, curator),
  }),
  exposures: t.field({
    type: [CuratorExposureRef],
    nullable: true,
    description:
      'What stands behind the tokens of its vaults, by collateral token, largest first: the sum of `Vault.risk.exposures`, weighted by value. Null when a reserve or a market of a vault cannot be read or a token has no price; null with an error while loans cannot be read from the RPC endpoints.',
    resolve: (curator, _args, { platform, session }) => curatorExposures(platform, session, curator),
  }),
}));
