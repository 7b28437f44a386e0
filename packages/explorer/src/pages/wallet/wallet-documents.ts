import { graphql, type ResultOf } from '@sluice/client';

/** The state of a wallet. Its cost grows with `$first`, the length of its lists. */
export const WALLET = graphql(`
  query Wallet($address: Address!, $first: Int!) {
    wallet(address: $address) {
      id
      address
      netValue { usd sol }
      vaultPositions(first: $first) {
        totalCount
        nodes {
          id
          stakedShares
          unstakedShares
          totalShares
          value { amount usd sol token { id symbol } }
          pnl { usd token }
          vault { id address name token { id symbol } farm { id } currentApy { total } }
        }
      }
      obligations(first: $first) {
        totalCount
        nodes {
          id
          address
          tag
          tagNumber
          healthFactor
          bufferToLiquidation
          liquidatable
          maxLtv
          netApy
          netValue { usd sol }
          pnl { usd complete }
          market { id address name }
          elevationGroup { id number }
          stats { loanToValue liquidationLtv leverage userTotalDepositUsd userTotalBorrowUsd }
          ownershipTransfer { newOwner state canAbort remainingSteps }
          orders { index description trigger isTriggered hindrance }
          borrowOrders { index description isExpired reserves { reserveAddress misfit reserve { id token { id symbol } } } }
          deposits {
            reserveAddress
            amount { amount usd token { id symbol } }
            maxLtv
            liquidationLtv
            liquidationPriceUsd
            reserve { id address marketAddress token { id symbol mint decimals stakeRateSol } price { usd } supplyApy { total } }
          }
          debtEnds {
            reserveAddress
            cause
            endsAt
            daysLeft
            isOver
            liquidatable { amount usd token { id symbol } }
            description
            reserve { id address token { id symbol } }
          }
          borrows {
            reserveAddress
            amount { amount usd token { id symbol } }
            earlyRepayPenalty { amount usd token { id symbol } }
            borrowFactor
            liquidationPriceUsd
            rollover { enabled maxBorrowRateBps minTermSeconds openTermAllowed migrationToFixedEnabled windowDays }
            rolloverInto { reserveAddress obstacle reserve { id address borrowApr terms { termSeconds maturesAt } } }
            reserve { id address marketAddress token { id symbol mint decimals stakeRateSol } price { usd } borrowApy { total } }
          }
        }
      }
      withdrawTickets(first: $first) { totalCount nodes { amount { usd } } }
      claimableRewards { amount usd token { id mint symbol } }
      balances { amount usd token { id mint symbol name sharesOf { id address name } } }
    }
  }
`);

/**
 * Fields that move with prices and interest, merged into `WALLET` by `id`. Every event is charged by what it selects, so that
 * the rest is read again only when an account of the wallet has changed.
 */
export const WALLET_UPDATES = graphql(`
  subscription WalletUpdates($address: Address!, $positions: Int!, $loans: Int!) {
    wallet(address: $address) {
      slot
      reason
      wallet {
        id
        netValue { usd sol }
        vaultPositions(first: $positions) {
          nodes { id stakedShares unstakedShares totalShares value { amount usd sol } }
        }
        obligations(first: $loans) {
          nodes {
            id
            healthFactor
            bufferToLiquidation
            liquidatable
            netValue { usd sol }
            stats { loanToValue liquidationLtv leverage userTotalDepositUsd userTotalBorrowUsd }
          }
        }
      }
    }
  }
`);

/** 400 points are more than a year of days or two weeks of hours. */
export const VALUE_HISTORY = graphql(`
  query WalletValueHistory($address: Address!, $interval: Interval!, $last: Period, $loans: Int!) {
    wallet(address: $address) {
      id
      metricsHistory(interval: $interval, last: $last, maxPoints: 400) {
        complete
        points { timestamp value { usd } interest { usd } }
      }
      borrowing: obligations(first: $loans) {
        nodes {
          id
          metricsHistory(interval: $interval, last: $last, maxPoints: 400) {
            complete
            points { timestamp stats { netAccountValueUsd } }
          }
        }
      }
    }
  }
`);

export const PROFIT_HISTORY = graphql(`
  query WalletProfitHistory($address: Address!, $range: TimeRange, $positions: Int!) {
    wallet(address: $address) {
      id
      earning: vaultPositions(first: $positions) {
        nodes {
          id
          pnlHistory(range: $range) {
            complete
            priced
            points { timestamp kind pnl { usd } }
          }
        }
      }
    }
  }
`);

export const VAULT_TRANSACTIONS = graphql(`
  query WalletVaultTransactions($address: Address!, $after: String) {
    wallet(address: $address) {
      id
      vaultTransactions(first: 25, after: $after) {
        complete
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          createdAt
          kind
          signature
          slot
          shares
          sharePriceUsd
          tokens { amount token { id symbol mint } }
          valueUsd
          vault { id address name }
        }
      }
    }
  }
`);

export const LENDING_TRANSACTIONS = graphql(`
  query WalletLendingTransactions($address: Address!, $after: String) {
    wallet(address: $address) {
      id
      lendingTransactions(first: 25, after: $after) {
        complete
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          createdAt
          kind
          side
          signature
          slot
          amount { amount token { id symbol mint } }
          tokenPriceUsd
          valueUsd
          obligationAddress
          obligationTag
          marketAddress
          reserve { id address }
        }
      }
    }
  }
`);

export const FARM_TRANSACTIONS = graphql(`
  query WalletFarmTransactions($address: Address!, $after: String) {
    wallet(address: $address) {
      id
      farmTransactions(first: 25, after: $after) {
        complete
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          createdAt
          kind
          signature
          slot
          amount { amount usd token { id symbol mint } }
          tokenMint
          farmAddress
        }
      }
    }
  }
`);

export const REFERRAL_FEES = graphql(`
  query WalletReferralFees($address: Address!) {
    wallet(address: $address) {
      id
      referralFees {
        reserveAddress
        reserve { id address token { id symbol } }
        unclaimed { amount usd token { id symbol } }
        claimable { amount token { id symbol } }
        earned { amount token { id symbol } }
      }
    }
  }
`);

type Nodes<Connection> = Connection extends { readonly nodes: readonly (infer Item)[] } ? Item : never;

/** Markets in which a wallet can become a referrer. */
export const MARKET_NAMES = graphql(`
  query MarketNames {
    markets(first: 100) { nodes { id address name } }
  }
`);

export type WalletState = ResultOf<typeof WALLET>['wallet'];
export type VaultPosition = Nodes<WalletState['vaultPositions']>;
export type Loan = Nodes<WalletState['obligations']>;
export type ReferralFees = NonNullable<ResultOf<typeof REFERRAL_FEES>['wallet']['referralFees']>[number];
export type ValueHistory = ResultOf<typeof VALUE_HISTORY>['wallet'];
export type ProfitHistory = ResultOf<typeof PROFIT_HISTORY>['wallet'];
export type VaultTransaction = Nodes<ResultOf<typeof VAULT_TRANSACTIONS>['wallet']['vaultTransactions']>;
export type LendingTransaction = Nodes<
  ResultOf<typeof LENDING_TRANSACTIONS>['wallet']['lendingTransactions']
>;
export type FarmTransaction = Nodes<ResultOf<typeof FARM_TRANSACTIONS>['wallet']['farmTransactions']>;
