import { z } from '@hono/zod-openapi';
import { listTokens } from '../../services/tokens/tokens.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { Token, TokensQuery } from './schemas.ts';

export const TOKEN_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'listTokens',
    method: 'get',
    path: '/tokens-api/tokens',
    tag: 'Tokens',
    summary: 'Token metadata and market data',
    description:
      'Tokens that the platform uses or the catalogue lists, largest trading volume first. Tokens without a volume come last, ordered by `priority`. An unknown mint or symbol gives an empty list.',
    graph:
      'query { tokens(filter, first) { nodes { mint symbol name decimals logoUrl verified tradingVolume24HUsd marketCapUsd priority } } }',
    family: READ_ERRORS,
    holds: 'view',
    query: TokensQuery,
    response: z.array(Token),
    example: () => ({ query: { verified: 'true' as const, limit: '3' } }),
    async answer({ session }, { query: { verified, limit, mint, symbol } }) {
      const mints = mint === undefined ? undefined : [mint];
      return listTokens(session.view, { verified, mints, symbol })
        .slice(0, limit)
        .map((token) => ({
          mint: token.mint,
          symbol: token.symbol,
          name: token.name,
          decimals: token.decimals,
          logoUrl: token.logoUrl,
          verified: token.verified,
          tradingVolume24H: token.tradingVolume24H,
          marketCapUsd: token.marketCapUsd,
          priority: token.priority,
        }));
    },
  }),
];
