import { graphql, type ResultOf } from '@sluice/client';
import { LIVE_RESERVE } from '../../lending/live-reserve.ts';

export const MARKET = graphql(
  `
    query Market($address: Address!) {
      market(address: $address) {
        id
        address
        name
        description
        isPrimary
        isCurated
        borrowingDisabled
        closeFactor
        totals { suppliedUsd borrowedUsd reserves }
        reserves {
          ...LiveReserve
          address
          status
          token { id symbol name mint }
          borrowable { amount usd }
          risk { maxLtv liquidationLtv }
        }
        elevationGroups {
          id
          number
          maxLtv
          liquidationLtv
          allowsNewLoans
          collateralReserves { id address token { id symbol } }
          debtReserve {
            id
            address
            token { id symbol }
            borrowCaps {
              againstCollateral {
                elevationGroup
                currentTotal { amount baseUnits usd }
                capacity { amount baseUnits usd }
                collateralReserve { id address }
              }
            }
          }
        }
      }
    }
  `,
  [LIVE_RESERVE],
);

export type MarketData = ResultOf<typeof MARKET>;
export type Market = NonNullable<MarketData['market']>;
export type ReserveRow = Market['reserves'][number];
export type Group = Market['elevationGroups'][number];

export const MARKET_HISTORY = graphql(`
  query MarketHistory($address: Address!, $last: Period) {
    market(address: $address) {
      id
      metricsHistory(last: $last) {
        interval
        complete
        recordedSince
        points { timestamp suppliedUsd borrowedUsd obligations }
      }
    }
  }
`);

export type MarketPoint = NonNullable<
  NonNullable<ResultOf<typeof MARKET_HISTORY>['market']>['metricsHistory']
>['points'][number];

/** Tokens that the reader holds, or has in loans of the market. */
export const HELD_TOKENS = graphql(`
  query HeldTokens($address: Address!) {
    wallet(address: $address) {
      id
      balances { amount token { id mint } }
      obligations(first: 20) {
        nodes {
          id
          deposits { amount { token { id mint } } }
          borrows { amount { token { id mint } } }
        }
      }
    }
  }
`);
