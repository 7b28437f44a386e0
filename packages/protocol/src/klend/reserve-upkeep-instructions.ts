import { u8, u32, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Instructions about a reserve as a whole. */

/** Adds tokens to the rewards that a reserve gives to its depositors. Permissionless. */
export const topupReserveRewards = instructionLayout(
  'topupReserveRewards',
  '3fff82d36ed858ad',
  { amount: u64 },
  {
    signer: 'signer',
    lendingMarket: 'readonly',
    reserve: 'writable',
    reserveLiquidityMint: 'readonly',
    reserveLiquiditySupply: 'writable',
    userSourceLiquidity: 'writable',
    tokenProgram: 'readonly',
  },
);

/** Returns the liquidity of 1,000,000 base units of collateral tokens, scaled by 2^60. */
export const calculateCtokenExchangeRate = instructionLayout(
  'calculateCtokenExchangeRate',
  '20fddc0d13a583bc',
  {},
  { reserve: 'readonly' },
);

export const cloneReserveConfig = instructionLayout(
  'cloneReserveConfig',
  'f405c671110a4721',
  {
    overrideBorrowRate: u8,
    borrowRateBps: u32,
    overrideDebtTerm: u8,
    debtTermSeconds: u64,
    clearElevationGroups: u8,
  },
  {
    signer: 'signer',
    targetLendingMarket: 'readonly',
    sourceReserve: 'readonly',
    targetReserve: 'writable',
    instructionSysvarAccount: 'readonly',
  },
);
