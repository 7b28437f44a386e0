import { graphql, type ResultOf } from '@sluice/client';

export const LOANS = graphql(`
  query LoansAtRisk($market: Address!, $filter: ObligationFilter, $after: String) {
    obligations(
      scope: { market: $market }
      filter: $filter
      orderBy: { field: HEALTH, direction: ASC }
      first: 10
      after: $after
    ) {
      totalCount
      indexedAt
      pageInfo { endCursor hasNextPage }
      nodes {
        id
        address
        owner { id address }
        tag
        tagNumber
        healthFactor
        liquidatable
        maxLtv
        stats { loanToValue liquidationLtv userTotalDepositUsd userTotalBorrowUsd }
        elevationGroup { id number }
        deposits { reserveAddress reserve { id token { id symbol } } }
        borrows { reserveAddress reserve { id token { id symbol } } }
      }
    }
  }
`);

export type Loan = ResultOf<typeof LOANS>['obligations']['nodes'][number];
