import { harvestReward } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/harvestReward.js';
import { initializeUser } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/initializeUser.js';
import { refreshFarm } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/refreshFarm.js';
import { refreshUserState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/refreshUserState.js';
import { setStakeDelegated } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/setStakeDelegated.js';
import { stake } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/stake.js';
import { unstake } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/unstake.js';
import { withdrawUnstakedDeposits } from '@kamino-finance/farms-sdk/dist/@codegen/farms/instructions/withdrawUnstakedDeposits.js';
import { SYSTEM_PROGRAM, SYSVAR_RENT, TOKEN_PROGRAM, U64_MAX, U128_MAX, WAD } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { amounts, noArgs } from './arguments.ts';
import { instructionCases, withoutArgs } from './template.ts';

const program = 'farms';
const scaledShares = [0n, 1n, 123_456_789n * WAD, U64_MAX * WAD, U128_MAX];

export const farmCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'initializeUser',
    args: noArgs,
    accounts: {
      authority: 'signer',
      payer: 'signer',
      owner: 'account',
      delegatee: 'account',
      userState: 'account',
      farmState: 'account',
      systemProgram: SYSTEM_PROGRAM,
      rent: SYSVAR_RENT,
    },
    build: withoutArgs(initializeUser),
  }),
  ...instructionCases({
    program,
    name: 'stake',
    args: amounts.map((amount) => ({ amount })),
    accounts: {
      owner: 'signer',
      userState: 'account',
      farmState: 'account',
      farmVault: 'account',
      userAta: 'account',
      tokenMint: 'account',
      scopePrices: 'optional',
      tokenProgram: TOKEN_PROGRAM,
    },
    build: stake,
  }),
  ...instructionCases({
    program,
    name: 'unstake',
    args: scaledShares.map((shares) => ({ stakeSharesScaled: bn(shares) })),
    accounts: { owner: 'signer', userState: 'account', farmState: 'account', scopePrices: 'optional' },
    build: unstake,
  }),
  ...instructionCases({
    program,
    name: 'withdrawUnstakedDeposits',
    args: noArgs,
    accounts: {
      owner: 'signer',
      userState: 'account',
      farmState: 'account',
      userAta: 'account',
      farmVault: 'account',
      farmVaultsAuthority: 'account',
      tokenProgram: TOKEN_PROGRAM,
    },
    build: withoutArgs(withdrawUnstakedDeposits),
  }),
  ...instructionCases({
    program,
    name: 'harvestReward',
    args: [0n, 9n].map((index) => ({ rewardIndex: bn(index) })),
    accounts: {
      payer: 'signer',
      userState: 'account',
      farmState: 'account',
      globalConfig: 'account',
      rewardMint: 'account',
      userRewardTokenAccount: 'account',
      rewardsVault: 'account',
      rewardsTreasuryVault: 'account',
      farmVaultsAuthority: 'account',
      scopePrices: 'optional',
      tokenProgram: TOKEN_PROGRAM,
    },
    build: harvestReward,
  }),
  ...instructionCases({
    program,
    name: 'setStakeDelegated',
    args: amounts.map((newAmount) => ({ newAmount })),
    accounts: { delegateAuthority: 'signer', userState: 'account', farmState: 'account' },
    build: setStakeDelegated,
  }),
  ...instructionCases({
    program,
    name: 'refreshFarm',
    args: noArgs,
    accounts: { farmState: 'account', scopePrices: 'optional' },
    build: withoutArgs(refreshFarm),
  }),
  ...instructionCases({
    program,
    name: 'refreshUserState',
    args: noArgs,
    accounts: { userState: 'account', farmState: 'account', scopePrices: 'optional' },
    build: withoutArgs(refreshUserState),
  }),
];
