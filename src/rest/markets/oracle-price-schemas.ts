import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { onceOf } from '../values/query-values.ts';
import { MarketConfig } from './schemas.ts';

export const OraclePricesQuery = z.object({
  markets: onceOf(
    ['main', 'all'],
    'main: prices of the largest market that the catalogue of this deployment marks as primary, or of the largest of all when it marks none. all: prices of every market. Defaults to main.',
  ),
});

const OraclePrice = z
  .strictObject({
    price: decimalOut('USD per whole token.'),
    mint: addressOut('Mint of the token.'),
    maxAgeInSeconds: integerOut(
      'Age from which the price is stale, in seconds: the lending program lends nothing at it.',
    ),
    timestamp: integerOut(
      'Time of the price in Unix seconds: of the oldest of the feeds that it is made of. "0" when unknown.',
    ),
    name: z.string().openapi({ description: 'Ticker of the token.' }),
  })
  .openapi('OraclePrice');

const MarketPrices = z
  .strictObject({
    ...MarketConfig.shape,
    prices: z.array(OraclePrice).openapi({
      description: 'One price for each token of the market, largest supply first.',
    }),
  })
  .openapi('MarketPrices');

export const OraclePrices = z.union([z.array(OraclePrice), z.array(MarketPrices)]).openapi({
  description: 'Prices of one market, or with `markets=all` a list of markets with their prices.',
});
