import { cancelWithdrawTicket } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/cancelWithdrawTicket.js';
import {
  type EnqueueToWithdrawAccounts,
  enqueueToWithdraw,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/enqueueToWithdraw.js';
import { recoverInvalidTicketCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/recoverInvalidTicketCollateral.js';
import { withdrawQueuedLiquidity } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/withdrawQueuedLiquidity.js';
import { ProgressCallbackType } from '@kamino-finance/klend-sdk/dist/@codegen/klend/types/index.js';
import type BN from 'bn.js';
import { SYSTEM_PROGRAM, SYSVAR_INSTRUCTIONS, TOKEN_PROGRAM } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { amounts, noArgs } from './arguments.ts';
import { instructionCases, type Remaining, withoutArgs } from './template.ts';

const program = 'klend';

/** The SDK takes the kind of callback as an object; the vector has its number. */
const enqueue = (
  { collateralAmount }: { readonly collateralAmount: BN; readonly progressCallbackType: number },
  accounts: EnqueueToWithdrawAccounts,
  remaining: Remaining,
) =>
  enqueueToWithdraw(
    { collateralAmount, progressCallbackType: new ProgressCallbackType.None() },
    accounts,
    remaining,
  );

/** The withdraw queue of a reserve. */
export const klendQueueCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'enqueueToWithdraw',
    args: amounts.map((collateralAmount) => ({ collateralAmount, progressCallbackType: 0 })),
    accounts: {
      owner: 'signer',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserve: 'account',
      userSourceCollateralTa: 'account',
      userDestinationLiquidityTa: 'account',
      reserveLiquidityMint: 'account',
      reserveCollateralMint: 'account',
      collateralTokenProgram: TOKEN_PROGRAM,
      withdrawTicket: 'account',
      ownerQueuedCollateralVault: 'account',
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackCustomAccount0: 'optional',
      progressCallbackCustomAccount1: 'optional',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: enqueue,
  }),
  ...instructionCases({
    program,
    name: 'withdrawQueuedLiquidity',
    args: noArgs,
    accounts: {
      payer: 'signer',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserve: 'account',
      reserveLiquidityMint: 'account',
      reserveCollateralMint: 'account',
      reserveLiquiditySupply: 'account',
      ownerQueuedCollateralVault: 'account',
      userDestinationLiquidity: 'account',
      collateralTokenProgram: TOKEN_PROGRAM,
      liquidityTokenProgram: TOKEN_PROGRAM,
      withdrawTicket: 'account',
      withdrawTicketOwner: 'account',
      associatedTokenProgram: 'account',
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackProgram: 'optional',
      progressCallbackCustomAccount0: 'optional',
      progressCallbackCustomAccount1: 'optional',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: withoutArgs(withdrawQueuedLiquidity),
  }),
  ...instructionCases({
    program,
    name: 'cancelWithdrawTicket',
    args: amounts.map((collateralAmountToCancel, i) => ({
      ticketSequenceNumber: bn([0n, 1n, 1_042n, 1n << 40n, (1n << 64n) - 1n][i] ?? 0n),
      collateralAmountToCancel,
    })),
    accounts: {
      owner: 'signer',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserve: 'account',
      reserveCollateralMint: 'account',
      ownerQueuedCollateralVault: 'account',
      userDestinationCollateral: 'account',
      collateralTokenProgram: TOKEN_PROGRAM,
      withdrawTicket: 'account',
    },
    build: cancelWithdrawTicket,
  }),
  ...instructionCases({
    program,
    name: 'recoverInvalidTicketCollateral',
    args: amounts.map((ticketSequenceNumber) => ({ ticketSequenceNumber })),
    accounts: {
      payer: 'signer',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserve: 'account',
      reserveCollateralMint: 'account',
      ownerQueuedCollateralVault: 'account',
      userSourceCollateral: 'account',
      collateralTokenProgram: TOKEN_PROGRAM,
      withdrawTicket: 'account',
      withdrawTicketOwner: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: recoverInvalidTicketCollateral,
  }),
];
