import { publicKey, u8, u32 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Settings, rollovers and ownership of an obligation. */

/**
 * `mode` is the setting of a borrow's rollover: 0 enabled, 1 highest rate, 2 shortest term, 3 open term allowed,
 * 4 migration to fixed enabled, 5 window in days. The value, `valueLength` bytes, follows.
 */
export const updateObligationConfig = instructionLayout(
  'updateObligationConfig',
  '5298d545fa009dbc',
  { mode: u8, valueLength: u32 },
  {
    owner: 'signer',
    obligation: 'writable',
    borrowReserve: 'readonly?',
    depositReserve: 'readonly?',
    lendingMarket: 'readonly',
  },
);

/** Moves a debt to another reserve of its token, or starts its term anew when both reserves are one. Permissionless. */
export const rolloverFixedTermBorrow = instructionLayout(
  'rolloverFixedTermBorrow',
  '551e9be1e0ba8d94',
  {},
  {
    payer: 'signer',
    obligation: 'writable',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    sourceBorrowReserve: 'writable',
    targetBorrowReserve: 'writable',
    liquidityMint: 'readonly',
    sourceBorrowReserveLiquidity: 'writable',
    targetBorrowReserveLiquidity: 'writable',
    tokenProgram: 'readonly',
    sourceObligationFarmUserState: 'writable?',
    sourceReserveFarmState: 'writable?',
    targetObligationFarmUserState: 'writable?',
    targetReserveFarmState: 'writable?',
    farmsProgram: 'readonly',
  },
);

export const initiateObligationOwnershipTransfer = instructionLayout(
  'initiateObligationOwnershipTransfer',
  '7f2a51da93ab4c99',
  { newOwner: publicKey },
  { owner: 'signer', obligation: 'writable', instructionSysvarAccount: 'readonly' },
);

export const approveObligationOwnershipTransfer = instructionLayout(
  'approveObligationOwnershipTransfer',
  '3de3e72ec47c3ca1',
  {},
  {
    globalAdmin: 'signer',
    globalConfig: 'readonly',
    obligation: 'writable',
    pendingOwner: 'readonly',
    instructionSysvarAccount: 'readonly',
  },
);

export const acceptObligationOwnership = instructionLayout(
  'acceptObligationOwnership',
  'f98246b097bbef06',
  {},
  { pendingOwner: 'signer', obligation: 'writable', instructionSysvarAccount: 'readonly' },
);

export const abortObligationOwnershipTransfer = instructionLayout(
  'abortObligationOwnershipTransfer',
  '67d95341a405c3e3',
  {},
  { owner: 'signer', obligation: 'writable', instructionSysvarAccount: 'readonly' },
);
