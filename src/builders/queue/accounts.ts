import {
  marketAuthority,
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { WithdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import {
  type ProgramIds,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import type { Mint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { QueueState } from '../../domain/ticket-payment.ts';
import type { StepContext } from '../action.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { liquidityTokenProgram, marketAt } from '../lending/request.ts';
import {
  distinct,
  programAccount,
  type ReadAccount,
  type ReadAccounts,
  readTokenAccount,
  type WalletToken,
} from '../read-accounts.ts';
import { symbolsFrom } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';
import { extendedMint } from './destination.ts';
import {
  collateralAccount,
  type FoundTicket,
  headAddress,
  liquidityAccount,
  ownerReads,
  queueReserve,
  type TicketRequest,
  ticketAt,
} from './request.ts';

/** The queue of a reserve, and what one owner has in it. */
export interface QueueAccounts {
  readonly programs: ProgramIds;
  /** Signs the action. */
  readonly wallet: Address;
  /** Pays rent of token accounts that the action creates. */
  readonly payer: Address;
  readonly marketAddress: Address;
  readonly market: LendingMarket;
  readonly marketAuthority: Address;
  readonly reserveAddress: Address;
  readonly reserve: Reserve;
  /** Owner of the tickets and of the accounts below. */
  readonly owner: Address;
  /** Holds the collateral tokens of all tickets of the owner in this queue. */
  readonly queuedVault: Address;
  readonly hasQueuedVault: boolean;
  /** The owner's associated account of collateral tokens. */
  readonly collateral: WalletToken;
  /** The owner's associated account of the reserve's token. */
  readonly liquidity: WalletToken;
  readonly tokenProgram: Address;
  /** The mint of the reserve's token when it may have extensions; null otherwise. */
  readonly extended: Mint | null;
  /** Lamports of the wallet. */
  readonly walletLamports: bigint;
  /** The token's name from the reserve, for summaries. */
  readonly symbol: string;
  readonly isSol: boolean;
  readonly tables: readonly UsableTable[];
}

/** A ticket and the accounts around it. */
export interface TicketAccounts extends QueueAccounts {
  readonly ticketAddress: Address;
  readonly ticket: WithdrawTicket;
  readonly ticketLamports: bigint;
  /** The account that the owner named for the liquidity; null when it does not exist. */
  readonly destination: ReadAccount | null;
}

interface Place {
  readonly programs: ProgramIds;
  readonly wallet: Address;
  readonly owner: Address;
  readonly reserveAddress: Address;
  readonly reserve: Reserve;
  readonly lookupTables: readonly Address[];
}

/** Decodes the accounts of an owner in a queue. */
export function queueAccounts(
  { programs, wallet, owner, reserveAddress, reserve, lookupTables }: Place,
  read: ReadAccounts,
  { slot, payer }: Pick<StepContext, 'slot' | 'payer'>,
): QueueAccounts {
  const { klend } = programs;
  const { lendingMarket, liquidity } = reserve;
  const tokenProgram = liquidityTokenProgram(reserve);
  const queuedVault = ownerQueuedCollateralVault(klend, reserveAddress, owner).address;
  return {
    programs,
    wallet,
    payer,
    marketAddress: lendingMarket,
    market: marketAt(read, lendingMarket, klend),
    marketAuthority: marketAuthority(klend, lendingMarket).address,
    reserveAddress,
    reserve,
    owner,
    queuedVault,
    hasQueuedVault: programAccount(read, queuedVault) !== null,
    collateral: tokenAt(read, collateralAccount(owner, reserve)),
    liquidity: tokenAt(read, liquidityAccount(owner, reserve)),
    tokenProgram,
    extended: tokenProgram === TOKEN_2022_PROGRAM ? extendedMint(read, liquidity.mintPubkey) : null,
    walletLamports: read(wallet)?.lamports ?? 0n,
    symbol: symbolsFrom(read)(reserve),
    isSol: liquidity.mintPubkey === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
    tables: usableTables(lookupTables, read, slot),
  };
}

/** Accounts of somebody else may hold anything, which is then no token account. */
function tokenAt(read: ReadAccounts, address: Address): WalletToken {
  const account = programAccount(read, address);
  return { address, account: account && readTokenAccount(account) };
}

/** The ticket of a request. The reserve of the request must have been read. */
export function foundTicket({ programs, subject }: TicketRequest, read: ReadAccounts): FoundTicket {
  if ('ticket' in subject) {
    return { address: subject.ticket, ticket: ticketAt(read, programs, subject.ticket) };
  }
  const reserve = queueReserve(read, programs, subject.reserve, subject.market);
  const address = headAddress(programs, subject, reserve, read);
  return { address, ticket: ticketAt(read, programs, address) };
}

/** Accounts that will probably be needed: those around the first ticket of a queue, as far as it is known. */
export function expectedTicketReads(known: KnownAccounts, { programs, subject }: TicketRequest): Address[] {
  if ('ticket' in subject) return [];
  const reserve = known.reserve(subject.reserve);
  if (reserve === undefined) return [];
  const { nextWithdrawableTicketSequenceNumber: number } = reserve.withdrawQueue;
  return [
    ...known.tablesOfMarket(reserve.lendingMarket),
    ticketAddress(programs.klend, subject.reserve, number).address,
  ];
}

/** Accounts that the named ones lead to: the ticket of a queue, its reserve, and the accounts of its owner. */
export function laterTicketReads(
  known: KnownAccounts,
  request: TicketRequest,
  read: ReadAccounts,
): Address[] {
  const { programs, subject } = request;
  if (!('ticket' in subject)) {
    const reserve = queueReserve(read, programs, subject.reserve, subject.market);
    const head = headAddress(programs, subject, reserve, read);
    if (read(head) === null) return [head];
  }
  const { ticket } = foundTicket(request, read);
  const { reserve: address, owner, userDestinationLiquidityTa } = ticket;
  const reserve =
    read(address) === null ? known.reserve(address) : queueReserve(read, programs, address, null);
  return distinct([
    address,
    owner,
    userDestinationLiquidityTa,
    ...(reserve === undefined
      ? []
      : [...known.tablesOfMarket(reserve.lendingMarket), ...ownerReads(programs, owner, address, reserve)]),
  ]);
}

/** Decodes a ticket and the accounts around it. */
export function ticketAccounts(
  known: KnownAccounts,
  request: TicketRequest,
  read: ReadAccounts,
  at: Pick<StepContext, 'slot' | 'payer'>,
): TicketAccounts {
  const { programs, wallet } = request;
  const { address, ticket } = foundTicket(request, read);
  const { reserve: reserveAddress, owner, userDestinationLiquidityTa } = ticket;
  const reserve = queueReserve(read, programs, reserveAddress, null);
  const lookupTables = known.tablesOfMarket(reserve.lendingMarket);
  return {
    ...queueAccounts({ programs, wallet, owner, reserveAddress, reserve, lookupTables }, read, at),
    ticketAddress: address,
    ticket,
    ticketLamports: read(address)?.lamports ?? 0n,
    destination: programAccount(read, userDestinationLiquidityTa),
  };
}

/** The queue after the refresh inside every action on it, which leaves the stored price alone. */
export function queueState({ reserve, market }: QueueAccounts, moment: Moment): QueueState {
  const accrued = refreshReserve(reserve, moment, market);
  return { accrued, market, priceSf: reserve.liquidity.marketPriceSf };
}
