import type { ObligationKey } from '@sluice/protocol/klend/addresses';
import type { Extension } from '@sluice/protocol/token/extensions';
import type { Address } from '@solana/kit';
import type { GroupSpec } from './market-specs.ts';
import type { ReserveSpec } from './reserve-specs.ts';
import type { VaultSpec } from './vault-specs.ts';

/**
 * The world's state: what the programs store in their accounts, as plain values. Amounts are base units;
 * `*Sf` are scaled by 2^60. The engines modify these values, and encoders turn them into account bytes on
 * read.
 */

export interface MintModel {
  readonly address: Address;
  readonly decimals: number;
  readonly program: Address;
  readonly authority: Address | null;
  readonly freezeAuthority: Address | null;
  supply: bigint;
  readonly chargesTransferFees: boolean;
  readonly extensions: readonly Extension[];
}

/** A token account. */
export interface Holding {
  readonly address: Address;
  readonly mint: MintModel;
  readonly owner: Address;
  amount: bigint;
  /** The balance before the first recorded transaction. Amounts of past entries are relative to it. */
  opening: bigint;
}

/** One entry of the price oracle. */
export interface Feed {
  readonly index: number;
  readonly exponent: number;
  readonly start: bigint;
  readonly swingPpm: number;
  /** Yearly growth of a rate; 0 for a price that fluctuates. */
  readonly growthPpm: number;
}

export interface Token {
  readonly symbol: string;
  readonly name: string;
  readonly mint: MintModel;
  readonly feed: Feed;
  /** The token that the feed is relative to; null when the feed is in USD. */
  readonly base: Token | null;
}

export interface Market {
  readonly address: Address;
  readonly name: string;
  /** Index of the cell, a copy of the world's basic pattern. Wallets act within their cell. */
  readonly cell: number;
  readonly authority: Address;
  readonly authorityBump: number;
  readonly referralFeeBps: number;
  readonly groups: readonly GroupSpec[];
  readonly rewardsMaxAprBps: number;
  readonly hasWithdrawQueue: boolean;
  /** Fixed-term debts can be rolled over, and liquidated once they have ended. */
  readonly hasTerms: boolean;
  /** Null for an open market. */
  readonly permissioningAuthority: Address | null;
  readonly reserves: Reserve[];
  readonly lookupTable: Address;
}

/** A limit on what leaves a reserve within an interval. */
export interface OutflowCap {
  readonly capacity: bigint;
  /** 0 when the limit is off; what leaves is counted nevertheless. */
  readonly intervalSeconds: bigint;
  total: bigint;
  /** Unix seconds. */
  intervalStart: number;
}

export interface Reserve {
  readonly address: Address;
  readonly market: Market;
  readonly token: Token;
  readonly spec: ReserveSpec;
  /** Holds the liquidity available to borrow, and rewards that are still to be given. */
  readonly liquidityVault: Holding;
  readonly feeVault: Holding;
  readonly collateralMint: MintModel;
  readonly collateralVault: Holding;
  borrowedSf: bigint;
  cumulativeRateSf: bigint;
  protocolFeesSf: bigint;
  referrerFeesSf: bigint;
  pendingReferrerFeesSf: bigint;
  priceSf: bigint;
  /** Base units still to be given, not yet part of the supply. */
  rewardsAvailable: bigint;
  lastSlot: bigint;
  collateralFarm: Farm | null;
  debtFarm: Farm | null;
  borrowedOutsideGroups: bigint;
  /** By group number minus one. */
  readonly borrowedInGroups: bigint[];
  /** Base units. */
  readonly depositLimit: bigint;
  readonly borrowLimit: bigint;
  /** Unix seconds; 0 while supply and debt are within their limits. */
  depositLimitSince: number;
  borrowLimitSince: number;
  readonly depositCap: OutflowCap;
  readonly debtCap: OutflowCap;
  /** Collateral tokens in its withdraw queue, and the tickets for them. None has been paid yet. */
  queuedCtokens: bigint;
  ticketsIssued: bigint;
  /** Vaults that invest in it. */
  readonly vaults: Vault[];
}

export interface Allocation {
  readonly reserve: Reserve;
  readonly holding: Holding;
  readonly bump: number;
  readonly weight: number;
  readonly cap: bigint;
  lastInvestSlot: bigint;
  /** Target amount of the strategy, as of the last interaction. */
  targetSf: bigint;
}

export interface Vault {
  readonly address: Address;
  readonly name: string;
  readonly cell: number;
  readonly spec: VaultSpec;
  readonly token: Token;
  readonly tokenVault: Holding;
  readonly sharesMint: MintModel;
  readonly authority: Address;
  readonly authorityBump: number;
  readonly admin: Address;
  /** May take the vault over; null for nobody. */
  pendingAdmin: Address | null;
  readonly allocations: readonly Allocation[];
  readonly lookupTable: Address;
  readonly createdSlot: bigint;
  farm: Farm | null;
  /** Invests its idle tokens; null until one is assigned. */
  keeper: Wallet | null;
  available: bigint;
  crankFunds: bigint;
  prevAumSf: bigint;
  pendingFeesSf: bigint;
  /** Base units; 0 for no cap. */
  depositCap: bigint;
  /** Unix seconds; 0 before the first interaction. */
  lastFeeChargeTime: number;
  cumulativeInterestSf: bigint;
  cumulativeManagementFeesSf: bigint;
  cumulativePerformanceFeesSf: bigint;
  /** Wallets that have held shares, in order of their first deposit. */
  readonly holders: Wallet[];
}

export interface Reward {
  readonly token: Token;
  readonly holding: Holding;
  /**
   * Times 10^rateDecimals: reward units per second and staked token when `constant`, otherwise per second.
   */
  readonly points: readonly { readonly start: number; readonly rate: bigint }[];
  readonly rateDecimals: number;
  readonly constant: boolean;
  available: bigint;
  lastIssuanceTime: number;
  issuedUnclaimed: bigint;
  issuedCumulative: bigint;
  /** Reward units per staked unit, times 10^18. */
  perShareScaled: bigint;
}

export interface Farm {
  readonly address: Address;
  /** The staked mint; null for a reserve farm, whose stakes the lending program sets. */
  readonly stakeMint: MintModel | null;
  readonly holding: Holding | null;
  readonly vaultAddress: Address;
  readonly authority: Address;
  readonly authorityBump: number;
  readonly delegateAuthority: Address | null;
  readonly vault: Vault | null;
  readonly rewards: readonly Reward[];
  totalStaked: bigint;
  userCount: number;
}

export interface FarmUser {
  readonly address: Address;
  readonly bump: number;
  readonly farm: Farm;
  readonly owner: Address;
  readonly delegatee: Address;
  readonly id: number;
  stake: bigint;
  readonly talliesScaled: bigint[];
  readonly unclaimed: bigint[];
  readonly cumulative: bigint[];
  lastStakeTime: number;
  lastUnstakeTime: number;
  /** By reward; the program has a place for each that a farm can have. */
  readonly lastClaimTimes: number[];
}

export interface Wallet {
  readonly address: Address;
  readonly cell: number;
  /** Relative to the opening balance until the past is complete. */
  lamports: bigint;
  openingLamports: bigint;
  /** By mint. */
  readonly holdings: Map<Address, Holding>;
  /** By farm. */
  readonly stakes: Map<Address, FarmUser>;
  readonly obligations: Obligation[];
  readonly vaults: Vault[];
  readonly referrer: Wallet | null;
  readonly lookupTable: Address | null;
  /** Address of its user metadata, which may not exist yet. */
  readonly metadata: Address;
  readonly metadataBump: number;
  hasMetadata: boolean;
  /** Acts only where the plan says so, never on its own. */
  readonly reserved: boolean;
}

export interface Deposit {
  readonly reserve: Reserve;
  ctokens: bigint;
  valueSf: bigint;
  borrowedInGroup: bigint;
}

export interface Borrow {
  readonly reserve: Reserve;
  amountSf: bigint;
  cumulativeRateSf: bigint;
  valueSf: bigint;
  adjustedValueSf: bigint;
  outsideGroups: bigint;
  /** Base units when the debt's term ended; 0 before. */
  atExpiration: bigint;
  /** Unix seconds. */
  lastBorrowedTime: number;
}

/** A transfer of an obligation that its owner has initiated. */
export interface PendingTransfer {
  readonly newOwner: Address;
  readonly isApproved: boolean;
}

export interface Obligation {
  readonly address: Address;
  readonly owner: Wallet;
  readonly market: Market;
  readonly key: ObligationKey;
  /** Slots of the account; null is an empty slot. */
  readonly deposits: (Deposit | null)[];
  readonly borrows: (Borrow | null)[];
  readonly stakes: Map<Address, FarmUser>;
  /** Transfer to another wallet that is under way; null for none. */
  readonly transfer: PendingTransfer | null;
  group: number;
  exists: boolean;
  lastSlot: bigint;
  depositedValueSf: bigint;
  adjustedDebtSf: bigint;
  debtValueSf: bigint;
  allowedSf: bigint;
  unhealthySf: bigint;
  lowestLtv: number;
  lowestLiquidationLtv: number;
  highestBorrowFactor: number;
  /** A deposit backs debt in elevation groups only, and the obligation is in none. */
  borrowingDisabled: boolean;
  /** Order 0; null without one. */
  borrowOrder: ObligationBorrowOrder | null;
}

/** An order to borrow a token, which anyone may fill. */
export interface ObligationBorrowOrder {
  readonly mint: Address;
  readonly destination: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly maxRateBps: number;
  /** Unix seconds. */
  readonly placedAt: bigint;
  readonly fillableUntil: bigint;
}

/** Earnings of a referrer in a reserve. */
export interface ReferrerTokenState {
  readonly address: Address;
  unclaimedSf: bigint;
  cumulativeSf: bigint;
}
