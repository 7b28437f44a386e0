import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8, u32, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';

export const MAX_REWARDS = 10;

export const farmToken = struct({
  mint: publicKey,
  decimals: u64,
  tokenProgram: publicKey,
  padding: padding(bytes(6 * 8)),
});

/** Reward units per time unit from `tsStart` (unix seconds) on. Unused points start at the maximum u64. */
const rewardPoint = struct({
  tsStart: u64,
  rewardPerTimeUnit: u64,
});

export const rewardInfo = struct({
  token: farmToken,
  rewardsVault: publicKey,
  rewardsAvailable: u64,
  rewardScheduleCurve: struct({ points: array(rewardPoint, 20) }),
  minClaimDurationSeconds: u64,
  lastIssuanceTs: u64,
  rewardsIssuedUnclaimed: u64,
  rewardsIssuedCumulative: u64,
  rewardPerShareScaled: u128,
  placeholder0: padding(u64),
  /** 0: shared pro rata among the stake. 1: constant per staked unit. */
  rewardType: u8,
  rewardsPerSecondDecimals: u8,
  padding0: padding(bytes(6)),
  padding1: padding(bytes(20 * 8)),
});

/**
 * A farm: its stakes and the rewards that it pays. Amounts are base units of the staked and the reward tokens.
 *
 * @example
 * const { totalStakedAmount } = farmState.decode({ owner, data }, MAINNET_PROGRAMS.farms);
 */
export const farmState = accountLayout('FarmState', 'c666d84a3f42a3be', {
  farmAdmin: publicKey,
  globalConfig: publicKey,
  /** The staked token; a delegated farm (of a reserve) has no mint. */
  token: farmToken,
  rewardInfos: array(rewardInfo, MAX_REWARDS),
  numRewardTokens: u64,
  numUsers: u64,
  totalStakedAmount: u64,
  farmVault: publicKey,
  farmVaultsAuthority: publicKey,
  farmVaultsAuthorityBump: u64,
  delegateAuthority: publicKey,
  /** 0 seconds, 1 slots. */
  timeUnit: u8,
  isFarmFrozen: u8,
  isFarmDelegated: u8,
  isRewardUserOnceEnabled: u8,
  isHarvestingPermissionless: u8,
  padding0: padding(bytes(3)),
  withdrawAuthority: publicKey,
  depositWarmupPeriod: u32,
  withdrawalCooldownPeriod: u32,
  /** Scaled by 10^18. */
  totalActiveStakeScaled: u128,
  totalPendingStakeScaled: u128,
  totalPendingAmount: u64,
  slashedAmountCurrent: u64,
  slashedAmountCumulative: u64,
  slashedAmountSpillAddress: publicKey,
  lockingMode: u64,
  lockingStartTimestamp: u64,
  lockingDuration: u64,
  lockingEarlyWithdrawalPenaltyBps: u64,
  depositCapAmount: u64,
  scopePrices: publicKey,
  scopeOraclePriceId: u64,
  scopeOracleMaxAge: u64,
  pendingFarmAdmin: publicKey,
  strategyId: publicKey,
  delegatedRpsAdmin: publicKey,
  vaultId: publicKey,
  secondDelegatedAuthority: publicKey,
  padding: padding(bytes(74 * 8)),
});

export type RewardInfo = StructOf<typeof rewardInfo.fields>;
export type FarmState = StructOf<typeof farmState.body.fields>;
