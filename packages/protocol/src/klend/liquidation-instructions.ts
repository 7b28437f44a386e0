import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** A liquidator repays part of an unhealthy debt and receives collateral plus a bonus. Decoded, never built. */

const liquidationArgs = {
  /** Maximum that the liquidator repays. */
  liquidityAmount: u64,
  minAcceptableReceivedLiquidityAmount: u64,
  maxAllowedLtvOverridePercent: u64,
} as const;

const liquidationAccounts = {
  liquidator: 'signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  repayReserve: 'writable',
  repayReserveLiquidityMint: 'readonly',
  repayReserveLiquiditySupply: 'writable',
  withdrawReserve: 'writable',
  withdrawReserveLiquidityMint: 'readonly',
  withdrawReserveCollateralMint: 'writable',
  withdrawReserveCollateralSupply: 'writable',
  withdrawReserveLiquiditySupply: 'writable',
  withdrawReserveLiquidityFeeReceiver: 'writable',
  userSourceLiquidity: 'writable',
  userDestinationCollateral: 'writable',
  userDestinationLiquidity: 'writable',
  collateralTokenProgram: 'readonly',
  repayLiquidityTokenProgram: 'readonly',
  withdrawLiquidityTokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

export const liquidateV1 = instructionLayout(
  'liquidateObligationAndRedeemReserveCollateral',
  'b1479abce2854a37',
  liquidationArgs,
  liquidationAccounts,
);

/** Remaining accounts: the obligation's deposit reserves, writable. */
export const liquidateV2 = instructionLayout(
  'liquidateObligationAndRedeemReserveCollateralV2',
  'a2a1238f1ebbb967',
  liquidationArgs,
  {
    ...liquidationAccounts,
    collateralObligationFarmUserState: 'writable?',
    collateralReserveFarmState: 'writable?',
    debtObligationFarmUserState: 'writable?',
    debtReserveFarmState: 'writable?',
    farmsProgram: 'readonly',
  },
);
