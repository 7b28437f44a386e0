import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { activeBorrows } from '../../domain/obligation.ts';
import type { RolloverTerms } from '../../domain/rollover-terms.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { chosenAddress, type ObligationChoice } from '../lending/obligation-choice.ts';
import { existingObligation, marketAt, reserveAt } from '../lending/request.ts';
import { lendingError } from '../program-errors.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';

/** The settings that an owner may change; undefined keeps one as it is. */
export interface WantedRollover {
  /** Whether the debt may roll over at the end of its term. */
  readonly enabled?: boolean;
  /** Basis points per year; compared with the highest rate of a reserve's curve. */
  readonly maxBorrowRateBps?: number;
  /** 0 accepts no debt with a term. */
  readonly minTermSeconds?: bigint;
  readonly openTermAllowed?: boolean;
  /** Whether a debt without a term may be moved to a fixed one at any time. */
  readonly migrationToFixed?: boolean;
  /** Days before the end of the term; 0 for the window of the market. */
  readonly windowDays?: number;
}

/** A change of the settings, before any account is read. */
export interface RolloverRequest {
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly obligation: ObligationChoice;
  /** Reserve of the debt. */
  readonly reserve: Address;
}

/** All inputs of a change of the settings. */
export interface RolloverAccounts {
  readonly request: RolloverRequest;
  readonly market: LendingMarket;
  readonly reserve: Reserve;
  readonly obligationAddress: Address;
  readonly obligation: Obligation;
  readonly debt: ObligationLiquidity;
}

const U32_MAX = 0xff_ff_ff_ff;
const MOST_DAYS = 255;

/** A refusal, with the program's error when it has one. */
export function refused(reason: string, name?: string): CodedError {
  const error = name === undefined ? '' : ` (${lendingError(name).number} ${name})`;
  return new SluiceError('BUILD_REFUSED', { reason: `${reason}${error}` });
}

/** @throws BUILD_REFUSED for a number that the account cannot hold */
export function checkWanted({ maxBorrowRateBps, minTermSeconds, windowDays }: WantedRollover): void {
  const fits = (value: number | undefined, most: number) =>
    value === undefined || (Number.isInteger(value) && value >= 0 && value <= most);
  if (!fits(maxBorrowRateBps, U32_MAX)) throw refused('the maximum rate must be whole basis points from 0');
  if (!fits(windowDays, MOST_DAYS)) throw refused(`the window must be whole days from 0 to ${MOST_DAYS}`);
  if (minTermSeconds !== undefined && (minTermSeconds < 0n || minTermSeconds > U64_MAX)) {
    throw refused('the minimum term must not be negative');
  }
}

/** Accounts to read. */
export function rolloverReads(request: RolloverRequest): Address[] {
  const { programs, wallet, market, obligation, reserve } = request;
  const address = chosenAddress(programs, wallet, market, obligation);
  return distinct([market, reserve, address, wallet]);
}

/** Decodes the accounts. @throws KLEND_POSITION_NOT_FOUND without the debt */
export function rolloverAccounts(request: RolloverRequest, read: ReadAccounts): RolloverAccounts {
  const { klend } = request.programs;
  const market = marketAt(read, request.market, klend);
  const reserve = reserveAt(read, request.reserve, klend);
  if (reserve.lendingMarket !== request.market) {
    const context = { reserve: request.reserve, market: request.market, actual: reserve.lendingMarket };
    throw new SluiceError('RESERVE_NOT_IN_MARKET', context);
  }
  const { obligation, obligationAddress } = existingObligation(request, read);
  const debt = activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === request.reserve);
  if (debt === undefined) {
    const context = { obligation: obligationAddress, reserve: request.reserve, side: 'debt' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  return { request, market, reserve, obligationAddress, obligation, debt };
}

/** The terms after the change. */
export function wantedTerms(stored: RolloverTerms, wanted: WantedRollover): RolloverTerms {
  const flag = (value: boolean | undefined, before: number) => (value === undefined ? before : Number(value));
  return {
    autoRolloverEnabled: flag(wanted.enabled, stored.autoRolloverEnabled),
    openTermAllowed: flag(wanted.openTermAllowed, stored.openTermAllowed),
    migrationToFixedEnabled: flag(wanted.migrationToFixed, stored.migrationToFixedEnabled),
    fixedTermRolloverWindowDurationDays: wanted.windowDays ?? stored.fixedTermRolloverWindowDurationDays,
    maxBorrowRateBps: wanted.maxBorrowRateBps ?? stored.maxBorrowRateBps,
    minDebtTermSeconds: wanted.minTermSeconds ?? stored.minDebtTermSeconds,
  };
}
