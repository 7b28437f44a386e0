import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Moment } from '../../domain/moment.ts';
import { freelyAvailableUnits } from '../../domain/reserve.ts';
import { collateralWorth, type QueueState } from '../../domain/ticket-payment.ts';
import { collateralOutcome, type LendingOutcome } from '../lending/preview.ts';
import { blocked, collateralRefusals } from '../lending/refusals.ts';
import { abovePosition, healthAfter, pricesOf } from '../lending/warnings.ts';
import { SOL_DECIMALS } from '../token-instructions.ts';
import { balanceWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { queueState } from './accounts.ts';
import type { NewTicket } from './enqueue.ts';
import type { EnqueueAccounts } from './enqueue-accounts.ts';
import {
  blockedQueue,
  collateralBalance,
  destinationRefusals,
  extensionRefusals,
  refusal,
  roundsToNothing,
  switchedOff,
  tooSmall,
} from './refusals.ts';
import { amountInWords } from './words.ts';

/** The result of an entry into the queue under the program's rules, even if the program would reject it. */
export interface EnqueueOutcome {
  readonly state: QueueState;
  /** The withdrawal from the obligation; null when the wallet holds the collateral tokens. */
  readonly position: LendingOutcome | null;
  readonly rent: TicketRent;
}

/** Lamports that the owner pays for a ticket, whoever pays the fee. */
export interface TicketRent {
  /** Rent of the ticket itself. It returns when the ticket is closed, as does the reopening. */
  readonly ticket: bigint;
  /** Prepaid for whoever must open the destination again to pay the ticket. */
  readonly reopening: bigint;
  /** Rent of the owner's vault of queued collateral, which stays open; 0 when it is. */
  readonly vault: bigint;
}

/** The program prepays the largest token account that the destination could become. */
const LARGEST_TOKEN_ACCOUNT_BYTES = 1_000;

export function enqueueOutcome(accounts: EnqueueAccounts, ticket: NewTicket, moment: Moment): EnqueueOutcome {
  const { position, hasQueuedVault } = accounts;
  const outcome = position && collateralOutcome(position, ticket.collateral, ticket.amount, moment);
  const state = queueState(accounts, moment);
  const priceUsd = outcome?.before.reserves(accounts.reserveAddress)?.priceUsd;
  return {
    // Taking collateral out of an obligation refreshes the price before.
    state: priceUsd ? { ...state, priceSf: toScaledFraction(priceUsd) } : state,
    position: outcome,
    rent: {
      ticket: rentExemptLamports(withdrawTicket.size),
      reopening: rentExemptLamports(LARGEST_TOKEN_ACCOUNT_BYTES),
      vault: hasQueuedVault ? 0n : rentExemptLamports(TOKEN_ACCOUNT_BYTES),
    },
  };
}

export const totalRent = ({ ticket, reopening, vault }: TicketRent): bigint => ticket + reopening + vault;

/** Warnings for an entry into the queue, refusals first. */
export function enqueueWarnings(
  accounts: EnqueueAccounts,
  ticket: NewTicket,
  outcome: EnqueueOutcome,
  moment: Moment,
): BuildWarning[] {
  const { position, collateral, symbol, walletLamports } = accounts;
  const { state, rent } = outcome;
  const stuck = position && outcome.position ? blocked(position, outcome.position, moment) : [];
  return [
    ...stuck,
    ...withdrawalRefusals(accounts, outcome, moment),
    ...destinationRefusals(accounts),
    // A market or reserve in emergency mode stops the withdrawal already.
    ...(stuck.length > 0 ? [] : blockedQueue(accounts, 'enqueue')),
    ...extensionRefusals(accounts),
    ...switchedOff(accounts, 'enqueue'),
    ...(ticket.collateral === 0n ? [roundsToNothing()] : tooSmall(state, ticket.collateral, 'The ticket')),
    ...(position === null
      ? collateralBalance(collateral, ticket.collateral, symbol, COLLATERAL_DECIMALS)
      : []),
    ...balanceWarnings(walletLamports, totalRent(rent), SOL_DECIMALS, 'SOL for rent'),
    ...positionWarnings(accounts, ticket, outcome),
    ...rentFromWallet(accounts),
    ...notNeeded(accounts, ticket, state),
    ...wrappedSol(accounts),
  ];
}

/** Why the amount of collateral cannot leave the obligation. */
function withdrawalRefusals(
  { position }: EnqueueAccounts,
  { position: outcome }: EnqueueOutcome,
  moment: Moment,
): BuildWarning[] {
  if (position === null || outcome === null) return [];
  const isRedeemedOnly = position.reserve.config.blockCtokenUsage !== 0;
  return [
    ...pricesOf(position, outcome, moment),
    ...(isRedeemedOnly ? [refusal('CTokenUsageBlocked', 'ACTION_NOT_ALLOWED')] : []),
    ...collateralRefusals(position, outcome, false),
  ];
}

function positionWarnings(
  { position }: EnqueueAccounts,
  { isAll }: NewTicket,
  { position: outcome }: EnqueueOutcome,
): BuildWarning[] {
  if (position === null || outcome === null) return [];
  return [...(isAll ? [] : abovePosition(position, outcome)), ...healthAfter(outcome)];
}

function rentFromWallet({ wallet, payer }: EnqueueAccounts): BuildWarning[] {
  if (wallet === payer) return [];
  const message =
    'The wallet pays the rent of the ticket and of its vault, because the lending program accepts no other payer.';
  return [warning('RENT_FROM_WALLET', message)];
}

/** The queue is for reserves without liquidity: its ticket costs rent, and another transaction must pay it. */
function notNeeded(
  accounts: EnqueueAccounts,
  { collateral }: NewTicket,
  { accrued }: QueueState,
): BuildWarning[] {
  const free = freelyAvailableUnits(accrued);
  if (accounts.position === null || collateral === 0n || free < collateralWorth(accrued, collateral))
    return [];
  const message = `The reserve has ${amountInWords(accounts, free)} available: buildLendingWithdraw pays at once and needs no ticket.`;
  return [warning('QUEUE_NOT_NEEDED', message)];
}

function wrappedSol({ isSol }: EnqueueAccounts): BuildWarning[] {
  if (!isSol) return [];
  const message =
    "The ticket is paid in wrapped SOL, into the wallet's account for it. Unwrap it after the payment; buildWithdrawQueued of the owner does so.";
  return [warning('WSOL_LEFT_OVER', message)];
}
