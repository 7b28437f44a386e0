import { graphql, type ResultOf } from '@sluice/client';

/** All markets with what decides about their shocks. */
export const RISK_MARKETS = graphql(`
  query RiskMarkets {
    markets(first: 50) {
      totalCount
      nodes {
        id
        address
        name
        totals { borrowedUsd }
        reserves {
          id
          address
          status
          token { id symbol mint }
          price { usd }
          risk { liquidationLtv }
        }
        elevationGroups { id collateralReserves { id address } }
      }
    }
  }
`);

export type RiskMarket = ResultOf<typeof RISK_MARKETS>['markets']['nodes'][number];
