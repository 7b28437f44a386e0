import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { onceBoolean, onceInteger, onceText } from './query.ts';

const MAX_TOKENS = 1000;
const USUAL_TOKENS = 20;

export const TokensQuery = z.object({
  verified: onceBoolean('True for tokens that this service vouches for; false is no condition.'),
  limit: onceInteger(1, MAX_TOKENS, USUAL_TOKENS, 'Most tokens to list.'),
  mint: address('Only the token with this mint.').optional(),
  symbol: onceText('Only tokens with this ticker, without regard to case; several may share one.'),
});

export const Token = z
  .strictObject({
    mint: addressOut('Mint of the token.'),
    symbol: z.string().openapi({ description: 'Ticker.' }),
    name: z.string().openapi({ description: 'Full name.' }),
    decimals: z.int().openapi({ description: 'Decimal places of the smallest unit.' }),
    logoUrl: z.string().nullable().openapi({ format: 'uri', description: 'Logo image; null when none.' }),
    verified: z.boolean().openapi({ description: 'Whether this service vouches for it.' }),
    tradingVolume24H: z
      .number()
      .nullable()
      .openapi({ description: 'USD traded in 24 hours; null when market data is unavailable.' }),
    marketCapUsd: z
      .number()
      .nullable()
      .openapi({ description: 'Market capitalisation in USD; null when market data is unavailable.' }),
    priority: z.int().openapi({ description: 'Display priority; lower values appear first.' }),
  })
  .openapi('Token');
