import { PROGRAM_ID as FARMS } from '@kamino-finance/farms-sdk/dist/@codegen/farms/programId.js';
import { depositAndWithdraw } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/depositAndWithdraw.js';
import { depositObligationCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/depositObligationCollateral.js';
import { depositObligationCollateralV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/depositObligationCollateralV2.js';
import { liquidateObligationAndRedeemReserveCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/liquidateObligationAndRedeemReserveCollateral.js';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/liquidateObligationAndRedeemReserveCollateralV2.js';
import { repayAndWithdrawAndRedeem } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/repayAndWithdrawAndRedeem.js';
import { withdrawObligationCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/withdrawObligationCollateral.js';
import { withdrawObligationCollateralV2 } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/withdrawObligationCollateralV2.js';
import { SYSVAR_INSTRUCTIONS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, U64_MAX } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { amounts, nothing, writable } from './arguments.ts';
import { depositAccounts, farmsAccounts, repayAccounts, withdrawAccounts } from './klend-lending.ts';
import { instructionCases } from './template.ts';

const program = 'klend';
const collateral = amounts.map((collateralAmount) => ({ collateralAmount }));
const liquidation = [
  {
    liquidityAmount: bn(1),
    minAcceptableReceivedLiquidityAmount: bn(2),
    maxAllowedLtvOverridePercent: bn(3),
  },
  {
    liquidityAmount: bn(U64_MAX),
    minAcceptableReceivedLiquidityAmount: bn(0),
    maxAllowedLtvOverridePercent: bn(0),
  },
];

const depositCollateralAccounts = {
  owner: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  depositReserve: 'account',
  reserveDestinationCollateral: 'account',
  userSourceCollateral: 'account',
  tokenProgram: TOKEN_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

const withdrawCollateralAccounts = {
  owner: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  lendingMarketAuthority: 'account',
  withdrawReserve: 'account',
  reserveSourceCollateral: 'account',
  userDestinationCollateral: 'account',
  tokenProgram: TOKEN_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

const liquidationAccounts = {
  liquidator: 'signer',
  obligation: 'account',
  lendingMarket: 'account',
  lendingMarketAuthority: 'account',
  repayReserve: 'account',
  repayReserveLiquidityMint: 'account',
  repayReserveLiquiditySupply: 'account',
  withdrawReserve: 'account',
  withdrawReserveLiquidityMint: 'account',
  withdrawReserveCollateralMint: 'account',
  withdrawReserveCollateralSupply: 'account',
  withdrawReserveLiquiditySupply: 'account',
  withdrawReserveLiquidityFeeReceiver: 'account',
  userSourceLiquidity: 'account',
  userDestinationCollateral: 'account',
  userDestinationLiquidity: 'account',
  collateralTokenProgram: TOKEN_PROGRAM,
  repayLiquidityTokenProgram: TOKEN_PROGRAM,
  withdrawLiquidityTokenProgram: TOKEN_2022_PROGRAM,
  instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
} as const;

export const klendPositionCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'depositObligationCollateral',
    args: collateral,
    accounts: depositCollateralAccounts,
    build: depositObligationCollateral,
  }),
  ...instructionCases({
    program,
    name: 'depositObligationCollateralV2',
    args: collateral.slice(0, 3),
    accounts: {
      depositAccounts: depositCollateralAccounts,
      lendingMarketAuthority: 'account',
      farmsAccounts,
      farmsProgram: FARMS,
    },
    build: depositObligationCollateralV2,
  }),
  ...instructionCases({
    program,
    name: 'withdrawObligationCollateral',
    args: collateral,
    accounts: withdrawCollateralAccounts,
    build: withdrawObligationCollateral,
  }),
  ...instructionCases({
    program,
    name: 'withdrawObligationCollateralV2',
    args: collateral.slice(0, 3),
    accounts: { withdrawAccounts: withdrawCollateralAccounts, farmsAccounts, farmsProgram: FARMS },
    build: withdrawObligationCollateralV2,
  }),
  ...instructionCases({
    program,
    name: 'repayAndWithdrawAndRedeem',
    args: [{ repayAmount: bn(7), withdrawCollateralAmount: bn(U64_MAX) }],
    accounts: {
      repayAccounts,
      withdrawAccounts,
      collateralFarmsAccounts: farmsAccounts,
      debtFarmsAccounts: farmsAccounts,
      farmsProgram: FARMS,
    },
    build: repayAndWithdrawAndRedeem,
  }),
  ...instructionCases({
    program,
    name: 'depositAndWithdraw',
    args: [{ liquidityAmount: bn(7), withdrawCollateralAmount: bn(U64_MAX) }],
    accounts: {
      depositAccounts,
      withdrawAccounts,
      depositFarmsAccounts: farmsAccounts,
      withdrawFarmsAccounts: farmsAccounts,
      farmsProgram: FARMS,
    },
    build: depositAndWithdraw,
  }),
  ...instructionCases({
    program,
    name: 'liquidateObligationAndRedeemReserveCollateral',
    args: liquidation,
    accounts: liquidationAccounts,
    remaining: [nothing, writable(2)],
    build: liquidateObligationAndRedeemReserveCollateral,
  }),
  ...instructionCases({
    program,
    name: 'liquidateObligationAndRedeemReserveCollateralV2',
    args: liquidation,
    accounts: {
      liquidationAccounts,
      collateralFarmsAccounts: farmsAccounts,
      debtFarmsAccounts: farmsAccounts,
      farmsProgram: FARMS,
    },
    remaining: [nothing, writable(2)],
    build: liquidateObligationAndRedeemReserveCollateralV2,
  }),
];
