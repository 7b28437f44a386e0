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
  /** Runs `vault`. `wallet` is its pending admin, and may take it over. */
  readonly vaultAdmin: Address;
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
  /** A reserve with tickets in its withdraw queue, and the wallet with the last one. */
  readonly queuedReserve: Address;
  readonly queuedWallet: Address;
  /** That ticket, and the market of the reserve. */
  readonly queuedTicket: Address;
  readonly queuedMarket: Address;
  /** A wallet to which `referredReserve` owes referral fees. */
  readonly referrer: Address;
  readonly referredReserve: Address;
  /** A wallet that has offered its obligations to another one, and that one. */
  readonly offeringWallet: Address;
  readonly newOwner: Address;
  /** Its vanilla obligation with id 0 in `market`, and the one with id 1, whose transfer is approved. */
  readonly offeredObligation: Address;
  readonly approvedObligation: Address;
  /** A wallet with a borrow order: order 0 of its vanilla obligation with id 0 in `market`, for tokens of `borrowReserve`. */
  readonly orderingWallet: Address;
  readonly orderedObligation: Address;
  /** A wallet whose vanilla obligation with id 0 in `termMarket` owes a fixed-term debt to `termReserve`. */
  readonly termWallet: Address;
  readonly termObligation: Address;
  readonly termMarket: Address;
  readonly termReserve: Address;
  /** A wallet whose debt to `runningTermReserve`, also in `termMarket`, ends 70 days after the last midnight before the start. */
  readonly runningTermWallet: Address;
  readonly runningTermReserve: Address;
}
