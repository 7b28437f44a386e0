import { graphql, type ResultOf, type VariablesOf } from '@sluice/client';

const SUPPOSED = graphql(`
  fragment SupposedFields on ObligationWhatIf @_unmask {
    healthFactor
    loanToValue
    liquidationLtv
    liquidatable
    depositedUsd
    borrowedUsd
    netValueUsd
    badDebtUsd
    unknown
    liquidation {
      reason
      bonus
      repaid { amount usd token { id symbol } }
      seized { amount usd token { id symbol } }
    }
    obligation { id address }
  }
`);

/** `present` is the same computation without a change, so that both columns are rounded alike. */
export const WHAT_IF = graphql(
  `
    query WhatIf($address: Address!, $prices: [PriceShock!]!, $days: Int!) {
      wallet(address: $address) {
        id
        present: whatIf {
          after { netValueUsd }
          obligations { ...SupposedFields }
        }
        supposed: whatIf(prices: $prices, days: $days) {
          after { netValueUsd }
          obligations { ...SupposedFields }
        }
      }
    }
  `,
  [SUPPOSED],
);

export type Supposed = ResultOf<typeof SUPPOSED>;
export type WalletWhatIf = ResultOf<typeof WHAT_IF>['wallet'];
export type PriceShock = VariablesOf<typeof WHAT_IF>['prices'][number];
