import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { positivePart } from './arithmetic.ts';
import { NO_GROUP } from './elevation.ts';
import { activeBorrows, activeDeposits } from './obligation.ts';

/** A limit on a part of a reserve's debt and the debt that the program counts towards it, in base units of the debt. */
export interface BorrowCap {
  /** Null without a limit. */
  readonly capacity: bigint | null;
  readonly currentTotal: bigint;
}

const NOTHING: BorrowCap = { capacity: 0n, currentTotal: 0n };

function capOf(limit: bigint, currentTotal: bigint): BorrowCap {
  return { capacity: limit === U64_MAX ? null : limit, currentTotal };
}

/** The debt of a reserve outside elevation groups. */
export function capOutsideGroups(debt: Reserve): BorrowCap {
  return capOf(debt.config.borrowLimitOutsideElevationGroup, debt.borrowedAmountOutsideElevationGroup);
}

/**
 * The debt against a collateral in an elevation group. It is stored in the reserve of the collateral, in base units of the
 * group's debt reserve. The debt of an obligation with several deposits counts in full towards each of them.
 */
export function capAgainst(collateral: Reserve, group: number): BorrowCap {
  return capOf(
    collateral.config.borrowLimitAgainstThisCollateralInElevationGroup[group - 1] ?? 0n,
    collateral.borrowedAmountsAgainstThisReserveInElevationGroups[group - 1] ?? 0n,
  );
}

/** An obligation whose debts were refreshed. */
export interface CountedObligation {
  readonly obligation: Obligation;
  /** Finds a reserve of the obligation's market; undefined when it could not be read. */
  readonly reserveAt: (address: Address) => Reserve | undefined;
  /** Base units that the obligation owes to a reserve, rounded up. */
  readonly owedTo: (address: Address) => bigint;
}

/**
 * The caps that a borrow by an obligation counts towards: that of the reserve outside elevation groups, or one for each
 * deposit inside a group. What the obligation owes already is counted as a refresh counts it, with interest.
 */
export function capsOfBorrow(counted: CountedObligation, debt: Address): BorrowCap[] {
  const { obligation, reserveAt, owedTo } = counted;
  const { elevationGroup } = obligation;
  const refreshed = (cap: BorrowCap, stored: bigint, owed: bigint): BorrowCap => ({
    ...cap,
    currentTotal: atLeastZero(cap.currentTotal - stored) + owed,
  });
  if (elevationGroup === NO_GROUP) {
    const reserve = reserveAt(debt);
    const held = activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === debt);
    const stored = held?.borrowedAmountOutsideElevationGroups ?? 0n;
    return reserve === undefined ? [] : [refreshed(capOutsideGroups(reserve), stored, owedTo(debt))];
  }
  const owed = activeBorrows(obligation).reduce((sum, each) => sum + owedTo(each.borrowReserve), 0n);
  return activeDeposits(obligation).map((deposit) => {
    const reserve = reserveAt(deposit.depositReserve);
    const cap = reserve === undefined ? NOTHING : capAgainst(reserve, elevationGroup);
    return refreshed(cap, deposit.borrowedAmountAgainstThisCollateralInElevationGroup, owed);
  });
}

/** Base units that may still be borrowed under the limit; null without one. */
export function remainingUnder({ capacity, currentTotal }: BorrowCap): Rational | null {
  return capacity === null ? null : positivePart(integer(capacity - currentTotal));
}
