import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Exchange of liquidity and collateral tokens of one reserve, without an obligation. The vault program calls them. */

export const depositReserveLiquidity = instructionLayout(
  'depositReserveLiquidity',
  'a9c91e7e06cd6644',
  { liquidityAmount: u64 },
  {
    owner: 'signer',
    reserve: 'writable',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserveLiquidityMint: 'readonly',
    reserveLiquiditySupply: 'writable',
    reserveCollateralMint: 'writable',
    userSourceLiquidity: 'writable',
    userDestinationCollateral: 'writable',
    collateralTokenProgram: 'readonly',
    liquidityTokenProgram: 'readonly',
    instructionSysvarAccount: 'readonly',
  },
);

export const redeemReserveCollateral = instructionLayout(
  'redeemReserveCollateral',
  'ea75b57db98edc1d',
  { collateralAmount: u64 },
  {
    owner: 'signer',
    lendingMarket: 'readonly',
    reserve: 'writable',
    lendingMarketAuthority: 'readonly',
    reserveLiquidityMint: 'readonly',
    reserveCollateralMint: 'writable',
    reserveLiquiditySupply: 'writable',
    userSourceCollateral: 'writable',
    userDestinationLiquidity: 'writable',
    collateralTokenProgram: 'readonly',
    liquidityTokenProgram: 'readonly',
    instructionSysvarAccount: 'readonly',
  },
);
