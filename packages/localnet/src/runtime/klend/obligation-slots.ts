import type { ObligationCollateral, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { fromLimbs, toLimbs } from './fraction.ts';

/** One deposit of an obligation. */
export interface DepositState {
  readonly reserve: Address;
  /** Collateral tokens, base units. */
  collateral: bigint;
  /** USD at the last refresh. */
  valueSf: bigint;
  /** Debt that the reserve counts against its limit for the obligation's elevation group; base units. */
  borrowedInGroup: bigint;
}

/** One debt of an obligation. */
export interface BorrowState {
  readonly reserve: Address;
  /** The reserve's rate when interest was last added. */
  cumulativeBorrowRate: bigint;
  /** Unix seconds; 0 when unknown. */
  lastBorrowedAt: bigint;
  /** Base units. */
  amountSf: bigint;
  /** USD at the last refresh. */
  valueSf: bigint;
  /** The value times the borrow factor. */
  factoredValueSf: bigint;
  /** Debt that the reserve counts against its limit outside elevation groups; base units. */
  outsideGroups: bigint;
  /** Base units owed at the end of a fixed term; 0 before. */
  atExpiration: bigint;
}

/** A place in the account for one position; null when it is free. Positions keep their places. */
export type Slots<T> = (T | null)[];

export function depositState(slot: ObligationCollateral): DepositState | null {
  if (slot.depositReserve === NO_ADDRESS) return null;
  return {
    reserve: slot.depositReserve,
    collateral: slot.depositedAmount,
    valueSf: slot.marketValueSf,
    borrowedInGroup: slot.borrowedAmountAgainstThisCollateralInElevationGroup,
  };
}

export function depositFields(deposit: DepositState) {
  return {
    depositReserve: deposit.reserve,
    depositedAmount: deposit.collateral,
    marketValueSf: deposit.valueSf,
    borrowedAmountAgainstThisCollateralInElevationGroup: deposit.borrowedInGroup,
  };
}

export function borrowState(slot: ObligationLiquidity): BorrowState | null {
  if (slot.borrowReserve === NO_ADDRESS) return null;
  return {
    reserve: slot.borrowReserve,
    cumulativeBorrowRate: fromLimbs(slot.cumulativeBorrowRateBsf.value),
    lastBorrowedAt: slot.lastBorrowedAtTimestamp,
    amountSf: slot.borrowedAmountSf,
    valueSf: slot.marketValueSf,
    factoredValueSf: slot.borrowFactorAdjustedMarketValueSf,
    outsideGroups: slot.borrowedAmountOutsideElevationGroups,
    atExpiration: slot.borrowedAmountAtExpiration,
  };
}

export function borrowFields(borrow: BorrowState) {
  return {
    borrowReserve: borrow.reserve,
    cumulativeBorrowRateBsf: { value: toLimbs(borrow.cumulativeBorrowRate) },
    lastBorrowedAtTimestamp: borrow.lastBorrowedAt,
    borrowedAmountSf: borrow.amountSf,
    marketValueSf: borrow.valueSf,
    borrowFactorAdjustedMarketValueSf: borrow.factoredValueSf,
    borrowedAmountOutsideElevationGroups: borrow.outsideGroups,
    borrowedAmountAtExpiration: borrow.atExpiration,
  };
}
