import type { Address } from '@solana/kit';

/**
 * Addresses of the localnet that examples and documentation may use. `reserve`, `depositReserve`,
 * `borrowReserve` and `obligation` belong to `market`, which also has multiply and leverage obligations.
 */
export interface WorldAddresses {
  /** Owns `obligation`; has had staked and unstaked shares of `vault` for more than 30 days. */
  readonly wallet: Address;
  /** Has no account and no position. */
  readonly emptyWallet: Address;
  /** Has a farm and several allocations. */
  readonly vault: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** The wallet's vanilla obligation with id 0: it deposits `depositReserve` and owes `borrowReserve`. */
  readonly obligation: Address;
  readonly depositReserve: Address;
  readonly borrowReserve: Address;
  /** The share mint of `vault`. */
  readonly sharesMint: Address;
  /** The farm of `vault`. */
  readonly farm: Address;
  /** The token that `vault` takes. */
  readonly tokenMint: Address;
  /** A reserve of `market` whose token is a liquid-staking token, and that token. */
  readonly stakedReserve: Address;
  readonly stakedMint: Address;
}
