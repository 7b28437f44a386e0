import { flashBorrowReserveLiquidity } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/flashBorrowReserveLiquidity.js';
import { flashRepayReserveLiquidity } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/flashRepayReserveLiquidity.js';
import { SYSVAR_INSTRUCTIONS, TOKEN_PROGRAM } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { amounts } from './arguments.ts';
import { instructionCases } from './template.ts';

const program = 'klend';

/** Flash loans: the borrow and its repayment, which names the borrow by its position. */
export const klendFlashCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'flashBorrowReserveLiquidity',
    args: amounts.map((liquidityAmount) => ({ liquidityAmount })),
    accounts: {
      userTransferAuthority: 'signer',
      lendingMarketAuthority: 'account',
      lendingMarket: 'account',
      reserve: 'account',
      reserveLiquidityMint: 'account',
      reserveSourceLiquidity: 'account',
      userDestinationLiquidity: 'account',
      reserveLiquidityFeeReceiver: 'account',
      referrerTokenState: 'optional',
      referrerAccount: 'optional',
      sysvarInfo: SYSVAR_INSTRUCTIONS,
      tokenProgram: TOKEN_PROGRAM,
    },
    build: flashBorrowReserveLiquidity,
  }),
  ...instructionCases({
    program,
    name: 'flashRepayReserveLiquidity',
    args: amounts.map((liquidityAmount, i) => ({
      liquidityAmount,
      borrowInstructionIndex: [0, 1, 5, 64, 255][i] ?? 0,
    })),
    accounts: {
      userTransferAuthority: 'signer',
      lendingMarketAuthority: 'account',
      lendingMarket: 'account',
      reserve: 'account',
      reserveLiquidityMint: 'account',
      reserveDestinationLiquidity: 'account',
      userSourceLiquidity: 'account',
      reserveLiquidityFeeReceiver: 'account',
      referrerTokenState: 'optional',
      referrerAccount: 'optional',
      sysvarInfo: SYSVAR_INSTRUCTIONS,
      tokenProgram: TOKEN_PROGRAM,
    },
    build: flashRepayReserveLiquidity,
  }),
];
