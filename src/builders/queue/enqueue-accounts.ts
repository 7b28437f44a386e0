import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { StepContext } from '../action.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { accountsAround, type LendingAccounts } from '../lending/accounts.ts';
import { expectedLendingReads, knownOracles } from '../lending/expected-reads.ts';
import type { ObligationChoice } from '../lending/obligation-choice.ts';
import {
  firstLendingReads,
  type LendingRequest,
  lendingOutline,
  secondLendingReads,
} from '../lending/request.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';
import { type QueueAccounts, queueAccounts } from './accounts.ts';
import { ownerReads, queueReserve } from './request.ts';

/** A requested entry into a withdraw queue, before any account is read. */
export interface EnqueueRequest {
  readonly programs: ProgramIds;
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly lookupTables: readonly Address[];
  /** The withdrawal of the collateral from an obligation; null when the wallet holds the collateral tokens. */
  readonly withdrawal: LendingRequest | null;
}

/** All inputs of an entry into a withdraw queue. */
export interface EnqueueAccounts extends QueueAccounts {
  /** The obligation that the collateral comes from; null when the wallet holds the collateral tokens. */
  readonly position: LendingAccounts | null;
}

/** @param obligation null to take the collateral tokens from the wallet */
export function enqueueRequest(
  known: KnownAccounts,
  wallet: Address,
  market: Address,
  reserve: Address,
  obligation: ObligationChoice | null,
): EnqueueRequest {
  const { programs } = known;
  const lookupTables = known.tablesOfMarket(market);
  const common = { programs, wallet, market, reserve, lookupTables };
  const withdrawal =
    obligation &&
    ({ ...common, action: 'withdraw', obligation, oracles: knownOracles(known, market) } as const);
  return { ...common, withdrawal };
}

/** Accounts to read in the first round. */
export function firstEnqueueReads(request: EnqueueRequest): Address[] {
  const { wallet, market, reserve, lookupTables, withdrawal } = request;
  return distinct([
    market,
    reserve,
    wallet,
    ...lookupTables,
    ...(withdrawal === null ? [] : firstLendingReads(withdrawal)),
  ]);
}

/** Accounts that will probably be needed. */
export function expectedEnqueueReads(known: KnownAccounts, request: EnqueueRequest): Address[] {
  const { programs, wallet, withdrawal } = request;
  const reserve = known.reserve(request.reserve);
  return [
    ...(reserve === undefined ? [] : ownerReads(programs, wallet, request.reserve, reserve)),
    ...(withdrawal === null ? [] : expectedLendingReads(known, withdrawal)),
  ];
}

/** Accounts that those of the first round lead to. */
export function secondEnqueueReads(request: EnqueueRequest, read: ReadAccounts): Address[] {
  const { programs, wallet, market, withdrawal } = request;
  const reserve = queueReserve(read, programs, request.reserve, market);
  return distinct([
    ...ownerReads(programs, wallet, request.reserve, reserve),
    ...(withdrawal === null ? [] : secondLendingReads(withdrawal, read)),
  ]);
}

/** Decodes the accounts. */
export function enqueueAccounts(
  request: EnqueueRequest,
  read: ReadAccounts,
  at: Pick<StepContext, 'slot' | 'payer' | 'fresh'>,
): EnqueueAccounts {
  const { programs, wallet, market, withdrawal, lookupTables } = request;
  const reserve = queueReserve(read, programs, request.reserve, market);
  const place = { programs, wallet, owner: wallet, reserveAddress: request.reserve, reserve, lookupTables };
  return {
    ...queueAccounts(place, read, at),
    position: withdrawal && accountsAround(lendingOutline(withdrawal, read), withdrawal, read, at),
  };
}
