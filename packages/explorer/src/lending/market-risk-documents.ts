import { graphql, type ResultOf } from '@sluice/client';

/** Debt at risk of every market now, and after falls of all prices but those of dollars. */
export const MARKETS_AT_RISK = graphql(`
  query MarketsAtRisk($shocks: [MarketShock!]!) {
    markets(first: 50) {
      nodes {
        id
        address
        name
        totals { borrowedUsd }
        risk(shocks: $shocks) {
          now { debtUsd atRisk { loans debtUsd } }
          shocks { label atRisk { debtUsd } }
        }
      }
    }
  }
`);

export type MarketAtRisk = ResultOf<typeof MARKETS_AT_RISK>['markets']['nodes'][number];

/** A market with the prices of its tokens. */
export interface PricedMarket {
  readonly reserves: readonly {
    readonly token: { readonly mint: string };
    readonly price: { readonly usd: string } | null;
  }[];
}
