import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { load, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import { addSf, subSf, wholeSf } from '../klend/fraction.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** One used slot of the allocation strategy. */
export interface AllocationBooks {
  /** Position in the strategy. */
  readonly index: number;
  readonly reserve: Address;
  readonly ctokenVault: Address;
  readonly weight: bigint;
  /** Base units of the deposit token. */
  readonly cap: bigint;
  /** Collateral tokens; null for no such cap. */
  readonly ctokenCap: bigint | null;
  ctokens: bigint;
  lastInvestSlot: bigint;
  targetSf: bigint;
}

/** The numbers of a vault that its instructions change. Amounts are base units, `*Sf` ones scaled by 2^60. */
export interface VaultBooks {
  /** The settings; for the numbers below, the account as it was. */
  readonly settings: VaultState;
  readonly allocations: readonly AllocationBooks[];
  tokenAvailable: bigint;
  sharesIssued: bigint;
  availableCrankFunds: bigint;
  /** Unix seconds. */
  lastFeeChargeTimestamp: bigint;
  prevAumSf: bigint;
  pendingFeesSf: bigint;
  cumulativeEarnedInterestSf: bigint;
  cumulativeMgmtFeesSf: bigint;
  cumulativePerfFeesSf: bigint;
  readonly rewards: {
    lastIssuanceTs: bigint;
    rewardsAvailable: bigint;
    cumulativeRewardsDistributedAnalytics: bigint;
  };
}

export const loadVault = (account: InstructionAccount): VaultState =>
  load(account, vaultState, MAINNET_PROGRAMS.kvault);

/** 0 and the largest number mean no cap. */
const ctokenCapOf = (cap: bigint) => (cap === 0n || cap === U64_MAX ? null : cap);

export function openBooks(settings: VaultState): VaultBooks {
  const { rewardInfo } = settings;
  const allocations = settings.vaultAllocationStrategy.map(
    (allocation, index): AllocationBooks => ({
      index,
      reserve: allocation.reserve,
      ctokenVault: allocation.ctokenVault,
      weight: allocation.targetAllocationWeight,
      cap: allocation.tokenAllocationCap,
      ctokenCap: ctokenCapOf(allocation.ctokenAllocationCap),
      ctokens: allocation.ctokenAllocation,
      lastInvestSlot: allocation.lastInvestSlot,
      targetSf: allocation.tokenTargetAllocationSf,
    }),
  );
  return {
    settings,
    allocations: allocations.filter(({ reserve }) => reserve !== NO_ADDRESS),
    tokenAvailable: settings.tokenAvailable,
    sharesIssued: settings.sharesIssued,
    availableCrankFunds: settings.availableCrankFunds,
    lastFeeChargeTimestamp: settings.lastFeeChargeTimestamp,
    prevAumSf: settings.prevAumSf,
    pendingFeesSf: settings.pendingFeesSf,
    cumulativeEarnedInterestSf: settings.cumulativeEarnedInterestSf,
    cumulativeMgmtFeesSf: settings.cumulativeMgmtFeesSf,
    cumulativePerfFeesSf: settings.cumulativePerfFeesSf,
    rewards: {
      lastIssuanceTs: rewardInfo.lastIssuanceTs,
      rewardsAvailable: rewardInfo.rewardsAvailable,
      cumulativeRewardsDistributedAnalytics: rewardInfo.cumulativeRewardsDistributedAnalytics,
    },
  };
}

export function saveBooks(account: InstructionAccount, books: VaultBooks): void {
  const { settings, allocations, rewards, ...numbers } = books;
  const byIndex = new Map(allocations.map((allocation) => [allocation.index, allocation]));
  patch(account, vaultState, {
    ...numbers,
    rewardInfo: rewards,
    vaultAllocationStrategy: settings.vaultAllocationStrategy.map((_, index) => {
      const allocation = byIndex.get(index);
      return {
        ctokenAllocation: allocation?.ctokens,
        lastInvestSlot: allocation?.lastInvestSlot,
        tokenTargetAllocationSf: allocation?.targetSf,
      };
    }),
  });
}

export function allocationOf({ allocations }: VaultBooks, reserve: Address): AllocationBooks {
  const found = allocations.find((allocation) => allocation.reserve === reserve);
  if (found === undefined) throw customError(VAULT_CODES.reserveNotPartOfAllocations);
  return found;
}

/** Assets that belong to shareholders, scaled by 2^60. */
export function aumSfOf({ tokenAvailable, pendingFeesSf }: VaultBooks, investedSf: bigint): bigint {
  const grossSf = addSf(wholeSf(tokenAvailable), investedSf);
  if (grossSf < pendingFeesSf) throw customError(VAULT_CODES.aumBelowPendingFees);
  return subSf(grossSf, pendingFeesSf);
}
