import { z } from '@hono/zod-openapi';
import { addressOut, text } from '../values/address.ts';
import { dateIn, FORMATS } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';
import { onceOf, onceText } from '../values/query-values.ts';

const ONLY_SCOPE =
  'must be scope, passed only once: this gateway has the prices of the lending markets, which come from Scope oracles, and reads no market data of Birdeye';
const ONLY_SPOT =
  'must be spot, passed only once: this gateway records the prices that lending markets use and no time-weighted averages';

export const PricesQuery = z.object({
  env,
  source: z.enum(['scope'], { error: ONLY_SCOPE }).optional().openapi({
    description:
      'Source of the prices. Only `scope`: the prices that lending markets use. Any other source is rejected.',
  }),
  token: onceText(
    'Only tokens with this mint, or with this ticker, ignoring case. Several tokens may share a ticker. An unknown one gives an empty list.',
  ),
});

export const PriceHistoryQuery = z.object({
  env,
  token: text('the mint of a token, or its ticker')
    .min(1, { error: 'must not be empty: pass the mint of a token, or its ticker' })
    .openapi({
      description:
        'Mint of the token, or its ticker, ignoring case. A ticker that no token or several tokens have is rejected; of several, a single verified one is used.',
    }),
  start: dateIn(`Start of the range, inclusive. ${FORMATS}. Defaults to one day before \`end\`.`),
  end: dateIn(`End of the range, inclusive. ${FORMATS}. Defaults to now.`),
  frequency: onceOf(
    ['minute', 'hour', 'day'],
    'Width of the buckets: the last price of each is in the answer. Minutes are retained for days, hours for months and days for years. Defaults to `minute`.',
  ),
  type: z.enum(['spot'], { error: ONLY_SPOT }).optional().openapi({
    description: 'Kind of the prices. Only `spot`. Any other kind is rejected.',
  }),
});

export const TokenPrice = z
  .strictObject({
    usdPrice: decimalOut('USD per whole token.'),
    token: z.string().openapi({ description: 'Ticker of the token.' }),
    mint: addressOut('Mint of the token.'),
  })
  .openapi('TokenPrice');

/** OpenAPI 3.0 and many generators know no tuples. */
export const PricePair = z
  .array(z.union([decimalOut('USD per whole token.'), z.int().openapi({ description: 'Unix seconds.' })]))
  .min(2)
  .max(2)
  .openapi('PricePair', {
    description: 'USD per whole token as a decimal string, then the time of that price in Unix seconds.',
  });
