import {
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { type WithdrawTicket, withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { type ProgramIds, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { headTicket, ticketsBefore } from '../../domain/ticket-payment.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { liquidityTokenProgram, marketAt, reserveAt } from '../lending/request.ts';
import { checkDecimals, distinct, namedAccount, type ReadAccounts } from '../read-accounts.ts';

/** The wallet's associated account of collateral tokens. */
export const collateralAccount = (owner: Address, { collateral }: Reserve): Address =>
  associatedTokenAddress(owner, TOKEN_PROGRAM, collateral.mintPubkey).address;

/** The wallet's associated account of the reserve's token. */
export const liquidityAccount = (owner: Address, reserve: Reserve): Address =>
  associatedTokenAddress(owner, liquidityTokenProgram(reserve), reserve.liquidity.mintPubkey).address;

/** The accounts of an owner in the queue of a reserve. */
export function ownerReads(
  { klend }: ProgramIds,
  owner: Address,
  address: Address,
  reserve: Reserve,
): Address[] {
  const isExtended = liquidityTokenProgram(reserve) === TOKEN_2022_PROGRAM;
  return distinct([
    address,
    reserve.lendingMarket,
    ownerQueuedCollateralVault(klend, address, owner).address,
    collateralAccount(owner, reserve),
    liquidityAccount(owner, reserve),
    // The program refuses some extensions of a mint.
    isExtended ? reserve.liquidity.mintPubkey : null,
  ]);
}

/** A reserve named by a request. @throws KLEND_MARKET_NOT_FOUND, KLEND_RESERVE_NOT_FOUND, or RESERVE_NOT_IN_MARKET */
export function queueReserve(
  read: ReadAccounts,
  { klend }: ProgramIds,
  address: Address,
  market: Address | null,
): Reserve {
  if (market !== null) marketAt(read, market, klend);
  const reserve = reserveAt(read, address, klend);
  checkDecimals('Reserve', address, reserve.liquidity.mintDecimals);
  if (market === null || reserve.lendingMarket === market) return reserve;
  const context = { reserve: address, market, actual: reserve.lendingMarket };
  throw new SluiceError('RESERVE_NOT_IN_MARKET', context);
}

/** A requested action on a ticket, before any account is read. */
export interface TicketRequest {
  readonly programs: ProgramIds;
  /** Signer and fee payer; the owner of the ticket if the action demands that. */
  readonly wallet: Address;
  /** The ticket, or the reserve whose first ticket it is. */
  readonly subject: { readonly ticket: Address } | QueueHead;
}

/** The first ticket of a reserve. */
export interface QueueHead {
  readonly market: Address;
  readonly reserve: Address;
  /** The ticket that the caller expects to be the first; null for any. */
  readonly expected: Address | null;
}

export interface FoundTicket {
  readonly address: Address;
  readonly ticket: WithdrawTicket;
}

/** Accounts to read in the first round. */
export function firstTicketReads({ wallet, subject }: TicketRequest): Address[] {
  return 'ticket' in subject
    ? distinct([wallet, subject.ticket])
    : distinct([wallet, subject.market, subject.reserve, subject.expected]);
}

/** @throws KLEND_TICKET_NOT_FOUND */
export function ticketAt(read: ReadAccounts, { klend }: ProgramIds, address: Address): WithdrawTicket {
  const notFound = (cause?: unknown) =>
    new SluiceError('KLEND_TICKET_NOT_FOUND', { ticket: address }, { cause });
  return namedAccount(read, address, withdrawTicket, klend, notFound);
}

/** Address of the first ticket of a queue. @throws BUILD_REFUSED when none waits, or when it is not the expected one */
export function headAddress(
  programs: ProgramIds,
  { reserve: address, expected }: QueueHead,
  reserve: Reserve,
  read: ReadAccounts,
): Address {
  const number = headTicket(reserve);
  if (number === null) throw refused(`no ticket waits in the withdraw queue of reserve ${address}`);
  const head = ticketAddress(programs.klend, address, number).address;
  if (expected === null || expected === head) return head;
  const ticket = ticketAt(read, programs, expected);
  if (ticket.reserve !== address) {
    throw refused(`ticket ${expected} is in the queue of reserve ${ticket.reserve}, not ${address}`);
  }
  const ahead = ticketsBefore(reserve, ticket.sequenceNumber);
  if (ahead === null) {
    throw refused(`the turn of ticket ${expected} is over; the program pays only the first one, ${head}`);
  }
  throw refused(
    `ticket ${expected} is not the first of its queue: ${ahead} ${ahead === 1n ? 'ticket is' : 'tickets are'} ahead of it, and the program pays only the first one, ${head}`,
  );
}

const refused = (reason: string) => new SluiceError('BUILD_REFUSED', { reason });
