import { withdrawQueuedLiquidity } from '@sluice/protocol/klend/withdraw-queue-instructions';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import type { Moment } from '../../domain/moment.ts';
import { type QueueState, type TicketPayment, ticketPayment } from '../../domain/ticket-payment.ts';
import { type ActionOptions, type BuiltAction, instruction } from '../built-instruction.ts';
import { createTokenAccount, unwrapSol } from '../token-instructions.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { queueState, type TicketAccounts } from './accounts.ts';
import { destinationState } from './destination.ts';
import { blockedQueue, paymentRefusals, reopeningRefusal, switchedOff } from './refusals.ts';
import { amountInWords } from './words.ts';

/** What the turn of a ticket does: it is paid, in full or in part; closed because it is empty; or marked as invalid. */
export type Turn =
  | { readonly result: 'PAID'; readonly payment: TicketPayment }
  | { readonly result: 'CLOSED' | 'INVALID'; readonly payment: null };

export interface PayOutcome {
  readonly state: QueueState;
  readonly turn: Turn;
  /** Whether the program opens the destination, at the cost of the ticket. It then pays only whole tickets. */
  readonly reopens: boolean;
  /** Whether the build opens the destination before, at the cost of its payer. */
  readonly opensFirst: boolean;
}

/** The result of a payment under the program's rules, even if the program would reject it. */
export function payOutcome(accounts: TicketAccounts, moment: Moment): PayOutcome {
  const { wallet, owner, ticket, liquidity, reserve } = accounts;
  const state = queueState(accounts, moment);
  const closed = { state, reopens: false, opensFirst: false };
  if (ticket.queuedCollateralAmount === 0n) return { ...closed, turn: { result: 'CLOSED', payment: null } };
  const destination = destinationState(ticket.userDestinationLiquidityTa, accounts.destination, {
    owner,
    mint: reserve.liquidity.mintPubkey,
    tokenProgram: accounts.tokenProgram,
    associated: liquidity.address,
    extended: accounts.extended,
  });
  if (destination === 'UNPAYABLE') return { ...closed, turn: { result: 'INVALID', payment: null } };
  const payment = ticketPayment(state, ticket.queuedCollateralAmount);
  const isAbsent = destination === 'ABSENT';
  // The owner gets the rent of the ticket back, so the owner can pay for the account.
  const opensFirst = isAbsent && payment.left !== 0n && wallet === owner;
  return { state, turn: { result: 'PAID', payment }, reopens: isAbsent && !opensFirst, opensFirst };
}

/**
 * Pays the first ticket of a queue. Anybody may do so; the liquidity goes to the account that the owner named. An owner's
 * wrapped SOL is unwrapped with the last payment.
 *
 * @example
 * buildPayment(accounts, payOutcome(accounts, moment));
 */
export function buildPayment(
  accounts: TicketAccounts,
  { turn, opensFirst }: PayOutcome,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { programs, wallet, payer, owner, ticket, liquidity, reserve, tokenProgram, symbol } = accounts;
  const [callback0, callback1] = ticket.progressCallbackCustomAccounts;
  const ownSol = isOwnSol(accounts, turn);
  const closes = ownSol && (unwrap ?? turn.payment?.left === 0n);
  return {
    amount: turn.payment?.liquidity ?? 0n,
    all: false,
    wrappedSol: ownSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...(opensFirst
        ? [
            createTokenAccount(
              { wallet, payer },
              liquidity.address,
              reserve.liquidity.mintPubkey,
              tokenProgram,
              symbol,
            ),
          ]
        : []),
      instruction(
        withdrawQueuedLiquidity,
        programs.klend,
        {
          payer: wallet,
          lendingMarket: accounts.marketAddress,
          lendingMarketAuthority: accounts.marketAuthority,
          reserve: accounts.reserveAddress,
          reserveLiquidityMint: reserve.liquidity.mintPubkey,
          reserveCollateralMint: reserve.collateral.mintPubkey,
          reserveLiquiditySupply: reserve.liquidity.supplyVault,
          ownerQueuedCollateralVault: accounts.queuedVault,
          userDestinationLiquidity: ticket.userDestinationLiquidityTa,
          collateralTokenProgram: TOKEN_PROGRAM,
          liquidityTokenProgram: tokenProgram,
          withdrawTicket: accounts.ticketAddress,
          withdrawTicketOwner: owner,
          associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
          systemProgram: SYSTEM_PROGRAM,
          // The stored accounts of a ticket without a callback are the address of the system program, as the SDK passes it.
          progressCallbackProgram: hasCallback(accounts) ? programs.kvault : SYSTEM_PROGRAM,
          progressCallbackCustomAccount0: callback0 ?? SYSTEM_PROGRAM,
          progressCallbackCustomAccount1: callback1 ?? SYSTEM_PROGRAM,
          instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
        },
        {},
        { summary: summaryOf(accounts, turn) },
      ),
      ...(closes ? [unwrapSol(wallet, liquidity.address)] : []),
    ],
  };
}

const hasCallback = ({ ticket }: TicketAccounts) => ticket.progressCallbackType !== 0;

/** Whether the wallet itself receives wrapped SOL, in its associated account. */
function isOwnSol({ isSol, wallet, owner, ticket, liquidity }: TicketAccounts, turn: Turn): boolean {
  const isOwn = wallet === owner && ticket.userDestinationLiquidityTa === liquidity.address;
  return isSol && isOwn && turn.result === 'PAID';
}

function summaryOf(accounts: TicketAccounts, turn: Turn): string {
  const name = `ticket ${accounts.ticket.sequenceNumber} of the ${accounts.symbol} reserve`;
  if (turn.payment === null) {
    return turn.result === 'CLOSED'
      ? `Close the cancelled ${name}`
      : `Pass over ${name}, which cannot be paid`;
  }
  return `Pay ${amountInWords(accounts, turn.payment.liquidity)} for ${name}`;
}

/** Warnings for a payment, refusals first. */
export function payWarnings(
  accounts: TicketAccounts,
  { turn, reopens }: PayOutcome,
  built: BuiltAction,
): BuildWarning[] {
  const { payment } = turn;
  return [
    ...blockedQueue(accounts, 'pay'),
    ...switchedOff(accounts, 'pay'),
    ...(payment === null ? [] : paymentRefusals(accounts, payment.refusal)),
    ...(payment !== null && hasCallback(accounts) ? [callbackRefusal()] : []),
    ...(payment !== null && reopens && payment.left !== 0n ? [reopeningRefusal()] : []),
    ...(turn.result === 'INVALID' ? [unpayable(accounts)] : []),
    ...wrappedSolWarnings(
      accounts.liquidity,
      built.wrappedSol,
      'The payment stays wrapped SOL in the wallet until the ticket is paid in full.',
    ),
  ];
}

function callbackRefusal(): BuildWarning {
  const message =
    'The ticket reports its payments to the vault program, whose deployed version does not take the report.';
  return warning('ACTION_NOT_ALLOWED', message);
}

function unpayable({ ticket }: TicketAccounts): BuildWarning {
  const message = `The account ${ticket.userDestinationLiquidityTa} cannot be paid: it is closed, frozen, delegated or of somebody else. The transaction only passes over the ticket; recover its collateral tokens afterwards with buildRecoverWithdrawTicket.`;
  return warning('TICKET_UNPAYABLE', message);
}
