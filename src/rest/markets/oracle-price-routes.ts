import { listMarkets } from '../../services/markets/markets.ts';
import { mainMarket, oraclePrices } from '../../services/markets/oracle-prices.ts';
import type { MarketRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { UNKNOWN_DECIMAL } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { marketConfig } from './answers.ts';
import { OraclePrices, OraclePricesQuery } from './oracle-price-schemas.ts';

function pricesOf({ view }: Session, market: MarketRecord) {
  return oraclePrices(view, market).map(({ mint, price, maxAgeSeconds }) => ({
    price: decimal(price.usd),
    mint,
    maxAgeInSeconds: String(maxAgeSeconds),
    timestamp: price.asOf === 0n ? UNKNOWN_DECIMAL : String(price.asOf),
    name: tokenSymbol(view, mint),
  }));
}

export const ORACLE_PRICES = operation({
  id: 'listOraclePrices',
  method: 'get',
  path: '/oracles/prices',
  tag: 'Markets',
  summary: 'Prices that lending markets use',
  description:
    'One price for each token of a market: the one that a refresh of its largest reserve of the token stores. A token without a price is left out.',
  graph:
    'query { markets(filter first) { nodes { address name description isPrimary isCurated lookupTable { address } prices { token { mint symbol } price { usd asOf } maxAgeSeconds } } } }',
  family: READ_ERRORS,
  holds: 'view',
  query: OraclePricesQuery,
  response: OraclePrices,
  example: () => ({ query: { markets: 'main' as const } }),
  async answer({ session }, { query: { markets } }) {
    if (markets === 'all') {
      return listMarkets(session.view).map((market) => ({
        ...marketConfig(session, market),
        prices: pricesOf(session, market),
      }));
    }
    const market = mainMarket(session.view);
    return market === null ? [] : pricesOf(session, market);
  },
});
