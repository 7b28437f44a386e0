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

/** A requested action around a flash loan of the debt token, before any account is read. */
export interface LeverageRequest {
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly obligation: ObligationChoice;
  readonly collateralReserve: Address;
  /** Lends the flash loan, too. */
  readonly debtReserve: Address;
  readonly swap: SwapLeg;
  /** Candidates besides the wallet's own table. */
  readonly lookupTables: readonly Address[];
  readonly oracles: readonly Address[];
  /** Whether a mint is that of a vault's shares. */
  readonly isShareMint: KnownAccounts['isShareMint'];
  /** Reward APYs of a reserve in the given state. */
  readonly rewardApys: KnownAccounts['rewardApys'];
}

/** One of the lending actions that the request consists of. */
export function lendingPart(request: LeverageRequest, action: LendingAction): LendingRequest {
  const { programs, wallet, market, obligation, lookupTables, oracles } = request;
  const isCollateral = action === 'deposit' || action === 'withdraw';
  const reserve = isCollateral ? request.collateralReserve : request.debtReserve;
  return { action, programs, wallet, market, obligation, reserve, lookupTables, oracles };
}

/** The collateral's action, which comes first in a leveraged deposit and last in a repayment with collateral. */
export type CollateralAction = 'deposit' | 'withdraw';

const debtActionOf = (action: CollateralAction) => (action === 'deposit' ? 'borrow' : 'repay');

/** Accounts to read in the first round: those of both reserves, and what the swap may change. */
export function firstLeverageReads(request: LeverageRequest, action: CollateralAction): Address[] {
  return distinct([
    ...firstLendingReads(lendingPart(request, action)),
    request.debtReserve,
    ...changeableAccounts(request.swap),
    ...request.swap.lookupTables,
  ]);
}

/** Accounts to read in the second round. Throws when the action cannot be built. */
export function secondLeverageReads(
  request: LeverageRequest,
  action: CollateralAction,
  read: ReadAccounts,
): Address[] {
  const { programs, debtReserve } = request;
  if (request.collateralReserve === debtReserve) {
    throw refused('collateral and debt are the same reserve; name two reserves of the market');
  }
  const [collateralPart, debtPart] = [
    lendingPart(request, action),
    lendingPart(request, debtActionOf(action)),
  ];
  const outline = lendingOutline(collateralPart, read);
  const referrer = outline.userMetadata && presentAddress(outline.userMetadata.referrer);
  return distinct([
    ...reserveReads(collateralPart, outline.reserve),
    ...reserveReads(debtPart, reserveAt(read, debtReserve, programs.klend)),
    ...obligationReads(debtPart, outline),
    // The obligation that a deposit opens has the referrer of its owner.
    referrer && referrerTokenStateAddress(programs.klend, referrer, debtReserve).address,
  ]);
}

/** Refuses an obligation that is not for one collateral and one debt. */
export function checkLeverageTag({ obligation }: LeverageRequest, account: Obligation | null): void {
  const tag = account === null ? ('key' in obligation ? BigInt(obligation.key.tag) : null) : account.tag;
  if (tag !== null && LEVERAGE_TAGS.includes(tag)) return;
  throw refused('the obligation must have the tag MULTIPLY or LEVERAGE; pass another one, or omit it');
}

/** The seeds of a Multiply or Leverage obligation are the mints of its collateral and its debt. */
export function checkLeverageSeeds(
  { obligation }: LeverageRequest,
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
