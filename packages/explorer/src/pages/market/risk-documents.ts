import { graphql, type ResultOf } from '@sluice/client';

const SCENARIO = graphql(`
  fragment ScenarioFields on ScenarioRisk @_unmask {
    label
    loans
    debtUsd
    badDebtUsd
    badDebtLoans
    liquidatable { loans debtUsd collateralUsd }
    endedLiquidatable { loans debtUsd }
    unvalued { reason loans }
  }
`);

export const MARKET_RISK = graphql(
  `
    query MarketRisk($address: Address!, $shocks: [MarketShock!]!) {
      market(address: $address) {
        id
        risk(shocks: $shocks) {
          index { indexedAt slot loans unreadable }
          now {
            ...ScenarioFields
            health { from to loans debtUsd }
          }
          shocks { ...ScenarioFields }
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
  `,
  [SCENARIO],
);

export type MarketRisk = NonNullable<NonNullable<ResultOf<typeof MARKET_RISK>['market']>['risk']>;
export type Scenario = ResultOf<typeof SCENARIO>;
export type HealthRange = MarketRisk['now']['health'][number];
export type EndRange = MarketRisk['debtEnds'][number];
export type LargeBorrower = MarketRisk['largestBorrowers'][number];
export type CollateralPart = MarketRisk['collateral'][number];
