import { graphql, type ResultOf } from '@sluice/client';

export const WALLET_ACTIVITY = graphql(`
  query WalletActivity($address: Address!, $after: String) {
    wallet(address: $address) {
      id
      activity(first: 20, after: $after) {
        complete
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          __typename
          kind
          createdAt
          signature
          sent { amount usd token { id symbol } }
          received { amount usd token { id symbol } }
          reward { amount usd token { id symbol } }
          ... on VaultActivity {
            tokens { amount usd token { id symbol } }
            vault { id address name }
          }
          ... on LendingActivity {
            amount { amount usd token { id symbol } }
            obligationAddress
          }
          ... on WithdrawQueueActivity {
            liquidity { amount usd token { id symbol } }
          }
        }
      }
    }
  }
`);

export type ActivityEntry = NonNullable<
  ResultOf<typeof WALLET_ACTIVITY>['wallet']['activity']
>['nodes'][number];
