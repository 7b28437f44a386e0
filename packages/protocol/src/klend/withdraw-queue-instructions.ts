import { u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** The withdraw queue of a reserve: collateral tokens wait in a vault of their owner until liquidity pays for them. */

/** `progressCallbackType` 0 is none, 1 the vault program. */
export const enqueueToWithdraw = instructionLayout(
  'enqueueToWithdraw',
  '8671a0cf5a4bd5db',
  { collateralAmount: u64, progressCallbackType: u8 },
  {
    owner: 'writable signer',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserve: 'writable',
    userSourceCollateralTa: 'writable',
    userDestinationLiquidityTa: 'readonly',
    reserveLiquidityMint: 'readonly',
    reserveCollateralMint: 'readonly',
    collateralTokenProgram: 'readonly',
    withdrawTicket: 'writable',
    ownerQueuedCollateralVault: 'writable',
    systemProgram: 'readonly',
    progressCallbackCustomAccount0: 'readonly?',
    progressCallbackCustomAccount1: 'readonly?',
    instructionSysvarAccount: 'readonly',
  },
);

/** Pays the ticket at the head of the queue. Permissionless. */
export const withdrawQueuedLiquidity = instructionLayout(
  'withdrawQueuedLiquidity',
  '4295bbc94abfae78',
  {},
  {
    payer: 'writable signer',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserve: 'writable',
    reserveLiquidityMint: 'readonly',
    reserveCollateralMint: 'writable',
    reserveLiquiditySupply: 'writable',
    ownerQueuedCollateralVault: 'writable',
    userDestinationLiquidity: 'writable',
    collateralTokenProgram: 'readonly',
    liquidityTokenProgram: 'readonly',
    withdrawTicket: 'writable',
    withdrawTicketOwner: 'writable',
    associatedTokenProgram: 'readonly',
    systemProgram: 'readonly',
    progressCallbackProgram: 'readonly?',
    progressCallbackCustomAccount0: 'readonly?',
    progressCallbackCustomAccount1: 'readonly?',
    instructionSysvarAccount: 'readonly',
  },
);

/** Returns collateral tokens of a ticket to its owner. An emptied ticket keeps its place until its turn. */
export const cancelWithdrawTicket = instructionLayout(
  'cancelWithdrawTicket',
  'b4537a2c78d32f16',
  { ticketSequenceNumber: u64, collateralAmountToCancel: u64 },
  {
    owner: 'signer',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserve: 'writable',
    reserveCollateralMint: 'readonly',
    ownerQueuedCollateralVault: 'writable',
    userDestinationCollateral: 'writable',
    collateralTokenProgram: 'readonly',
    withdrawTicket: 'writable',
  },
);

/** Returns the collateral tokens of a ticket whose destination could not be paid. Permissionless. */
export const recoverInvalidTicketCollateral = instructionLayout(
  'recoverInvalidTicketCollateral',
  '1c30b0669fced2f6',
  { ticketSequenceNumber: u64 },
  {
    payer: 'signer',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserve: 'readonly',
    reserveCollateralMint: 'readonly',
    ownerQueuedCollateralVault: 'writable',
    userSourceCollateral: 'writable',
    collateralTokenProgram: 'readonly',
    withdrawTicket: 'writable',
    withdrawTicketOwner: 'writable',
    instructionSysvarAccount: 'readonly',
  },
);
