import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { KnownAccounts } from '../known-accounts.ts';
import { expectedLendingReads } from '../lending/expected-reads.ts';
import type { ObligationChoice } from '../lending/obligation-choice.ts';
import {
  firstLendingReads,
  type LendingRequest,
  lendingOutline,
  obligationReads,
  reserveReads,
} from '../lending/request.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';

/** A requested repayment with a withdrawal, before any account is read. */
export interface RepayWithdrawRequest {
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  /** Reserve of the debt to repay. */
  readonly repayReserve: Address;
  /** Reserve of the deposit to withdraw from; it may be the same one. */
  readonly withdrawReserve: Address;
  readonly obligation: ObligationChoice;
  /** Candidates besides the wallet's own table. */
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** One half as a request of a lending action. */
export function halfOf(request: RepayWithdrawRequest, action: 'repay' | 'withdraw'): LendingRequest {
  const { repayReserve, withdrawReserve, ...rest } = request;
  return { ...rest, action, reserve: action === 'repay' ? repayReserve : withdrawReserve };
}

/** Accounts to read in the first round. */
export function firstReads(request: RepayWithdrawRequest): Address[] {
  return distinct([...firstLendingReads(halfOf(request, 'repay')), request.withdrawReserve]);
}

/** Accounts to read in the second round. Throws when the action cannot be built. */
export function secondReads(request: RepayWithdrawRequest, read: ReadAccounts): Address[] {
  const [repay, withdraw] = [halfOf(request, 'repay'), halfOf(request, 'withdraw')];
  const outline = lendingOutline(repay, read);
  const known = new Set(firstReads(request));
  return distinct([
    ...reserveReads(repay, outline.reserve),
    ...reserveReads(withdraw, lendingOutline(withdraw, read).reserve),
    ...obligationReads(repay, outline),
  ]).filter((address) => !known.has(address));
}

/** Accounts that the action will probably need. */
export function expectedReads(known: KnownAccounts, request: RepayWithdrawRequest): Address[] {
  return distinct([
    ...expectedLendingReads(known, halfOf(request, 'repay')),
    ...expectedLendingReads(known, halfOf(request, 'withdraw')),
  ]);
}
