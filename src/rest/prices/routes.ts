import { z } from '@hono/zod-openapi';
import { priceRange, pricesRecorded } from '../../services/history/price-history.ts';
import type { Interval } from '../../services/history/series.ts';
import { rangeProblem } from '../../services/request/time-range.ts';
import { mintNamed, pricedTokens, tokensNamed } from '../../services/tokens/token-prices.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { InvalidInput } from '../operation/invalid-input.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { PriceHistoryQuery, PricePair, PricesQuery, TokenPrice } from './schemas.ts';

const INTERVALS: Readonly<Record<'minute' | 'hour' | 'day', Interval>> = {
  minute: 'MINUTE',
  hour: 'HOUR',
  day: 'DAY',
};

const common = { method: 'get', tag: 'Tokens', family: READ_ERRORS } as const;

const SHOWN_LENGTH = 80;

const wrong = (field: string, message: string) =>
  new InvalidInput([{ code: 'custom', path: [field], message }]);

export const PRICE_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listPrices',
    path: '/prices',
    summary: 'Prices of tokens',
    description:
      'The most recent price of each token among the reserves of all markets, largest trading volume first. A token without a price is left out. `/oracles/prices` has the time and the greatest age of the prices of each market.',
    graph: 'query { tokens(filter first) { nodes { mint symbol price { usd } } } }',
    holds: 'view',
    query: PricesQuery,
    response: z.array(TokenPrice),
    example: () => ({}),
    async answer({ session: { view }, platform }, { query }) {
      platform.requireCluster(query.env);
      const tokens = query.token === undefined ? undefined : tokensNamed(view, query.token);
      return pricedTokens(view, tokens).map(({ token: { mint, symbol }, price: { usd } }) => ({
        usdPrice: decimal(usd),
        token: symbol,
        mint,
      }));
    },
  }),
  operation({
    ...common,
    id: 'getPriceHistory',
    path: '/prices/history',
    summary: 'Recorded prices of a token',
    description:
      'The last price of each bucket with the time at which it was recorded, in ascending order of time. Empty for a mint whose price was never recorded. A range with more than 10,000 points is rejected.',
    graph: 'query { token(mint) { priceHistory(range interval) { points { sampledAt priceUsd } } } }',
    holds: 'never',
    query: PriceHistoryQuery,
    response: z.array(PricePair),
    example: ({ tokenMint }) => ({ query: { token: tokenMint } }),
    async answer({ session, platform }, { query: { env, token, start, end, frequency = 'minute' } }) {
      platform.requireCluster(env);
      const { view } = session;
      const range = priceRange(view, { start, end });
      const problem = rangeProblem(view, range);
      if (problem !== null) throw wrong('start', problem);
      const named = mintNamed(view, token);
      if ('problem' in named) throw wrong('token', `"${token.slice(0, SHOWN_LENGTH)}": ${named.problem}`);
      const prices = await pricesRecorded(platform, session, named.mint, range, INTERVALS[frequency]);
      return prices.map(({ priceUsd, sampledAt }) => [
        decimal(priceUsd),
        Math.floor(sampledAt.getTime() / 1_000),
      ]);
    },
  }),
];
