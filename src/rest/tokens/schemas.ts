import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { onceBoolean, onceInteger, onceText } from '../values/query-values.ts';

const MAX_TOKENS = 1000;
const USUAL_TOKENS = 20;

export const TokensQuery = z.object({
  verified: onceBoolean(
    'True selects tokens marked as verified in the catalogue of this deployment. False has no effect.',
  ),
  limit: onceInteger(1, MAX_TOKENS, USUAL_TOKENS, 'Maximum number of tokens to list.'),
  mint: address('Only the token with this mint.').optional(),
  symbol: onceText('Only tokens with this ticker, ignoring case. Several tokens may share one.'),
});

export const Token = z
  .strictObject({
    mint: addressOut('Mint of the token.'),
    symbol: z.string().openapi({ description: 'Ticker.' }),
    name: z.string().openapi({ description: 'Full name.' }),
    decimals: z
      .int()
      .openapi({ description: 'Number of decimal places: one whole token is 10^decimals base units.' }),
    logoUrl: z
      .string()
      .nullable()
      .openapi({ format: 'uri', description: 'URL of the logo. Null when there is none.' }),
    verified: z
      .boolean()
      .openapi({ description: 'Whether the catalogue of this deployment marks the token as verified.' }),
    tradingVolume24H: z.number().nullable().openapi({
      description: 'Trading volume of the last 24 hours in USD. Null when market data is unavailable.',
    }),
    marketCapUsd: z
      .number()
      .nullable()
      .openapi({ description: 'Market capitalisation in USD. Null when market data is unavailable.' }),
    priority: z.int().openapi({ description: 'Display priority. Lower values come first.' }),
  })
  .openapi('Token');
