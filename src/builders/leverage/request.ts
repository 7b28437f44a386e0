import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import { type ProgramIds, presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import type { ObligationChoice } from '../lending/obligation-choice.ts';
import {
  firstLendingReads,
  type LendingAction,
  type LendingRequest,
  lendingOutline,
  obligationReads,
  reserveAt,
  reserveReads,
} from '../lending/request.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';
import { changeableAccounts, type SwapLeg } from './swap-leg.ts';

/** Obligations of these tags hold one collateral and one debt: Multiply and Leverage. */
const LEVERAGE_TAGS: readonly bigint[] = [1n, 3n];

/** A requested action around a flash loan and a swap, before any account is read. */
export interface SwappingRequest {
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly obligation: ObligationChoice;
  readonly swap: SwapLeg;
  /** Candidates besides the wallet's own table. */
  readonly lookupTables: readonly Address[];
  readonly oracles: readonly Address[];
  /** Whether a mint is that of a vault's shares. */
  readonly isShareMint: KnownAccounts['isShareMint'];
  /** Reward APYs of a reserve in the given state. */
  readonly rewardApys: KnownAccounts['rewardApys'];
}

/** An action on a deposit and a debt, around a flash loan of the debt token. */
export interface LeverageRequest extends SwappingRequest {
  readonly collateralReserve: Address;
  /** Lends the flash loan, too. */
  readonly debtReserve: Address;
}

/** A debt or a deposit that moves to another reserve, around a flash loan of the new token. */
export interface PositionSwapRequest extends SwappingRequest {
  /** Reserve that is repaid, or withdrawn from. */
  readonly oldReserve: Address;
  /** Reserve to borrow from, or to deposit into. Lends the flash loan, too. */
  readonly newReserve: Address;
}

export type LoanRequest = LeverageRequest | PositionSwapRequest;

/** One of the lending actions that the request consists of. */
export function lendingPart(request: LoanRequest, action: LendingAction): LendingRequest {
  const { programs, wallet, market, obligation, lookupTables, oracles } = request;
  const reserve = reserveOf(request, action);
  return { action, programs, wallet, market, obligation, reserve, lookupTables, oracles };
}

function reserveOf(request: LoanRequest, action: LendingAction): Address {
  if ('oldReserve' in request) {
    return action === 'repay' || action === 'withdraw' ? request.oldReserve : request.newReserve;
  }
  return action === 'deposit' || action === 'withdraw' ? request.collateralReserve : request.debtReserve;
}

/** The two lending actions of a request. The first one decides whether the obligation must exist. */
export type LendingPair = readonly [LendingAction, LendingAction];

/** The collateral's action, which comes first in a leveraged deposit and last in a repayment with collateral. */
export type CollateralAction = 'deposit' | 'withdraw';

/** Both actions of a request on a deposit and a debt. */
export const leveragePair = (action: CollateralAction): LendingPair =>
  action === 'deposit' ? ['deposit', 'borrow'] : ['withdraw', 'repay'];

/** Accounts to read in the first round: those of both reserves, and what the swap may change. */
export function firstLoanReads(request: LoanRequest, [first, second]: LendingPair): Address[] {
  return distinct([
    ...firstLendingReads(lendingPart(request, first)),
    lendingPart(request, second).reserve,
    ...changeableAccounts(request.swap),
    ...request.swap.lookupTables,
  ]);
}

/** Accounts to read in the second round. Throws when the action cannot be built. */
export function secondLoanReads(
  request: LoanRequest,
  [first, second]: LendingPair,
  read: ReadAccounts,
): Address[] {
  const { klend } = request.programs;
  const [firstPart, secondPart] = [lendingPart(request, first), lendingPart(request, second)];
  if (firstPart.reserve === secondPart.reserve) {
    const what = 'oldReserve' in request ? 'both sides of the swap' : 'collateral and debt';
    throw refused(`${what} are the same reserve; name two reserves of the market`);
  }
  const outline = lendingOutline(firstPart, read);
  const referrer = outline.userMetadata && presentAddress(outline.userMetadata.referrer);
  return distinct([
    ...reserveReads(firstPart, outline.reserve),
    ...reserveReads(secondPart, reserveAt(read, secondPart.reserve, klend)),
    ...obligationReads(secondPart, outline),
    // The obligation that a deposit opens has the referrer of its owner.
    referrer && referrerTokenStateAddress(klend, referrer, secondPart.reserve).address,
  ]);
}

/** Refuses an obligation that is not for one collateral and one debt. */
export function checkLeverageTag(
  { obligation }: Pick<LeverageRequest, 'obligation'>,
  account: Obligation | null,
): void {
  const tag = account === null ? ('key' in obligation ? BigInt(obligation.key.tag) : null) : account.tag;
  if (tag !== null && LEVERAGE_TAGS.includes(tag)) return;
  throw refused('the obligation must have the tag MULTIPLY or LEVERAGE; pass another one, or omit it');
}

/** The seeds of a Multiply or Leverage obligation are the mints of its collateral and its debt. */
export function checkLeverageSeeds(
  { obligation }: Pick<LeverageRequest, 'obligation'>,
  mints: readonly [Address, Address],
): void {
  if (!('key' in obligation)) return;
  const { seed1, seed2 } = obligation.key;
  if (seed1 === mints[0] && seed2 === mints[1]) return;
  throw refused('the seeds of the obligation must be the mints of collateral and debt, in this order');
}

export function refused(reason: string): CodedError {
  return new SluiceError('BUILD_REFUSED', { reason });
}
