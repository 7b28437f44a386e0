import type { Address } from '@solana/kit';
import { fromPercent } from '../numeric/fraction.ts';
import { ONE, type Rational, ZERO } from '../numeric/rational.ts';
import type { ElevationGroup, LendingMarket } from '../programs/klend/lending-market.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import { ratio } from './arithmetic.ts';
import { reserveRisk } from './reserve.ts';

/** The number of "no group". */
export const NO_GROUP = 0;

/** How far collateral counts, as fractions of its value. */
export interface CollateralTerms {
  readonly maxLtv: Rational;
  readonly liquidationLtv: Rational;
}

/** Null for no group and for a number that the market does not know. */
export function elevationGroup(market: LendingMarket, number: number): ElevationGroup | null {
  const group = number === NO_GROUP ? undefined : market.elevationGroups[number - 1];
  return group === undefined || group.id === 0 ? null : group;
}

/** The groups of a market that are in use, by number. */
export function elevationGroups(market: LendingMarket): ElevationGroup[] {
  return market.elevationGroups.filter(({ id }) => id !== 0);
}

/** Whether the reserve takes part in a group. */
export function isInGroup({ config }: Reserve, number: number): boolean {
  return number !== NO_GROUP && config.elevationGroups.includes(number);
}

/** The numbers of the groups that a reserve takes part in, ascending, each once. */
export function groupsOf({ config }: Reserve): number[] {
  return [...new Set(config.elevationGroups)].filter((number) => number !== NO_GROUP).sort((a, b) => a - b);
}

/**
 * How far a deposit of this reserve counts for an obligation in a group. The reserve's own terms outside groups, in a
 * group that nobody knows, and where the reserve is no part of it.
 */
export function collateralTerms(market: LendingMarket, reserve: Reserve, number: number): CollateralTerms {
  const group = isInGroup(reserve, number) ? elevationGroup(market, number) : null;
  if (group === null) {
    const { maxLtv, liquidationLtv } = reserveRisk(reserve);
    return { maxLtv, liquidationLtv };
  }
  return { maxLtv: fromPercent(group.ltvPct), liquidationLtv: fromPercent(group.liquidationThresholdPct) };
}

/** By how much a debt of this reserve is weighed up: 1 inside a group, the reserve's own factor otherwise. */
export function borrowFactor(market: LendingMarket, reserve: Reserve, number: number): Rational {
  const inside = isInGroup(reserve, number) && elevationGroup(market, number) !== null;
  return inside ? ONE : reserveRisk(reserve).borrowFactor;
}

/** A reserve with its address, which the account itself does not hold. */
export interface AddressedReserve {
  readonly address: Address;
  readonly account: Reserve;
}

/** The best terms under which one reserve can back a debt in another. */
export interface PairTerms extends CollateralTerms {
  /** The group that gives them; 0 for none. */
  readonly group: number;
  readonly borrowFactor: Rational;
  /** Deposit over own funds when the pair is looped to the limit; 0 when there is no limit to reach. */
  readonly maxLeverage: Rational;
}

/** The groups in which a new debt of the one may be taken against the other, by number. */
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

export function pairTerms(market: LendingMarket, collateral: Reserve, debt: AddressedReserve): PairTerms {
  const best = groupsOfPair(market, collateral, debt).reduce<ElevationGroup | null>(
    (found, group) => (found === null || group.ltvPct > found.ltvPct ? group : found),
    null,
  );
  const group = best?.id ?? NO_GROUP;
  const terms = collateralTerms(market, collateral, group);
  const factor = borrowFactor(market, debt.account, group);
  const left = ONE.sub(ratio(terms.maxLtv, factor));
  return {
    ...terms,
    group,
    borrowFactor: factor,
    maxLeverage: left.isZero || left.isNegative ? ZERO : ONE.div(left),
  };
}
