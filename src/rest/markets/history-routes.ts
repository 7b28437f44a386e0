import { z } from '@hono/zod-openapi';
import { leverageOfMarket } from '../../services/history/leverage.ts';
import { marketHistory } from '../../services/history/market-history.ts';
import { marketInView } from '../../services/markets/markets.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { UNKNOWN_NUMBER } from '../operation/unknown-values.ts';
import { address } from '../values/address.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import { EnvQuery } from '../values/env.ts';
import { LeverageMetrics, MarketHistoryPoint, MarketHistoryQuery } from './history-schemas.ts';

const HUMAN_TAGS = { MULTIPLY: 'Multiply', LEVERAGE: 'Leverage' } as const;

/** The recorded columns of a row. */
const FIELDS = ['depositUsd', 'borrowUsd', 'obligations'] as const;

const params = z.object({ pubkey: address('Address of the lending market.') });

export const MARKET_HISTORY = operation({
  id: 'getMarketMetricsHistory',
  method: 'get',
  path: '/svc-market/{pubkey}/metrics/history',
  tag: 'Markets',
  summary: 'Historical metrics of a lending market',
  description:
    'Total supply, total borrow and number of obligations, in ascending order of time. One point per UTC day when the recorded part of the range is longer than 31 days, otherwise one per hour, including the current bucket. Values are the last of each bucket. A bucket with an unknown price is omitted.',
  graph:
    'query { market(address) { metricsHistory(range) { points { timestamp suppliedUsd borrowedUsd obligations } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params,
  query: MarketHistoryQuery,
  response: z.array(MarketHistoryPoint),
  example: ({ market }) => ({ params: { pubkey: market } }),
  async answer({ session, platform }, input) {
    platform.requireCluster(input.query.env);
    const asked = checkedRange(session, input.query);
    const market = marketInView(session.view, input.params.pubkey).address;
    const resolution = { interval: null, maxPoints: null };
    const { points } = await marketHistory(platform, session, market, { range: asked, resolution }, FIELDS);
    return points
      .filter(({ depositUsd, borrowUsd }) => depositUsd !== null && borrowUsd !== null)
      .map(({ bucket, depositUsd, borrowUsd, obligations }) => ({
        market,
        timestamp: bucket.toISOString(),
        metrics: {
          borrowTVL: decimal(borrowUsd),
          depositTVL: decimal(depositUsd),
          obligations: obligations ?? UNKNOWN_NUMBER,
        },
      }));
  },
});

export const LEVERAGE_METRICS = operation({
  id: 'listLeverageMetrics',
  method: 'get',
  path: '/svc-market/{pubkey}/leverage/metrics',
  tag: 'Markets',
  summary: 'Totals of leverage and multiply positions of a market',
  description:
    'One entry per pair of reserves and purpose, from an hourly scan. Empty before the first scan.',
  graph:
    'query { market(address) { leverage { tag averageLeverage deposited { amount usd } borrowed { amount usd } tvlUsd obligations updatedAt depositReserve { address } borrowReserve { address } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params,
  query: EnvQuery,
  response: z.array(LeverageMetrics),
  example: ({ market }) => ({ params: { pubkey: market } }),
  async answer({ session, platform }, input) {
    platform.requireCluster(input.query.env);
    const { address: market } = marketInView(session.view, input.params.pubkey);
    const pairs = await leverageOfMarket(platform, session, market);
    return pairs.map(({ averageLeverage, deposited, borrowed, tvlUsd, ...pair }) => ({
      avgLeverage: decimal(averageLeverage),
      totalBorrowed: decimal(borrowed.amount),
      totalDeposited: decimal(deposited.amount),
      totalBorrowedUsd: decimal(borrowed.usd),
      totalDepositedUsd: decimal(deposited.usd),
      totalObligations: String(pair.obligations),
      tvl: decimal(tvlUsd),
      updatedOn: pair.updatedAt.toISOString(),
      depositReserve: pair.depositReserve,
      borrowReserve: pair.borrowReserve,
      tag: HUMAN_TAGS[pair.tag],
    }));
  },
});
