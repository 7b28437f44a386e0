import { u8, u32, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions of a vault's curator and of the vault program's admin. */

export const initVault = instructionLayout(
  'initVault',
  '4d4f559621d9346a',
  {},
  {
    adminAuthority: 'writable signer',
    vaultState: 'writable',
    baseVaultAuthority: 'readonly',
    tokenVault: 'writable',
    baseTokenMint: 'readonly',
    sharesMint: 'writable',
    adminTokenAccount: 'writable',
    systemProgram: 'readonly',
    rent: 'readonly',
    tokenProgram: 'readonly',
    sharesTokenProgram: 'readonly',
  },
);

const allocationAccounts = {
  signer: 'writable signer',
  vaultState: 'writable',
  baseVaultAuthority: 'readonly',
  reserveCollateralMint: 'writable',
  reserve: 'readonly',
  ctokenVault: 'writable',
  reserveWhitelistEntry: 'readonly?',
  reserveCollateralTokenProgram: 'readonly',
  systemProgram: 'readonly',
  rent: 'readonly',
} as const;

/** `cap` is in tokens of the vault. */
export const updateReserveAllocationV1 = instructionLayout(
  'updateReserveAllocation',
  '0536d5704be87525',
  { weight: u64, cap: u64 },
  allocationAccounts,
);

/** Since kvault 2.2.2. `ctokenAllocationCap` is in collateral tokens; 0 and the maximum u64 are no cap. */
export const updateReserveAllocationV2 = instructionLayout(
  'updateReserveAllocationV2',
  'c388014f0a7b7964',
  { weight: u64, cap: u64, ctokenAllocationCap: u64 },
  allocationAccounts,
);

export const removeAllocation = instructionLayout(
  'removeAllocation',
  '20dcd38dd1e7494c',
  {},
  { vaultAdminAuthority: 'writable signer', vaultState: 'writable', reserve: 'readonly' },
);

/** The value, `dataLength` bytes, follows. Remaining accounts: the vault's reserves. */
export const updateVaultConfig = instructionLayout(
  'updateVaultConfig',
  '7a0315de9effee9d',
  { entry: u8, dataLength: u32 },
  { signer: 'signer', globalConfig: 'readonly', vaultState: 'writable', klendProgram: 'readonly' },
);

export const withdrawPendingFees = instructionLayout(
  'withdrawPendingFees',
  '83c2c88caff4d9b7',
  {},
  {
    vaultAdminAuthority: 'writable signer',
    vaultState: 'writable',
    reserve: 'writable',
    tokenVault: 'writable',
    ctokenVault: 'writable',
    baseVaultAuthority: 'writable',
    tokenAta: 'writable',
    tokenMint: 'writable',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserveLiquiditySupply: 'writable',
    reserveCollateralMint: 'writable',
    klendProgram: 'readonly',
    tokenProgram: 'readonly',
    reserveCollateralTokenProgram: 'readonly',
    instructionSysvarAccount: 'readonly',
  },
);

export const giveUpPendingFees = instructionLayout(
  'giveUpPendingFees',
  'b1c878866ed99351',
  { maxAmountToGiveUp: u64 },
  { vaultAdminAuthority: 'writable signer', vaultState: 'writable', klendProgram: 'readonly' },
);

export const updateAdmin = instructionLayout(
  'updateAdmin',
  'a1b028d53cb8b3e4',
  {},
  { pendingAdmin: 'writable signer', vaultState: 'writable' },
);

export const topupRewards = instructionLayout(
  'topupRewards',
  '7f9331893a896738',
  { amount: u64 },
  {
    payer: 'signer',
    vaultState: 'writable',
    tokenMint: 'readonly',
    tokenVault: 'writable',
    payerTokenTa: 'writable',
    tokenProgram: 'readonly',
  },
);

export const withdrawRewards = instructionLayout(
  'withdrawRewards',
  '0ad6db8bcd16fb15',
  { amount: u64 },
  {
    vaultAdminAuthority: 'writable signer',
    vaultState: 'writable',
    tokenMint: 'readonly',
    tokenVault: 'writable',
    baseVaultAuthority: 'readonly',
    withdrawTokenAccount: 'writable',
    tokenProgram: 'readonly',
  },
);

/** `update` 0 allows invests, 1 allows new allocations; `value` is 0 or 1. */
export const addUpdateWhitelistedReserve = instructionLayout(
  'addUpdateWhitelistedReserve',
  'db8b5fcc07b7762d',
  { update: u8, value: u8 },
  {
    globalAdmin: 'writable signer',
    globalConfig: 'readonly',
    reserve: 'readonly',
    reserveWhitelistEntry: 'writable',
    systemProgram: 'readonly',
  },
);

/** `update` 0 is the pending admin, 1 and 2 the smallest withdrawal penalty, flat and in basis points. The value follows. */
export const updateGlobalConfig = instructionLayout(
  'updateGlobalConfig',
  'a45482bd6f3afac8',
  { update: u8 },
  { globalAdmin: 'signer', globalConfig: 'writable' },
);
