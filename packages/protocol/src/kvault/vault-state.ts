import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';

const MAX_ALLOCATIONS = 25;

/** Base units that the creator of a vault deposits. Their shares belong to nobody. */
export const FIRST_DEPOSIT = 1_000n;

/** One slot of the allocation strategy; unused when its reserve is the default key. */
export const vaultAllocation = struct({
  reserve: publicKey,
  ctokenVault: publicKey,
  targetAllocationWeight: u64,
  /** Base units of the deposit token. */
  tokenAllocationCap: u64,
  ctokenVaultBump: u64,
  /** Collateral tokens (cTokens); 0 and the maximum u64 mean no cap. */
  ctokenAllocationCap: u64,
  configPadding: padding(bytes(126 * 8)),
  /** Collateral tokens (cTokens) of the reserve that the vault holds, base units. */
  ctokenAllocation: u64,
  lastInvestSlot: u64,
  /** Base units of the deposit token, scaled by 2^60. */
  tokenTargetAllocationSf: u128,
  statePadding: padding(bytes(128 * 8)),
});

const vaultRewardInfo = struct({
  rewardPerSecond: u64,
  lastIssuanceTs: u64,
  rewardsAvailable: u64,
  cumulativeRewardsDistributedAnalytics: u64,
  padding: padding(bytes(8 * 8)),
});

/**
 * Amounts are base units of the deposit token, `*Sf` ones scaled by 2^60. Shares have a separate mint.
 *
 * @example
 * const { tokenMint, sharesIssued } = vaultState.decode({ owner, data }, MAINNET_PROGRAMS.kvault);
 */
export const vaultState = accountLayout('VaultState', 'e4c452a562d2eb98', {
  vaultAdminAuthority: publicKey,
  baseVaultAuthority: publicKey,
  baseVaultAuthorityBump: u64,
  tokenMint: publicKey,
  tokenMintDecimals: u64,
  tokenVault: publicKey,
  tokenProgram: publicKey,
  sharesMint: publicKey,
  sharesMintDecimals: u64,
  tokenAvailable: u64,
  sharesIssued: u64,
  availableCrankFunds: u64,
  unallocatedWeight: u64,
  performanceFeeBps: u64,
  managementFeeBps: u64,
  /** Unix seconds. */
  lastFeeChargeTimestamp: u64,
  prevAumSf: u128,
  pendingFeesSf: u128,
  vaultAllocationStrategy: array(vaultAllocation, MAX_ALLOCATIONS),
  padding1: padding(bytes(256 * 16)),
  minDepositAmount: u64,
  minWithdrawAmount: u64,
  minInvestAmount: u64,
  minInvestDelaySlots: u64,
  crankFundFeePerReserve: u64,
  pendingAdmin: publicKey,
  cumulativeEarnedInterestSf: u128,
  cumulativeMgmtFeesSf: u128,
  cumulativePerfFeesSf: u128,
  name: bytes(40),
  vaultLookupTable: publicKey,
  vaultFarm: publicKey,
  /** Unix seconds. */
  creationTimestamp: u64,
  unallocatedTokensCap: u64,
  allocationAdmin: publicKey,
  withdrawalPenaltyLamports: u64,
  withdrawalPenaltyBps: u64,
  firstLossCapitalFarm: publicKey,
  allowAllocationsInWhitelistedReservesOnly: u8,
  allowInvestInWhitelistedReservesOnly: u8,
  padding2: padding(bytes(6)),
  /** Most that the vault takes in; 0 and the maximum u64 mean no cap. */
  depositCap: u64,
  rewardInfo: vaultRewardInfo,
  /** The default key for an open vault. */
  permissioningAuthority: publicKey,
  padding3: padding(bytes(230 * 16)),
});

export type VaultAllocation = StructOf<typeof vaultAllocation.fields>;
export type VaultState = StructOf<typeof vaultState.body.fields>;
