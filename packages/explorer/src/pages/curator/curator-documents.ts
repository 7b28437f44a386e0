import { graphql, type ResultOf } from '@sluice/client';

export const CURATOR = graphql(`
  query Curator($address: Address!) {
    curator(address: $address) {
      id
      address
      authorities
      name
      verified
      website
      logoUrl
      source
      checkedAt
      value { usd sol }
      fees { performance { usd } management { usd } pending { usd } }
      allocations { marketAddress market { id name } usd share }
      vaults(first: 100) {
        totalCount
        nodes {
          id
          address
          name
          nameVerified
          nameResembles { id name }
          token { id symbol }
          totalValue { amount usd sol }
          withdrawableNow { amount }
          curator { id address name }
          currentApy { total base }
        }
      }
    }
  }
`);

export const CURATOR_RISK = graphql(`
  query CuratorRisk($address: Address!) {
    curator(address: $address) {
      id
      exposures { kind mint token { id symbol } usd share }
      incidents {
        kind
        since
        ongoing
        badDebtUsd
        vaultBadDebtUsd
        fall
        vault { id address name }
        reserveAddress
        reserve { id token { id symbol } market { id name } }
      }
    }
  }
`);

export const CURATOR_FEES = graphql(`
  query CuratorFees($address: Address!) {
    curator(address: $address) {
      id
      feesHistory(last: D30, interval: DAY, maxPoints: 14) {
        points { timestamp performanceUsd managementUsd usd }
      }
    }
  }
`);

/** The first request for a vault reads its transactions, which takes a while. */
export const CURATOR_CHANGES = graphql(`
  query CuratorChanges($address: Address!) {
    curator(address: $address) {
      id
      allocationChanges(first: 20) {
        complete
        nodes {
          createdAt
          kind
          signature
          by
          fromWeight
          toWeight
          moved
          vault { id address name token { id symbol } }
          reserveAddress
          reserve { id token { id symbol } market { id name } }
        }
      }
    }
  }
`);

export type CuratorDetail = NonNullable<ResultOf<typeof CURATOR>['curator']>;
export type CuratorAllocation = NonNullable<CuratorDetail['allocations']>[number];
export type CuratedVault = CuratorDetail['vaults']['nodes'][number];
type CuratorRisk = NonNullable<ResultOf<typeof CURATOR_RISK>['curator']>;
export type CuratorExposure = NonNullable<CuratorRisk['exposures']>[number];
export type CuratorIncident = NonNullable<CuratorRisk['incidents']>[number];
type CuratorFees = NonNullable<ResultOf<typeof CURATOR_FEES>['curator']>;
export type FeePoint = NonNullable<CuratorFees['feesHistory']>['points'][number];
type CuratorChanges = NonNullable<ResultOf<typeof CURATOR_CHANGES>['curator']>;
export type AllocationChange = NonNullable<CuratorChanges['allocationChanges']>['nodes'][number];
