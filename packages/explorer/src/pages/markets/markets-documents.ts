import { graphql, type ResultOf } from '@sluice/client';

export const MARKETS = graphql(`
  query Markets($after: String) {
    markets(first: 50, after: $after) {
      totalCount
      pageInfo { endCursor hasNextPage }
      nodes {
        id
        address
        name
        description
        isPrimary
        isCurated
        borrowingDisabled
        totals { suppliedUsd borrowedUsd reserves }
        metricsHistory(interval: HOUR, maxPoints: 1) { points { obligations } }
      }
    }
  }
`);

export type MarketRow = ResultOf<typeof MARKETS>['markets']['nodes'][number];
