import { cancelWithdrawTicket } from '@sluice/protocol/klend/withdraw-queue-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Moment } from '../../domain/moment.ts';
import { collateralWorth, type QueueState } from '../../domain/ticket-payment.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import { collateralFor } from '../lending/terms.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { queueState, type TicketAccounts } from './accounts.ts';
import { blockedQueue, cancelRefusals, returnRefusals, switchedOff, tooSmall } from './refusals.ts';
import { amountInWords, collateralInWords } from './words.ts';

/** A cancellation under the program's rules, even if the program would reject it. Base units. */
export interface CancelOutcome {
  readonly state: QueueState;
  /** Collateral tokens that were asked for; the maximum for all. */
  readonly asked: bigint;
  /** Collateral tokens that return to the owner. */
  readonly returned: bigint;
  readonly left: bigint;
  /** Base units of the reserve's token that were asked for, with "all" resolved. */
  readonly amount: bigint;
}

/**
 * Collateral tokens are rounded up, so that they are worth the amount.
 *
 * @throws BUILD_REFUSED for a ticket of another wallet
 */
export function cancelOutcome(accounts: TicketAccounts, amount: Amount, moment: Moment): CancelOutcome {
  const { wallet, owner, ticketAddress, ticket } = accounts;
  if (owner !== wallet) {
    const reason = `ticket ${ticketAddress} belongs to ${owner}, who alone can cancel it; the program would answer 6005 InvalidSigner`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  const state = queueState(accounts, moment);
  const held = ticket.queuedCollateralAmount;
  const isAll = amount === 'all';
  const asked = isAll ? U64_MAX : lesser(collateralFor(state.accrued, amount), U64_MAX);
  const returned = lesser(asked, held);
  const value = isAll ? collateralWorth(state.accrued, returned) : amount;
  return { state, asked, returned, left: held - returned, amount: value };
}

/**
 * Cancels a ticket, or a part of it: collateral tokens return to the wallet. An emptied ticket stays in the queue until its
 * turn. "All" is what the ticket holds at execution.
 *
 * @example
 * buildCancellation(accounts, cancelOutcome(accounts, 'all', moment), 'all');
 */
export function buildCancellation(
  accounts: TicketAccounts,
  outcome: CancelOutcome,
  asked: Amount,
): BuiltAction {
  const { programs, wallet, payer, reserve, collateral, symbol, ticket } = accounts;
  const { mintPubkey } = reserve.collateral;
  const what =
    asked === 'all'
      ? `ticket ${ticket.sequenceNumber}`
      : `${amountInWords(accounts, asked)} of ticket ${ticket.sequenceNumber}`;
  return {
    amount: outcome.amount,
    all: asked === 'all',
    wrappedSol: null,
    instructions: [
      createTokenAccount(
        { wallet, payer },
        collateral.address,
        mintPubkey,
        TOKEN_PROGRAM,
        `collateral tokens of the ${symbol} reserve`,
      ),
      instruction(
        cancelWithdrawTicket,
        programs.klend,
        {
          owner: wallet,
          lendingMarket: accounts.marketAddress,
          lendingMarketAuthority: accounts.marketAuthority,
          reserve: accounts.reserveAddress,
          reserveCollateralMint: mintPubkey,
          ownerQueuedCollateralVault: accounts.queuedVault,
          userDestinationCollateral: collateral.address,
          collateralTokenProgram: TOKEN_PROGRAM,
          withdrawTicket: accounts.ticketAddress,
        },
        { ticketSequenceNumber: ticket.sequenceNumber, collateralAmountToCancel: outcome.asked },
        { summary: `Cancel ${what} in the withdraw queue of the ${symbol} reserve` },
      ),
    ],
  };
}

/** Warnings for a cancellation, refusals first. */
export function cancelWarnings(
  accounts: TicketAccounts,
  outcome: CancelOutcome,
  asked: Amount,
): BuildWarning[] {
  const { state, left } = outcome;
  const lasting = cancelRefusals(accounts);
  return [
    ...returnRefusals(accounts),
    ...lasting,
    ...blockedQueue(accounts, 'cancel'),
    ...switchedOff(accounts, 'cancel'),
    ...(left === 0n ? [] : tooSmall(state, left, 'The rest of the ticket')),
    ...(asked === 'all' || lasting.length > 0 ? [] : abovePosition(accounts, outcome)),
  ];
}

function abovePosition(accounts: TicketAccounts, { asked }: CancelOutcome): BuildWarning[] {
  const held = accounts.ticket.queuedCollateralAmount;
  if (asked <= held) return [];
  const message = `The ticket holds only ${collateralInWords(accounts, held)}; no more than that returns.`;
  return [warning('ABOVE_POSITION', message)];
}
