import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import type { ElevationGroup, LendingMarket } from '@sluice/protocol/klend/lending-market';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { aborted, ensure, load, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { addSf, bpsSf, leastOf, mulSf, subSf } from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';
import { accrualUnit, compoundedSf } from './reserve-interest.ts';
import type { ReserveState } from './reserve-state.ts';

const { klend } = MAINNET_PROGRAMS;

/** Market, time and elevation group under which an obligation is refreshed. */
export interface RefreshTerms {
  readonly market: LendingMarket;
  readonly clock: Clock;
  /** Null outside groups. */
  readonly group: ElevationGroup | null;
}

/** The account in which the referrer earns fees of the reserve. */
export function checkReferrerAccount(
  account: InstructionAccount,
  referrer: Address,
  reserve: ReserveState,
): void {
  const state = load(account, referrerTokenState, klend);
  const isSet = state.mint !== NO_ADDRESS && state.referrer !== NO_ADDRESS;
  ensure(isSet, LENDING.referrerAccountNotInitialized);
  ensure(state.mint === reserve.data.liquidity.mintPubkey, LENDING.referrerAccountMintMissmatch);
  const { address } = referrerTokenStateAddress(klend, state.referrer, reserve.address);
  ensure(account.address === address, LENDING.referrerAccountWrongAddress);
  ensure(state.referrer === referrer, LENDING.referrerAccountReferrerMissmatch);
}

/** Credits a fee to the referrer; it stays in the reserve until claimed. */
export function creditReferrer(account: InstructionAccount, reserve: ReserveState, feeSf: bigint): void {
  const { amountUnclaimedSf, amountCumulativeSf } = load(account, referrerTokenState, klend);
  patch(account, referrerTokenState, {
    amountUnclaimedSf: amountUnclaimedSf + feeSf,
    amountCumulativeSf: amountCumulativeSf + feeSf,
  });
  reserve.referrerFeesSf = addSf(reserve.referrerFeesSf, feeSf);
}

/**
 * Moves the referrer's part of a debt's new interest out of the reserve's pending fees: to the referrer if the obligation
 * has one, else to the protocol.
 */
export function settleReferrerFee(
  { market, clock }: RefreshTerms,
  obligation: ObligationState,
  reserve: ReserveState,
  debt: { readonly beforeSf: bigint; readonly nowSf: bigint },
  nextReferrerAccount: () => InstructionAccount | undefined,
): void {
  if (reserve.absoluteReferralRateSf === 0n) return;
  const feeSf = leastOf(
    mulSf(variableInterestSf(clock, obligation, reserve, debt), reserve.absoluteReferralRateSf),
    reserve.pendingReferrerFeesSf,
  );
  reserve.pendingReferrerFeesSf -= feeSf;
  if (!obligation.hasReferrer || market.referralFeeBps === 0) {
    reserve.protocolFeesSf = addSf(reserve.protocolFeesSf, feeSf);
    return;
  }
  const account = nextReferrerAccount();
  if (account === undefined) throw customError(LENDING.invalidAccountInput);
  // The program unwraps the account's kind but maps a read-only account to an error.
  if (account.owner !== klend) throw aborted();
  ensure(account.isWritable, LENDING.invalidAccountInput);
  checkReferrerAccount(account, obligation.data.referrer, reserve);
  creditReferrer(account, reserve, feeSf);
}

/** The new interest without the host's fixed rate. */
function variableInterestSf(
  clock: Clock,
  obligation: ObligationState,
  reserve: ReserveState,
  { beforeSf, nowSf }: { readonly beforeSf: bigint; readonly nowSf: bigint },
): bigint {
  const unit = accrualUnit(reserve.config);
  const units = unit.elapsed(obligation.lastUpdate, clock);
  const hostGrowth = compoundedSf(bpsSf(reserve.config.hostFixedInterestRateBps), units, unit);
  const interest = subSf(nowSf, beforeSf);
  const hostInterest = subSf(mulSf(beforeSf, hostGrowth), beforeSf);
  ensure(hostInterest <= interest, LENDING.cannotCalculateReferralAmountDueToSlotsMismatch);
  return interest - hostInterest;
}
