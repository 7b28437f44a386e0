import { graphql, type ResultOf } from '@sluice/client';

/**
 * Balances that a wallet can move. Lists have names of their own: live events of other panels, which select other fields, then
 * leave them alone.
 */
export const VAULT_LIMITS = graphql(`
  query VaultLimits($wallet: Address!, $vault: Address!) {
    wallet(address: $wallet) {
      id
      spendable: balances { baseUnits token { id mint symbol decimals } }
    }
    vault(address: $vault) {
      id
      address
      name
      token { id mint symbol decimals }
      sharesToken { id symbol decimals }
      stakedIn: farm { id }
      offered: currentApy { total farmRewards }
      leaving: fees { withdrawalPenaltyBps }
      lending: allocations { reserveAddress reserve { id market { id name } } }
      minimums { deposit { amount } withdraw { amount } }
      held: position(wallet: $wallet) { id totalShares }
    }
  }
`);

export const LENDING_LIMITS = graphql(`
  query LendingLimits($wallet: Address!, $market: Address!, $reserve: Address!) {
    wallet(address: $wallet) {
      id
      spendable: balances { baseUnits token { id mint symbol decimals } }
      loans: obligations(market: $market, first: 100) {
        nodes {
          id
          address
          tag
          tagNumber
          owed: borrows { reserveAddress amount { baseUnits } }
          owned: deposits { reserveAddress amount { baseUnits } }
          maxBorrow(reserve: $reserve) { baseUnits }
          maxWithdraw(reserve: $reserve) { baseUnits }
        }
      }
    }
    reserve(address: $reserve) {
      id
      address
      token { id mint symbol decimals }
    }
  }
`);

/** Tokens that a market lends. */
export const LENT_TOKENS = graphql(`
  query LentTokens($market: Address!) {
    market(address: $market) {
      id
      lending: reserves { id token { id mint symbol } }
    }
  }
`);

/** Reserves of the market of a loan, into which its deposits and debts can be swapped. */
export const SWAP_RESERVES = graphql(`
  query SwapReserves($market: Address!) {
    market(address: $market) {
      id
      reserves { id address token { id symbol } }
    }
  }
`);

/** Reserves of a market with what a leveraged loan needs to know. */
export const LEVERAGE_RESERVES = graphql(`
  query LeverageReserves($market: Address!) {
    market(address: $market) {
      id
      reserves {
        id
        address
        token { id symbol decimals }
        price { usd }
        acceptedCollateral { id address }
      }
    }
  }
`);

export const TICKET_LIMITS = graphql(`
  query TicketLimits($wallet: Address!, $reserve: Address!) {
    wallet(address: $wallet) {
      id
      waiting: withdrawTickets(first: 100) {
        nodes { address sequenceNumber ticketsAhead amount { baseUnits } }
      }
    }
    reserve(address: $reserve) {
      id
      address
      token { id mint symbol decimals }
    }
  }
`);

export type VaultLimits = ResultOf<typeof VAULT_LIMITS>;
export type LendingLimits = ResultOf<typeof LENDING_LIMITS>;
export type TicketLimits = ResultOf<typeof TICKET_LIMITS>;
export type LimitedLoan = NonNullable<LendingLimits['wallet']['loans']>['nodes'][number];
