import { graphql, type ResultOf, type VariablesOf } from '@sluice/client';
import type { PanelProps } from '../../ui/panel.tsx';

/**
 * Fields that change while the page is open. Selected by the query and by the stream, so that events merge into the page; a
 * list of an event replaces the whole list.
 */
const LiveVault = graphql(`
  fragment LiveVault on Vault @_unmask {
    id
    holders
    depositRoom { amount usd }
    totalValue { amount usd sol token { id symbol } }
    idle { amount usd baseUnits }
    withdrawableNow { amount usd sol token { id symbol } }
    interest { earned { amount usd } perSecond { amount } }
    tokensPerShare
    sharePriceUsd
    sharesIssued
    unallocatedShare
    utilization
    currentApy {
      total base farmRewards reserveRewards incentives grossBase feeImpact
      rewards { apy token { id symbol mint } }
    }
    theoreticalApy { total }
    allocations {
      reserveAddress
      targetWeight
      targetShare
      actualShare
      cap { amount baseUnits }
      collateralCap
      invested { amount usd baseUnits }
      reserve {
        id
        supplyApy { total }
        utilization
        available { amount usd }
        token { id symbol }
        market { id address name }
      }
    }
    fees {
      performanceBps managementBps withdrawalPenaltyBps lastChargedAt
      cumulativePerformance { amount usd }
      cumulativeManagement { amount usd }
      pending { amount usd }
    }
    farm {
      id address totalStaked
      rewards { apr perSecond endsAt available { amount usd } token { id symbol mint } }
    }
    rewards { apy tokensPerSecond source token { id symbol mint } }
  }
`);

export const VAULT = graphql(
  `
    query Vault($address: Address!) {
      vault(address: $address) {
        ...LiveVault
        address
        name
        nameVerified
        nameResembles { id name }
        curator {
          id address name verified source checkedAt website logoUrl
          value { usd }
          vaults(first: 1) { totalCount }
        }
        createdAt
        isCurated
        isPrivateCredit
        token { id symbol name mint decimals }
        sharesToken { id symbol mint }
        minimums { deposit { amount } withdraw { amount } }
        state {
          vaultAdminAuthority
          pendingAdmin
          allocationAdmin
          permissioningAuthority
          vaultFarm
          vaultLookupTable
          name
          performanceFeeBps
          managementFeeBps
          withdrawalPenaltyBps
          withdrawalPenaltyLamports
          depositCap
          minDepositAmount
          minWithdrawAmount
          minInvestAmount
          minInvestDelaySlots
          crankFundFeePerReserve
          unallocatedWeight
          unallocatedTokensCap
        }
      }
    }
  `,
  [LiveVault],
);

export const VAULT_LIVE = graphql(
  `
    subscription VaultLive($addresses: [Address!]!) {
      vaults(addresses: $addresses) { vault { ...LiveVault } }
    }
  `,
  [LiveVault],
);

export const VAULT_HISTORY = graphql(`
  query VaultHistory($address: Address!, $last: Period) {
    vault(address: $address) {
      id
      token { id symbol }
      realisedInterestApy(over: D30) { apy from }
      metricsHistory(last: $last, maxPoints: 400) {
        interval
        recordedSince
        complete
        truncated
        points {
          timestamp
          totalValue
          totalValueUsd
          tokensPerShare
          sharePriceUsd
          apy { total base farmRewards reserveRewards incentives }
          reserves { share reserveAddress reserve { id market { id name } } }
        }
      }
    }
  }
`);

/** What stands behind the tokens, from the loans of its reserves. */
export const VAULT_BEHIND = graphql(`
  query VaultBehind($address: Address!) {
    vault(address: $address) {
      id
      token { id symbol mint }
      risk {
        exposures { kind mint share token { id symbol } }
        reserves {
          reserveAddress
          share
          utilization
          debtUsd
          unsecuredUsd
          unvaluedLoans
          reserve { id borrowed { usd } market { id name } }
          backing { share reserve { id token { id symbol mint } } }
        }
      }
    }
  }
`);

export const VAULT_POSITION = graphql(`
  query VaultPositionOf($address: Address!, $wallet: Address!) {
    vault(address: $address) {
      id
      position(wallet: $wallet) { id value { amount usd sol token { id symbol } } pnl { token usd sol } }
    }
  }
`);

/** The first request for a vault reads its transactions from the chain, which takes a while. */
export const VAULT_CHANGES = graphql(`
  query VaultChanges($address: Address!) {
    vault(address: $address) {
      id
      allocationChanges(first: 100) {
        complete
        pageInfo { hasNextPage }
        nodes {
          createdAt
          kind
          signature
          by
          moved
          reserveAddress
          reserve { id market { id name } }
        }
      }
    }
  }
`);

export const VAULT_TRANSACTIONS = graphql(`
  query VaultTransactions($address: Address!, $first: Int!, $after: String, $kinds: [VaultTransactionKind!]) {
    vault(address: $address) {
      id
      token { id symbol }
      transactions(first: $first, after: $after, filter: { kinds: $kinds }) {
        complete
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          createdAt
          kind
          signature
          shares
          valueUsd
          tokens { amount }
          wallet { id address }
          reserveAddress
          reserve { id token { id symbol } market { id name } }
        }
      }
    }
  }
`);

/** What panels need that show a part of the same answer. */
export type VaultPanel = Pick<
  PanelProps<ResultOf<typeof VAULT>, VariablesOf<typeof VAULT>>,
  'document' | 'variables' | 'result'
>;
export type VaultDetail = NonNullable<ResultOf<typeof VAULT>['vault']>;
export type VaultPoint = NonNullable<
  NonNullable<ResultOf<typeof VAULT_HISTORY>['vault']>['metricsHistory']
>['points'][number];
export type VaultRisk = NonNullable<NonNullable<ResultOf<typeof VAULT_BEHIND>['vault']>['risk']>;
export type VaultChange = NonNullable<
  NonNullable<ResultOf<typeof VAULT_CHANGES>['vault']>['allocationChanges']
>['nodes'][number];
export type VaultTransactionRow = NonNullable<
  NonNullable<ResultOf<typeof VAULT_TRANSACTIONS>['vault']>['transactions']
>['nodes'][number];
