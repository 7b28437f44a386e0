import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Pays out the accrued amount of one reward, less the treasury's cut. */
export const harvestReward = instructionLayout(
  'harvestReward',
  '44c8e4e9b820e2bc',
  { rewardIndex: u64 },
  {
    payer: 'writable signer',
    userState: 'writable',
    farmState: 'writable',
    globalConfig: 'readonly',
    rewardMint: 'readonly',
    userRewardTokenAccount: 'writable',
    rewardsVault: 'writable',
    rewardsTreasuryVault: 'writable',
    farmVaultsAuthority: 'readonly',
    scopePrices: 'readonly?',
    tokenProgram: 'readonly',
  },
);
