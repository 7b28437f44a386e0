import { u16, u32, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions of a farm's administration: set-up, settings, rewards and funds. */

export const initializeFarm = instructionLayout(
  'initializeFarm',
  'fc1cb9acf44a75a5',
  {},
  {
    farmAdmin: 'writable signer',
    farmState: 'writable',
    globalConfig: 'readonly',
    farmVault: 'writable',
    farmVaultsAuthority: 'readonly',
    tokenMint: 'readonly',
    tokenProgram: 'readonly',
    systemProgram: 'readonly',
    rent: 'readonly',
  },
);

/** A farm in which `farmDelegate` sets the stakes, such as that of a reserve. */
export const initializeFarmDelegated = instructionLayout(
  'initializeFarmDelegated',
  'fa546519334dcc5b',
  {},
  {
    farmAdmin: 'writable signer',
    farmDelegate: 'signer',
    farmState: 'writable',
    globalConfig: 'readonly',
    farmVaultsAuthority: 'readonly',
    systemProgram: 'readonly',
    rent: 'readonly',
  },
);

export const initializeReward = instructionLayout(
  'initializeReward',
  '5f87c0c4f281e644',
  {},
  {
    farmAdmin: 'writable signer',
    farmState: 'writable',
    globalConfig: 'readonly',
    rewardMint: 'readonly',
    rewardVault: 'writable',
    rewardTreasuryVault: 'writable',
    farmVaultsAuthority: 'readonly',
    treasuryVaultsAuthority: 'readonly',
    tokenProgram: 'readonly',
    systemProgram: 'readonly',
    rent: 'readonly',
  },
);

/** Anyone may add to a reward. */
export const addRewards = instructionLayout(
  'addRewards',
  '58ba19e326895117',
  { amount: u64, rewardIndex: u64 },
  {
    payer: 'writable signer',
    farmState: 'writable',
    rewardMint: 'readonly',
    rewardVault: 'writable',
    farmVaultsAuthority: 'readonly',
    payerRewardTokenAta: 'writable',
    scopePrices: 'readonly?',
    tokenProgram: 'readonly',
  },
);

export const withdrawReward = instructionLayout(
  'withdrawReward',
  'bfbbb0890919bbf4',
  { amount: u64, rewardIndex: u64 },
  {
    farmAdmin: 'writable signer',
    farmState: 'writable',
    rewardMint: 'readonly',
    rewardVault: 'writable',
    farmVaultsAuthority: 'readonly',
    adminRewardTokenAta: 'writable',
    scopePrices: 'readonly?',
    tokenProgram: 'readonly',
  },
);

/** Credits one stake with a reward that is not paid by the schedule. */
export const rewardUserOnce = instructionLayout(
  'rewardUserOnce',
  'db8939165eba6072',
  { rewardIndex: u64, amount: u64, expectedRewardIssuedUnclaimed: u64 },
  { delegateAuthority: 'writable signer', farmState: 'writable', userState: 'writable' },
);

/** The value, `dataLength` bytes, follows: see `farmSetting`. */
export const updateFarmConfig = instructionLayout(
  'updateFarmConfig',
  'd6b0bcf4cb3be6cf',
  { mode: u16, dataLength: u32 },
  { signer: 'writable signer', farmState: 'writable', scopePrices: 'readonly?' },
);

/** The pending admin becomes the admin. */
export const updateFarmAdmin = instructionLayout(
  'updateFarmAdmin',
  '142588137aef2482',
  {},
  { pendingFarmAdmin: 'writable signer', farmState: 'writable' },
);

export const updateSecondDelegatedAuthority = instructionLayout(
  'updateSecondDelegatedAuthority',
  '7f1a06b5cbf87540',
  {},
  {
    globalAdmin: 'writable signer',
    farmState: 'writable',
    globalConfig: 'readonly',
    newSecondDelegatedAuthority: 'readonly',
  },
);

export const depositToFarmVault = instructionLayout(
  'depositToFarmVault',
  '83a6405e6cd572b7',
  { amount: u64 },
  {
    depositor: 'signer',
    farmState: 'writable',
    farmVault: 'writable',
    depositorAta: 'writable',
    tokenProgram: 'readonly',
  },
);

export const withdrawFromFarmVault = instructionLayout(
  'withdrawFromFarmVault',
  '165280fa564f7c4e',
  { amount: u64 },
  {
    withdrawAuthority: 'writable signer',
    farmState: 'writable',
    withdrawerTokenAccount: 'writable',
    farmVault: 'writable',
    farmVaultsAuthority: 'readonly',
    tokenProgram: 'readonly',
  },
);

/** Moves penalties of early withdrawals to their account. Anyone may sign it. */
export const withdrawSlashedAmount = instructionLayout(
  'withdrawSlashedAmount',
  'cad9434aac168cd8',
  {},
  {
    crank: 'writable signer',
    farmState: 'writable',
    slashedAmountSpillAddress: 'writable',
    farmVault: 'writable',
    farmVaultsAuthority: 'readonly',
    tokenProgram: 'readonly',
  },
);
