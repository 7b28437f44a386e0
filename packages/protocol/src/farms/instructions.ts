import { u64, u128 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

export const initializeUser = instructionLayout(
  'initializeUser',
  '6f11b9fa3c7a26fe',
  {},
  {
    authority: 'signer',
    payer: 'writable signer',
    owner: 'readonly',
    delegatee: 'readonly',
    userState: 'writable',
    farmState: 'writable',
    systemProgram: 'readonly',
    rent: 'readonly',
  },
);

/** The maximum u64 stakes the whole token account. */
export const stake = instructionLayout(
  'stake',
  'ceb0ca12c8d1b36c',
  { amount: u64 },
  {
    owner: 'signer',
    userState: 'writable',
    farmState: 'writable',
    farmVault: 'writable',
    userAta: 'writable',
    tokenMint: 'readonly',
    scopePrices: 'readonly?',
    tokenProgram: 'readonly',
  },
);

/** `stakeSharesScaled` is the amount times 10^18. */
export const unstake = instructionLayout(
  'unstake',
  '5a5f6b2acd7c32e1',
  { stakeSharesScaled: u128 },
  { owner: 'writable signer', userState: 'writable', farmState: 'writable', scopePrices: 'readonly?' },
);

export const withdrawUnstakedDeposits = instructionLayout(
  'withdrawUnstakedDeposits',
  '2466bb31dc248443',
  {},
  {
    owner: 'writable signer',
    userState: 'writable',
    farmState: 'writable',
    userAta: 'writable',
    farmVault: 'writable',
    farmVaultsAuthority: 'readonly',
    tokenProgram: 'readonly',
  },
);

/** Sets the stake of a delegatee to an absolute amount; signed by the authority of a delegated farm. */
export const setStakeDelegated = instructionLayout(
  'setStakeDelegated',
  '49abb84b1e38c6df',
  { newAmount: u64 },
  { delegateAuthority: 'signer', userState: 'writable', farmState: 'writable' },
);

/** Issues rewards up to now. */
export const refreshFarm = instructionLayout(
  'refreshFarm',
  'd6838ab790c2ac2a',
  {},
  { farmState: 'writable', scopePrices: 'readonly?' },
);

/** Credits a stake with its rewards and activates a deposit whose warm-up is over. */
export const refreshUserState = instructionLayout(
  'refreshUserState',
  '01870c3ef38c4d6c',
  {},
  { userState: 'writable', farmState: 'writable', scopePrices: 'readonly?' },
);
