import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { lendingBlock, supplyBlock } from './action-blocks.ts';
import { least } from './arithmetic.ts';
import { capAgainst, capOutsideGroups, remainingUnder } from './borrow-caps.ts';
import { reserveCapacities } from './capacity.ts';
import {
  type AddressedReserve,
  borrowFactor,
  type CollateralTerms,
  collateralTerms,
  groupsOfPair,
  NO_GROUP,
} from './elevation.ts';
import type { Moment } from './moment.ts';

/** Terms on which one reserve can be borrowed against another. */
export interface BorrowTerms extends CollateralTerms {
  /** The elevation group that an obligation must be in; 0 for none. */
  readonly group: number;
  readonly borrowFactor: Rational;
}

/**
 * All terms on which the program lets an obligation whose only deposit is `collateral` borrow from `debt`, highest maximum
 * LTV first. Empty when it refuses any such loan. Limits that are used up do not count: see `borrowRoom`. A reserve is no
 * collateral for its own debt here, although the program accepts that outside groups.
 */
export function borrowTerms(
  market: LendingMarket,
  collateral: AddressedReserve,
  debt: AddressedReserve,
  { timestamp }: Pick<Moment, 'timestamp'>,
): BorrowTerms[] {
  if (collateral.address === debt.address) return [];
  if (supplyBlock(market, collateral.account) !== null) return [];
  if (lendingBlock(market, debt.account, timestamp) !== null || debt.account.config.borrowLimit === 0n)
    return [];
  const groups = groupsOfPair(market, collateral.account, debt)
    .filter((group) => group.ltvPct > 0 && group.liquidationThresholdPct > 0)
    .filter((group) => group.maxReservesAsCollateral > 0)
    .map(({ id }) => id);
  const numbers = isLentOutsideGroups(collateral, debt) ? [NO_GROUP, ...groups] : groups;
  return numbers
    .map((group) => ({
      ...collateralTerms(market, collateral.account, group),
      group,
      borrowFactor: borrowFactor(market, debt.account, group),
    }))
    .sort((a, b) => b.maxLtv.compare(a.maxLtv));
}

function isLentOutsideGroups(collateral: AddressedReserve, debt: AddressedReserve): boolean {
  const { loanToValuePct, disableUsageAsCollOutsideEmode } = collateral.account.config;
  const isCollateral = loanToValuePct > 0 && disableUsageAsCollOutsideEmode === 0;
  return isCollateral && debt.account.config.borrowLimitOutsideElevationGroup > 0n;
}

/** Base units of `debt` that all borrowers together can still borrow on terms of `borrowTerms`, fees included. */
export function borrowRoom(
  collateral: AccruedReserve,
  debt: AccruedReserve,
  group: number,
  { timestamp }: Pick<Moment, 'timestamp'>,
): Rational {
  const cap = group === NO_GROUP ? capOutsideGroups(debt.account) : capAgainst(collateral.account, group);
  const counted = remainingUnder(cap);
  const limits = reserveCapacities(debt, timestamp).map(({ amount }) => amount);
  return least(counted === null ? limits : [...limits, counted]) ?? ZERO;
}
