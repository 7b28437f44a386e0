import { recoverInvalidTicketCollateral } from '@sluice/protocol/klend/withdraw-queue-instructions';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import type { Moment } from '../../domain/moment.ts';
import { collateralWorth } from '../../domain/ticket-payment.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import type { BuildWarning } from '../warnings.ts';
import { queueState, type TicketAccounts } from './accounts.ts';
import { blockedQueue, recoverRefusals, returnRefusals } from './refusals.ts';

/**
 * Returns the collateral tokens of an invalid ticket to its owner, and closes it. Anybody may do so; the payer of the fee also
 * opens the owner's account if it is absent.
 *
 * @example
 * buildRecovery(accounts, moment);
 */
export function buildRecovery(accounts: TicketAccounts, moment: Moment): BuiltAction {
  const { programs, wallet, payer, owner, reserve, collateral, symbol, ticket } = accounts;
  const { mintPubkey: mint } = reserve.collateral;
  return {
    amount: collateralWorth(queueState(accounts, moment).accrued, ticket.queuedCollateralAmount),
    all: true,
    wrappedSol: null,
    instructions: [
      instruction(
        createAssociatedTokenIdempotent,
        ASSOCIATED_TOKEN_PROGRAM,
        {
          payer,
          associatedToken: collateral.address,
          owner,
          mint,
          systemProgram: SYSTEM_PROGRAM,
          tokenProgram: TOKEN_PROGRAM,
        },
        {},
        {
          summary: `Create the owner's account for collateral tokens of the ${symbol} reserve unless it exists`,
          setup: true,
        },
      ),
      instruction(
        recoverInvalidTicketCollateral,
        programs.klend,
        {
          payer: wallet,
          lendingMarket: accounts.marketAddress,
          lendingMarketAuthority: accounts.marketAuthority,
          reserve: accounts.reserveAddress,
          reserveCollateralMint: mint,
          ownerQueuedCollateralVault: accounts.queuedVault,
          userSourceCollateral: collateral.address,
          collateralTokenProgram: TOKEN_PROGRAM,
          withdrawTicket: accounts.ticketAddress,
          withdrawTicketOwner: owner,
          instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
        },
        { ticketSequenceNumber: ticket.sequenceNumber },
        {
          summary: `Return the collateral tokens of the invalid ticket ${ticket.sequenceNumber} of the ${symbol} reserve`,
        },
      ),
    ],
  };
}

/** Warnings for a recovery: refusals only. */
export const recoverWarnings = (accounts: TicketAccounts): BuildWarning[] => [
  ...returnRefusals(accounts),
  ...recoverRefusals(accounts),
  ...blockedQueue(accounts, 'recover'),
];
