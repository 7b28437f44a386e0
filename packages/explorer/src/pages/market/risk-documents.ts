import { graphql, type ResultOf } from '@sluice/client';

/** All loans of the market at present prices, by health, end, borrower and collateral. */
export const MARKET_RISK = graphql(`
  query MarketRisk($address: Address!) {
    market(address: $address) {
      id
      risk(shocks: []) {
        index { indexedAt slot loans unreadable }
        now {
          loans
          endedLiquidatable { loans debtUsd }
          health { from to loans debtUsd }
        }
        debtEnds { fromDays toDays debts debtUsd }
        borrowers
        largestBorrowers(first: 10) { owner loans debtUsd share }
        collateral {
          reserveAddress
          reserve { id address token { id symbol } }
          loans
          valueUsd
          share
        }
      }
    }
  }
`);

export type MarketRisk = NonNullable<NonNullable<ResultOf<typeof MARKET_RISK>['market']>['risk']>;
export type HealthRange = MarketRisk['now']['health'][number];
export type EndRange = MarketRisk['debtEnds'][number];
export type LargeBorrower = MarketRisk['largestBorrowers'][number];
export type CollateralPart = MarketRisk['collateral'][number];
