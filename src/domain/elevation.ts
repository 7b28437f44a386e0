import type { ElevationGroup, LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { fromPercent } from '@sluice/protocol/numeric/fraction';
import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { reserveRisk } from './reserve.ts';

/** The id that means "no group". */
export const NO_GROUP = 0;

/** Fractions of a deposit's value that count as collateral. */
export interface CollateralTerms {
  readonly maxLtv: Rational;
  readonly liquidationLtv: Rational;
}

/** Null for no group and for an id that the market does not define. */
export function elevationGroup(market: LendingMarket, number: number): ElevationGroup | null {
  const group = number === NO_GROUP ? undefined : market.elevationGroups[number - 1];
  return group === undefined || group.id === 0 ? null : group;
}

/** The groups that a market defines, by id. */
export function elevationGroups(market: LendingMarket): ElevationGroup[] {
  return market.elevationGroups.filter(({ id }) => id !== 0);
}

/** Whether the reserve is a member of the group. */
export function isInGroup({ config }: Reserve, number: number): boolean {
  return number !== NO_GROUP && config.elevationGroups.includes(number);
}

/** The ids of a reserve's groups, ascending, without duplicates. */
export function groupsOf({ config }: Reserve): number[] {
  return [...new Set(config.elevationGroups)].filter((number) => number !== NO_GROUP).sort((a, b) => a - b);
}

/**
 * Collateral terms of a deposit in this reserve for an obligation in a group. Falls back to the reserve's own terms
 * without a group, for an unknown group, and when the reserve is not a member.
 */
export function collateralTerms(market: LendingMarket, reserve: Reserve, number: number): CollateralTerms {
  const group = isInGroup(reserve, number) ? elevationGroup(market, number) : null;
  if (group === null) {
    const { maxLtv, liquidationLtv } = reserveRisk(reserve);
    return { maxLtv, liquidationLtv };
  }
  return { maxLtv: fromPercent(group.ltvPct), liquidationLtv: fromPercent(group.liquidationThresholdPct) };
}

/** Weight of a debt in this reserve: 1 inside a group, the reserve's own factor otherwise. */
export function borrowFactor(market: LendingMarket, reserve: Reserve, number: number): Rational {
  const inside = isInGroup(reserve, number) && elevationGroup(market, number) !== null;
  return inside ? ONE : reserveRisk(reserve).borrowFactor;
}

/** A reserve with its address, which the account does not contain. */
export interface AddressedReserve {
  readonly address: Address;
  readonly account: Reserve;
}

/** The groups that allow a new debt in `debt` against `collateral`, by id. */
export function groupsOfPair(
  market: LendingMarket,
  collateral: Reserve,
  debt: AddressedReserve,
): ElevationGroup[] {
  return groupsOf(collateral)
    .filter((number) => isInGroup(debt.account, number))
    .map((number) => elevationGroup(market, number))
    .filter((group) => group !== null)
    .filter(
      (group) =>
        group.allowNewLoans !== 0 &&
        group.debtReserve === debt.address &&
        (collateral.config.borrowLimitAgainstThisCollateralInElevationGroup[group.id - 1] ?? 0n) > 0n,
    );
}
