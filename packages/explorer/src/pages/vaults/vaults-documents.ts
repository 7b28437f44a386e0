import { graphql, type ResultOf } from '@sluice/client';

/** Fields that change while the page is open. Selected by the query and by the stream, so that events merge into the rows. */
const LiveVault = graphql(`
  fragment LiveVault on Vault @_unmask {
    id
    totalValue { amount usd sol }
    withdrawableNow { amount }
    currentApy { total base farmRewards reserveRewards incentives }
  }
`);

export const VAULTS = graphql(
  `
    query Vaults($first: Int!, $after: String) {
      vaults(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          ...LiveVault
          address
          name
          nameVerified
          nameResembles { id name }
          curator { id address name }
          token { id symbol mint }
          metricsHistory(last: D30, interval: DAY, maxPoints: 31) { points { timestamp totalValueUsd apy { total } } }
        }
      }
    }
  `,
  [LiveVault],
);

export const VAULTS_LIVE = graphql(
  `
    subscription VaultsLive($addresses: [Address!]!) {
      vaults(addresses: $addresses) { vault { ...LiveVault } }
    }
  `,
  [LiveVault],
);

export type ListedVault = ResultOf<typeof VAULTS>['vaults']['nodes'][number];
