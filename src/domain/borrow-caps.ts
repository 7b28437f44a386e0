import { U64_MAX } from '../numeric/fraction.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import { positivePart } from './arithmetic.ts';

/** A limit on a part of a reserve's debt and the debt that the program counts towards it, in base units of the debt. */
export interface BorrowCap {
  /** Null without a limit. */
  readonly capacity: bigint | null;
  readonly currentTotal: bigint;
}

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

/** Base units that may still be borrowed under the limit; null without one. */
export function remainingUnder({ capacity, currentTotal }: BorrowCap): Rational | null {
  return capacity === null ? null : positivePart(integer(capacity - currentTotal));
}
