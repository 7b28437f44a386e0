import { u8, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** A loan that the same transaction repays. Both instructions must name the same accounts in the same order. */

const flashAccounts = {
  userTransferAuthority: 'signer',
  lendingMarketAuthority: 'readonly',
  lendingMarket: 'readonly',
  reserve: 'writable',
  reserveLiquidityMint: 'readonly',
  /** The supply vault of the reserve, which pays the loan and receives it back. */
  reserveLiquiditySupply: 'writable',
  /** The token account that receives the loan and repays it. */
  userLiquidity: 'writable',
  reserveLiquidityFeeReceiver: 'writable',
  referrerTokenState: 'writable?',
  referrerAccount: 'writable?',
  instructionSysvarAccount: 'readonly',
  tokenProgram: 'readonly',
} as const;

export const flashBorrow = instructionLayout(
  'flashBorrowReserveLiquidity',
  '87e734a70734d4c1',
  { liquidityAmount: u64 },
  flashAccounts,
);

/** Repays the amount of the borrow at `borrowInstructionIndex` of the transaction, and the flash loan fee. */
export const flashRepay = instructionLayout(
  'flashRepayReserveLiquidity',
  'b97500cb60f5b4ba',
  { liquidityAmount: u64, borrowInstructionIndex: u8 },
  flashAccounts,
);
