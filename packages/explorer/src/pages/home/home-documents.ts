import { graphql, type ResultOf } from '@sluice/client';

/** A vault as lists of the home page show it. */
const OfferedVault = graphql(`
  fragment OfferedVault on Vault @_unmask {
    id
    address
    name
    nameVerified
    nameResembles { id name }
    curator { id address name }
    token { id symbol mint }
    totalValue { amount usd sol }
    withdrawableNow { amount }
    currentApy { total base }
  }
`);

/** All vaults and markets, with what a fall of all prices but those of dollars would do. */
export const PLATFORM = graphql(
  `
    query Platform {
      vaults(first: 100) { totalCount nodes { ...OfferedVault } }
      markets(first: 50) {
        totalCount
        nodes {
          id
          address
          name
          totals { suppliedUsd borrowedUsd }
          reserves { id token { id mint } price { usd } }
        }
      }
    }
  `,
  [OfferedVault],
);

export const MINE = graphql(`
  query Mine($address: Address!) {
    wallet(address: $address) {
      id
      netValue { usd sol }
      vaultPositions(first: 20) {
        totalCount
        nodes {
          id
          stakedShares
          unstakedShares
          totalShares
          value { amount usd sol token { id symbol } }
          pnl { usd }
          vault { id address name token { id symbol } farm { id } currentApy { total farmRewards } }
        }
      }
      obligations(first: 20) {
        totalCount
        nodes {
          id
          address
          healthFactor
          netApy
          netValue { usd sol }
          market { id name }
          stats { leverage }
          deposits { amount { token { id symbol } } reserve { id supplyApy { total } } }
          borrows { amount { token { id symbol } } reserve { id borrowApy { total } } }
        }
      }
      claimableRewards { amount usd token { id symbol } }
      balances { amount usd token { id mint symbol sharesOf { id } } }
      metricsHistory(interval: DAY, last: D30, maxPoints: 31) { points { timestamp value { usd } } }
    }
  }
`);

export type OfferedVaultRow = ResultOf<typeof PLATFORM>['vaults']['nodes'][number];
export type Mine = ResultOf<typeof MINE>['wallet'];
