import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';
import { depositAccounts, farmAccounts, repayAccounts } from './action-accounts.ts';

/**
 * Lending instructions that change positions. The gateway decodes them from past transactions, and builds one of them:
 * `withdrawCollateralV2`, in front of the withdraw queue.
 */

const depositCollateralAccounts = {
  owner: 'signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  depositReserve: 'writable',
  reserveDestinationCollateral: 'writable',
  userSourceCollateral: 'writable',
  tokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

/** Deposits collateral tokens from the wallet into an obligation. */
export const depositCollateralV1 = instructionLayout(
  'depositObligationCollateral',
  '6cd1044815167685',
  { collateralAmount: u64 },
  depositCollateralAccounts,
);

export const depositCollateralV2 = instructionLayout(
  'depositObligationCollateralV2',
  '8991975ea7710491',
  { collateralAmount: u64 },
  {
    ...depositCollateralAccounts,
    lendingMarketAuthority: 'readonly',
    ...farmAccounts,
    farmsProgram: 'readonly',
  },
);

const withdrawCollateralAccounts = {
  owner: 'writable signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  withdrawReserve: 'writable',
  reserveSourceCollateral: 'writable',
  userDestinationCollateral: 'writable',
  tokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

/** Withdraws collateral tokens from an obligation without redeeming them. */
export const withdrawCollateralV1 = instructionLayout(
  'withdrawObligationCollateral',
  '2574cd67f3c05cc6',
  { collateralAmount: u64 },
  withdrawCollateralAccounts,
);

export const withdrawCollateralV2 = instructionLayout(
  'withdrawObligationCollateralV2',
  'caf97572e7c02f8a',
  { collateralAmount: u64 },
  {
    ...withdrawCollateralAccounts,
    ...farmAccounts,
    farmsProgram: 'readonly',
  },
);

/** The second half of the two combined instructions. */
const withdrawHalf = {
  withdrawOwner: 'writable signer',
  withdrawObligation: 'writable',
  withdrawLendingMarket: 'readonly',
  withdrawLendingMarketAuthority: 'readonly',
  withdrawReserve: 'writable',
  withdrawReserveLiquidityMint: 'readonly',
  withdrawReserveSourceCollateral: 'writable',
  withdrawReserveCollateralMint: 'writable',
  withdrawReserveLiquiditySupply: 'writable',
  withdrawUserDestinationLiquidity: 'writable',
  withdrawPlaceholderUserDestinationCollateral: 'readonly?',
  withdrawCollateralTokenProgram: 'readonly',
  withdrawLiquidityTokenProgram: 'readonly',
  withdrawInstructionSysvarAccount: 'readonly',
} as const;

export const repayAndWithdraw = instructionLayout(
  'repayAndWithdrawAndRedeem',
  '0236980394606dda',
  { repayAmount: u64, withdrawCollateralAmount: u64 },
  {
    ...repayAccounts,
    ...withdrawHalf,
    collateralObligationFarmUserState: 'writable?',
    collateralReserveFarmState: 'writable?',
    debtObligationFarmUserState: 'writable?',
    debtReserveFarmState: 'writable?',
    farmsProgram: 'readonly',
  },
);

export const depositAndWithdraw = instructionLayout(
  'depositAndWithdraw',
  '8d99270f403d5854',
  { liquidityAmount: u64, withdrawCollateralAmount: u64 },
  {
    ...depositAccounts,
    ...withdrawHalf,
    depositObligationFarmUserState: 'writable?',
    depositReserveFarmState: 'writable?',
    withdrawObligationFarmUserState: 'writable?',
    withdrawReserveFarmState: 'writable?',
    farmsProgram: 'readonly',
  },
);
