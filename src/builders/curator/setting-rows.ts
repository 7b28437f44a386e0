import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { changed } from '../changed-account.ts';
import type { VaultSettingName } from './setting-names.ts';
import type { CapInput } from './units.ts';

/** Settings of a vault to change, as a caller gives them. Amounts are whole tokens. */
export interface VaultSettings {
  readonly performanceFeeBps?: number;
  readonly managementFeeBps?: number;
  readonly minDeposit?: Rational;
  readonly minWithdraw?: Rational;
  readonly minInvest?: Rational;
  readonly minInvestDelaySlots?: bigint;
  readonly crankFeePerReserve?: Rational;
  readonly pendingAdmin?: Address;
  readonly name?: string;
  readonly lookupTable?: Address;
  readonly farm?: Address;
  readonly allocationAdmin?: Address;
  readonly unallocatedWeight?: bigint;
  readonly unallocatedCap?: CapInput;
  readonly withdrawalPenalty?: Rational;
  readonly withdrawalPenaltyBps?: number;
  readonly firstLossFarm?: Address;
  readonly allocationsInWhitelistedReservesOnly?: boolean;
  readonly investsInWhitelistedReservesOnly?: boolean;
  readonly rewardPerSecond?: Rational;
  readonly depositCap?: CapInput;
  readonly permissioningAuthority?: Address;
}

interface Row {
  readonly setting: VaultSettingName;
  /** Number by which the instruction names the setting. */
  readonly entry: number;
  /** For sentences. */
  readonly what: string;
  /** Whether the admin of the program may change it too. */
  readonly isShared?: boolean;
}

type Fields = Partial<VaultState>;

/** A setting with a number. */
export interface NumberRow extends Row {
  readonly given: (settings: VaultSettings) => bigint | number | CapInput | undefined;
  /** Unit of the number: tokens are given in whole ones. */
  readonly unit: 'number' | 'tokens' | 'cap';
  readonly present: (vault: VaultState) => bigint;
  readonly fields: (value: bigint, vault: VaultState, timestamp: bigint) => Fields;
  /** The largest number that the program accepts, base units. */
  readonly most?: bigint;
}

export const NUMBER_ROWS: readonly NumberRow[] = [
  {
    setting: 'PERFORMANCE_FEE_BPS',
    entry: 0,
    what: 'the performance fee',
    unit: 'number',
    most: 10_000n,
    given: ({ performanceFeeBps }) => performanceFeeBps,
    present: ({ performanceFeeBps }) => performanceFeeBps,
    fields: (performanceFeeBps) => ({ performanceFeeBps }),
  },
  {
    setting: 'MANAGEMENT_FEE_BPS',
    entry: 1,
    what: 'the management fee',
    unit: 'number',
    most: 1_000n,
    given: ({ managementFeeBps }) => managementFeeBps,
    present: ({ managementFeeBps }) => managementFeeBps,
    fields: (managementFeeBps) => ({ managementFeeBps }),
  },
  {
    setting: 'MIN_DEPOSIT',
    entry: 2,
    what: 'the minimum deposit',
    unit: 'tokens',
    isShared: true,
    given: ({ minDeposit }) => minDeposit,
    present: ({ minDepositAmount }) => minDepositAmount,
    fields: (minDepositAmount) => ({ minDepositAmount }),
  },
  {
    setting: 'MIN_WITHDRAW',
    entry: 3,
    what: 'the minimum withdrawal',
    unit: 'tokens',
    isShared: true,
    most: 1_000n,
    given: ({ minWithdraw }) => minWithdraw,
    present: ({ minWithdrawAmount }) => minWithdrawAmount,
    fields: (minWithdrawAmount) => ({ minWithdrawAmount }),
  },
  {
    setting: 'MIN_INVEST',
    entry: 4,
    what: 'the minimum investment',
    unit: 'tokens',
    isShared: true,
    given: ({ minInvest }) => minInvest,
    present: ({ minInvestAmount }) => minInvestAmount,
    fields: (minInvestAmount) => ({ minInvestAmount }),
  },
  {
    setting: 'MIN_INVEST_DELAY_SLOTS',
    entry: 5,
    what: 'the delay between investments',
    unit: 'number',
    isShared: true,
    given: ({ minInvestDelaySlots }) => minInvestDelaySlots,
    present: ({ minInvestDelaySlots }) => minInvestDelaySlots,
    fields: (minInvestDelaySlots) => ({ minInvestDelaySlots }),
  },
  {
    setting: 'CRANK_FEE_PER_RESERVE',
    entry: 6,
    what: 'the crank fee',
    unit: 'tokens',
    isShared: true,
    given: ({ crankFeePerReserve }) => crankFeePerReserve,
    present: ({ crankFundFeePerReserve }) => crankFundFeePerReserve,
    fields: (crankFundFeePerReserve) => ({ crankFundFeePerReserve }),
  },
  {
    setting: 'UNALLOCATED_WEIGHT',
    entry: 12,
    what: 'the weight of idle tokens',
    unit: 'number',
    given: ({ unallocatedWeight }) => unallocatedWeight,
    present: ({ unallocatedWeight }) => unallocatedWeight,
    fields: (unallocatedWeight) => ({ unallocatedWeight }),
  },
  {
    setting: 'UNALLOCATED_CAP',
    entry: 13,
    what: 'the cap of idle tokens',
    unit: 'cap',
    given: ({ unallocatedCap }) => unallocatedCap,
    present: ({ unallocatedTokensCap }) => unallocatedTokensCap,
    fields: (unallocatedTokensCap) => ({ unallocatedTokensCap }),
  },
  {
    setting: 'WITHDRAWAL_PENALTY',
    entry: 14,
    what: 'the smallest withdrawal penalty',
    unit: 'tokens',
    most: 10_000n,
    given: ({ withdrawalPenalty }) => withdrawalPenalty,
    present: ({ withdrawalPenaltyLamports }) => withdrawalPenaltyLamports,
    fields: (withdrawalPenaltyLamports) => ({ withdrawalPenaltyLamports }),
  },
  {
    setting: 'WITHDRAWAL_PENALTY_BPS',
    entry: 15,
    what: 'the withdrawal penalty',
    unit: 'number',
    most: 1_000n,
    given: ({ withdrawalPenaltyBps }) => withdrawalPenaltyBps,
    present: ({ withdrawalPenaltyBps }) => withdrawalPenaltyBps,
    fields: (withdrawalPenaltyBps) => ({ withdrawalPenaltyBps }),
  },
  {
    setting: 'REWARD_PER_SECOND',
    entry: 19,
    what: 'the reward rate',
    unit: 'tokens',
    given: ({ rewardPerSecond }) => rewardPerSecond,
    present: ({ rewardInfo }) => rewardInfo.rewardPerSecond,
    fields: (rewardPerSecond, { rewardInfo }, lastIssuanceTs) => ({
      rewardInfo: changed(rewardInfo, { rewardPerSecond, lastIssuanceTs }),
    }),
  },
  {
    setting: 'DEPOSIT_CAP',
    entry: 20,
    what: 'the deposit cap',
    unit: 'cap',
    isShared: true,
    given: ({ depositCap }) => depositCap,
    present: ({ depositCap }) => depositCap,
    fields: (depositCap) => ({ depositCap }),
  },
];

/** A setting with an address; the default key is none. */
export interface AddressRow extends Row {
  readonly given: (settings: VaultSettings) => Address | undefined;
  readonly present: (vault: VaultState) => Address;
  readonly fields: (value: Address) => Fields;
}

export const ADDRESS_ROWS: readonly AddressRow[] = [
  {
    setting: 'PENDING_ADMIN',
    entry: 7,
    what: 'the pending admin',
    given: ({ pendingAdmin }) => pendingAdmin,
    present: ({ pendingAdmin }) => pendingAdmin,
    fields: (pendingAdmin) => ({ pendingAdmin }),
  },
  {
    setting: 'LOOKUP_TABLE',
    entry: 9,
    what: 'the lookup table',
    isShared: true,
    given: ({ lookupTable }) => lookupTable,
    present: ({ vaultLookupTable }) => vaultLookupTable,
    fields: (vaultLookupTable) => ({ vaultLookupTable }),
  },
  {
    setting: 'FARM',
    entry: 10,
    what: 'the farm',
    isShared: true,
    given: ({ farm }) => farm,
    present: ({ vaultFarm }) => vaultFarm,
    fields: (vaultFarm) => ({ vaultFarm }),
  },
  {
    setting: 'ALLOCATION_ADMIN',
    entry: 11,
    what: 'the allocation admin',
    given: ({ allocationAdmin }) => allocationAdmin,
    present: ({ allocationAdmin }) => allocationAdmin,
    fields: (allocationAdmin) => ({ allocationAdmin }),
  },
  {
    setting: 'FIRST_LOSS_FARM',
    entry: 16,
    what: 'the first-loss farm',
    given: ({ firstLossFarm }) => firstLossFarm,
    present: ({ firstLossCapitalFarm }) => firstLossCapitalFarm,
    fields: (firstLossCapitalFarm) => ({ firstLossCapitalFarm }),
  },
  {
    setting: 'PERMISSIONING_AUTHORITY',
    entry: 21,
    what: 'the permissioning authority',
    isShared: true,
    given: ({ permissioningAuthority }) => permissioningAuthority,
    present: ({ permissioningAuthority }) => permissioningAuthority,
    fields: (permissioningAuthority) => ({ permissioningAuthority }),
  },
];

/** A restriction to the list of the vault program. */
export interface FlagRow extends Row {
  readonly given: (settings: VaultSettings) => boolean | undefined;
  readonly present: (vault: VaultState) => number;
  readonly fields: (value: number) => Fields;
}

export const FLAG_ROWS: readonly FlagRow[] = [
  {
    setting: 'ALLOCATIONS_IN_WHITELISTED_RESERVES_ONLY',
    entry: 17,
    what: 'the restriction of allocations to listed reserves',
    isShared: true,
    given: ({ allocationsInWhitelistedReservesOnly }) => allocationsInWhitelistedReservesOnly,
    present: ({ allowAllocationsInWhitelistedReservesOnly }) => allowAllocationsInWhitelistedReservesOnly,
    fields: (allowAllocationsInWhitelistedReservesOnly) => ({ allowAllocationsInWhitelistedReservesOnly }),
  },
  {
    setting: 'INVESTS_IN_WHITELISTED_RESERVES_ONLY',
    entry: 18,
    what: 'the restriction of investments to listed reserves',
    isShared: true,
    given: ({ investsInWhitelistedReservesOnly }) => investsInWhitelistedReservesOnly,
    present: ({ allowInvestInWhitelistedReservesOnly }) => allowInvestInWhitelistedReservesOnly,
    fields: (allowInvestInWhitelistedReservesOnly) => ({ allowInvestInWhitelistedReservesOnly }),
  },
];

export const NAME_ROW = { setting: 'NAME', entry: 8, what: 'the name', isShared: true } as const;
