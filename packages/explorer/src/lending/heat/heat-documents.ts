import { graphql, type ResultOf } from '@sluice/client';

const HEAT_CELL = graphql(`
  fragment HeatCell on ScenarioRisk @_unmask {
    label
    debtUsd
    loans
    atRisk { loans debtUsd badDebtUsd }
    unvalued { reason loans }
  }
`);

/** The whole map in one pass over the loans of the market. */
export const MARKET_HEAT = graphql(
  `
    query MarketHeat($address: Address!, $shocks: [MarketShock!]!) {
      market(address: $address) {
        id
        risk(shocks: $shocks) {
          index { indexedAt slot loans unreadable }
          borrowers
          now { ...HeatCell }
          shocks { ...HeatCell }
        }
      }
    }
  `,
  [HEAT_CELL],
);

export type HeatRisk = NonNullable<NonNullable<ResultOf<typeof MARKET_HEAT>['market']>['risk']>;
export type HeatCell = ResultOf<typeof HEAT_CELL>;

/** The loans of one cell, largest debt first. */
export const CELL_LOANS = graphql(`
  query CellLoans($address: Address!, $shocks: [MarketShock!]!, $first: Int!) {
    market(address: $address) {
      id
      risk(shocks: $shocks) {
        now { atRisk { loans } }
        shocks {
          label
          atRisk { loans debtUsd badDebtUsd }
          loansAtRisk(first: $first) {
            obligation
            owner
            reason
            debtUsd
            badDebtUsd
            deposits { reserveAddress reserve { id token { id symbol } } }
            debts { reserveAddress reserve { id token { id symbol } } }
          }
        }
      }
    }
  }
`);

export type CellRisk = NonNullable<NonNullable<ResultOf<typeof CELL_LOANS>['market']>['risk']>;
export type CellLoan = CellRisk['shocks'][number]['loansAtRisk'][number];
