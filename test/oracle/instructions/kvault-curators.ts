import { giveUpPendingFees } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/giveUpPendingFees.js';
import { initVault } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/initVault.js';
import { removeAllocation } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/removeAllocation.js';
import { topupRewards } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/topupRewards.js';
import { updateAdmin } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/updateAdmin.js';
import { updateReserveAllocation } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/updateReserveAllocation.js';
import {
  type UpdateVaultConfigAccounts,
  updateVaultConfig,
} from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/updateVaultConfig.js';
import { withdrawPendingFees } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/withdrawPendingFees.js';
import { withdrawRewards } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/withdrawRewards.js';
import { VaultConfigField } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/types/index.js';
import { SYSTEM_PROGRAM, SYSVAR_INSTRUCTIONS, SYSVAR_RENT } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { amounts, noArgs, nothing, writableThenReadonly } from './arguments.ts';
import { instructionCases, type Remaining, withoutArgs } from './template.ts';

const program = 'kvault';
const remaining = [nothing, writableThenReadonly(1, 1), writableThenReadonly(3, 3)];

/** The SDK takes the setting as an object; the vector has its number. */
const FIELDS = [
  new VaultConfigField.PerformanceFeeBps(),
  new VaultConfigField.ManagementFeeBps(),
  new VaultConfigField.MinDepositAmount(),
  new VaultConfigField.MinWithdrawAmount(),
  new VaultConfigField.MinInvestAmount(),
  new VaultConfigField.MinInvestDelaySlots(),
  new VaultConfigField.CrankFundFeePerReserve(),
  new VaultConfigField.PendingVaultAdmin(),
  new VaultConfigField.Name(),
  new VaultConfigField.LookupTable(),
  new VaultConfigField.Farm(),
  new VaultConfigField.AllocationAdmin(),
  new VaultConfigField.UnallocatedWeight(),
  new VaultConfigField.UnallocatedTokensCap(),
  new VaultConfigField.WithdrawalPenaltyLamports(),
  new VaultConfigField.WithdrawalPenaltyBps(),
  new VaultConfigField.FirstLossCapitalFarm(),
  new VaultConfigField.AllowAllocationsInWhitelistedReservesOnly(),
  new VaultConfigField.AllowInvestInWhitelistedReservesOnly(),
  new VaultConfigField.RewardPerSecond(),
] as const;

const vaultSettings = FIELDS.map((_, entry) => ({
  entry,
  data: Array.from({ length: [1, 8, 32, 40][entry % 4] ?? 1 }, (_byte, i) => (entry + i) % 256),
}));

const updateConfig = (
  { entry, data }: { readonly entry: number; readonly data: readonly number[] },
  accounts: UpdateVaultConfigAccounts,
  more: Remaining,
) => {
  const field = FIELDS[entry];
  if (field === undefined) throw new RangeError(`no setting ${entry}`);
  return updateVaultConfig({ entry: field, data: Uint8Array.from(data) }, accounts, more);
};

/** What the admin of a vault does. */
export const kvaultCuratorCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'initVault',
    args: noArgs,
    accounts: {
      adminAuthority: 'signer',
      vaultState: 'account',
      baseVaultAuthority: 'account',
      tokenVault: 'account',
      baseTokenMint: 'account',
      sharesMint: 'account',
      adminTokenAccount: 'account',
      systemProgram: SYSTEM_PROGRAM,
      rent: SYSVAR_RENT,
      tokenProgram: 'account',
      sharesTokenProgram: 'account',
    },
    build: withoutArgs(initVault),
  }),
  ...instructionCases({
    program,
    name: 'updateReserveAllocation',
    args: amounts.map((weight, i) => ({ weight, cap: amounts[(i + 1) % amounts.length] ?? weight })),
    accounts: {
      signer: 'signer',
      vaultState: 'account',
      baseVaultAuthority: 'account',
      reserveCollateralMint: 'account',
      reserve: 'account',
      ctokenVault: 'account',
      reserveWhitelistEntry: 'optional',
      reserveCollateralTokenProgram: 'account',
      systemProgram: SYSTEM_PROGRAM,
      rent: SYSVAR_RENT,
    },
    build: updateReserveAllocation,
  }),
  ...instructionCases({
    program,
    name: 'removeAllocation',
    args: noArgs,
    accounts: {
      vaultAdminAuthority: 'signer',
      vaultState: 'account',
      reserve: 'account',
    },
    build: withoutArgs(removeAllocation),
  }),
  ...instructionCases({
    program,
    name: 'updateVaultConfig',
    args: vaultSettings,
    accounts: {
      signer: 'signer',
      globalConfig: 'account',
      vaultState: 'account',
      klendProgram: 'account',
    },
    remaining,
    build: updateConfig,
  }),
  ...instructionCases({
    program,
    name: 'withdrawPendingFees',
    args: noArgs,
    accounts: {
      vaultAdminAuthority: 'signer',
      vaultState: 'account',
      reserve: 'account',
      tokenVault: 'account',
      ctokenVault: 'account',
      baseVaultAuthority: 'account',
      tokenAta: 'account',
      tokenMint: 'account',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserveLiquiditySupply: 'account',
      reserveCollateralMint: 'account',
      klendProgram: 'account',
      tokenProgram: 'account',
      reserveCollateralTokenProgram: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    remaining,
    build: withoutArgs(withdrawPendingFees),
  }),
  ...instructionCases({
    program,
    name: 'giveUpPendingFees',
    args: amounts.map((maxAmountToGiveUp) => ({ maxAmountToGiveUp })),
    accounts: {
      vaultAdminAuthority: 'signer',
      vaultState: 'account',
      klendProgram: 'account',
    },
    remaining,
    build: giveUpPendingFees,
  }),
  ...instructionCases({
    program,
    name: 'updateAdmin',
    args: noArgs,
    accounts: {
      pendingAdmin: 'signer',
      vaultState: 'account',
    },
    build: withoutArgs(updateAdmin),
  }),
  ...instructionCases({
    program,
    name: 'topupRewards',
    args: amounts.map((amount) => ({ amount })),
    accounts: {
      payer: 'signer',
      vaultState: 'account',
      tokenMint: 'account',
      tokenVault: 'account',
      payerTokenTa: 'account',
      tokenProgram: 'account',
    },
    build: topupRewards,
  }),
  ...instructionCases({
    program,
    name: 'withdrawRewards',
    args: amounts.map((amount) => ({ amount })),
    accounts: {
      vaultAdminAuthority: 'signer',
      vaultState: 'account',
      tokenMint: 'account',
      tokenVault: 'account',
      baseVaultAuthority: 'account',
      withdrawTokenAccount: 'account',
      tokenProgram: 'account',
    },
    build: withdrawRewards,
  }),
];
