import { type OraclePrice, oraclePrices } from '../../../services/markets/oracle-prices.ts';
import { tokenNamed } from '../../../services/tokens/tokens.ts';
import { builder } from '../../builder.ts';
import { MarketRef, TokenRef } from '../../node-refs.ts';
import { PriceRef } from '../values/amounts.ts';

const OraclePriceRef = builder.objectRef<OraclePrice>('OraclePrice').implement({
  description: 'The price of a token in a lending market.',
  fields: (t) => ({
    token: t.field({
      type: TokenRef,
      description: 'The token.',
      resolve: ({ mint, decimals }, _args, { session }) => tokenNamed(session, mint, decimals),
    }),
    price: t.expose('price', { type: PriceRef, description: 'The price.' }),
    maxAgeSeconds: t.expose('maxAgeSeconds', {
      type: 'U64',
      description: 'Age from which the price is stale, in seconds: the lending program lends nothing at it.',
    }),
  }),
});

builder.objectFields(MarketRef, (t) => ({
  prices: t.field({
    type: [OraclePriceRef],
    description:
      'Prices that the market uses, one for each token: that of its largest reserve of the token. A token without a price is left out.',
    resolve: (market, _args, { session }) => [...oraclePrices(session.view, market)],
  }),
}));
