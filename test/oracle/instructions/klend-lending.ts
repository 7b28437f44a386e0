import { PROGRAM_ID as FARMS } from '@kamino-finance/farms-sdk/dist/@codegen/farms/programId.js';
import { borrowObligationLiquidity } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/borrowObligationLiquidity.js';
import { borrowObligationLiquidityV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/borrowObligationLiquidityV2.js';
import { depositReserveLiquidityAndObligationCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/depositReserveLiquidityAndObligationCollateral.js';
import { depositReserveLiquidityAndObligationCollateralV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/depositReserveLiquidityAndObligationCollateralV2.js';
import { repayObligationLiquidity } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/repayObligationLiquidity.js';
import { repayObligationLiquidityV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/repayObligationLiquidityV2.js';
import { withdrawObligationCollateralAndRedeemReserveCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/withdrawObligationCollateralAndRedeemReserveCollateral.js';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/withdrawObligationCollateralAndRedeemReserveCollateralV2.js';
import { SYSVAR_INSTRUCTIONS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { amounts, nothing, writable } from './arguments.ts';
import { instructionCases } from './template.ts';

const program = 'klend';
const liquidity = amounts.map((liquidityAmount) => ({ liquidityAmount }));
const collateral = amounts.map((collateralAmount) => ({ collateralAmount }));
/** In an elevation group the deposit reserves follow. */
const depositReserves = [nothing, writable(2)];

export const depositAccounts = {
  owner: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  lendingMarketAuthority: 'account',
  reserve: 'account',
  reserveLiquidityMint: 'account',
  reserveLiquiditySupply: 'account',
  reserveCollateralMint: 'account',
  reserveDestinationDepositCollateral: 'account',
  userSourceLiquidity: 'account',
  placeholderUserDestinationCollateral: 'optional',
  collateralTokenProgram: TOKEN_PROGRAM,
  liquidityTokenProgram: TOKEN_2022_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

const borrowAccounts = {
  owner: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  lendingMarketAuthority: 'account',
  borrowReserve: 'account',
  borrowReserveLiquidityMint: 'account',
  reserveSourceLiquidity: 'account',
  borrowReserveLiquidityFeeReceiver: 'account',
  userDestinationLiquidity: 'account',
  referrerTokenState: 'optional',
  tokenProgram: TOKEN_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

export const repayAccounts = {
  owner: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  repayReserve: 'account',
  reserveLiquidityMint: 'account',
  reserveDestinationLiquidity: 'account',
  userSourceLiquidity: 'account',
  tokenProgram: TOKEN_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

export const withdrawAccounts = {
  owner: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  lendingMarketAuthority: 'account',
  withdrawReserve: 'account',
  reserveLiquidityMint: 'account',
  reserveSourceCollateral: 'account',
  reserveCollateralMint: 'account',
  reserveLiquiditySupply: 'account',
  userDestinationLiquidity: 'account',
  placeholderUserDestinationCollateral: 'optional',
  collateralTokenProgram: TOKEN_PROGRAM,
  liquidityTokenProgram: TOKEN_2022_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

export const farmsAccounts = { obligationFarmUserState: 'optional', reserveFarmState: 'optional' } as const;

export const klendLendingCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'depositReserveLiquidityAndObligationCollateral',
    args: liquidity,
    accounts: depositAccounts,
    build: depositReserveLiquidityAndObligationCollateral,
  }),
  ...instructionCases({
    program,
    name: 'depositReserveLiquidityAndObligationCollateralV2',
    args: liquidity,
    accounts: { depositAccounts, farmsAccounts, farmsProgram: FARMS },
    build: depositReserveLiquidityAndObligationCollateralV2,
  }),
  ...instructionCases({
    program,
    name: 'borrowObligationLiquidity',
    args: liquidity,
    accounts: borrowAccounts,
    remaining: depositReserves,
    build: borrowObligationLiquidity,
  }),
  ...instructionCases({
    program,
    name: 'borrowObligationLiquidityV2',
    args: liquidity,
    accounts: { borrowAccounts, farmsAccounts, farmsProgram: FARMS },
    remaining: depositReserves,
    build: borrowObligationLiquidityV2,
  }),
  ...instructionCases({
    program,
    name: 'repayObligationLiquidity',
    args: liquidity,
    accounts: repayAccounts,
    remaining: depositReserves,
    build: repayObligationLiquidity,
  }),
  ...instructionCases({
    program,
    name: 'repayObligationLiquidityV2',
    args: liquidity,
    accounts: { repayAccounts, farmsAccounts, lendingMarketAuthority: 'account', farmsProgram: FARMS },
    remaining: depositReserves,
    build: repayObligationLiquidityV2,
  }),
  ...instructionCases({
    program,
    name: 'withdrawObligationCollateralAndRedeemReserveCollateral',
    args: collateral,
    accounts: withdrawAccounts,
    build: withdrawObligationCollateralAndRedeemReserveCollateral,
  }),
  ...instructionCases({
    program,
    name: 'withdrawObligationCollateralAndRedeemReserveCollateralV2',
    args: collateral,
    accounts: { withdrawAccounts, farmsAccounts, farmsProgram: FARMS },
    build: withdrawObligationCollateralAndRedeemReserveCollateralV2,
  }),
];
