import {
  ELEVATION_GROUPS,
  type ElevationGroup,
  type LendingMarket,
} from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';

/** The group's terms; null for group 0, "none". */
export function elevationGroupOf(market: LendingMarket, id: number): ElevationGroup | null {
  ensure(id <= ELEVATION_GROUPS, LENDING.invalidElevationGroup);
  const group = id === 0 ? null : market.elevationGroups[id - 1];
  if (group === undefined || group === null) return null;
  ensure(group.liquidationThresholdPct !== 0, LENDING.invalidElevationGroup);
  ensure(group.ltvPct !== 0, LENDING.invalidElevationGroup);
  return group;
}

export function isGroupMember(reserve: ReserveState, { id }: Pick<ElevationGroup, 'id'>): boolean {
  return reserve.config.elevationGroups.includes(id);
}

/** A group allows only so many deposits. */
export function checkGroupCount({ maxReservesAsCollateral }: ElevationGroup, deposits: number): void {
  const isWithin = deposits <= maxReservesAsCollateral;
  ensure(isWithin, LENDING.obligationCollateralExceedsElevationGroupLimit);
}

/** Percent of a deposit's value: the debt that it allows, and the debt from which it can be liquidated. */
export interface CollateralTerms {
  readonly ltvPct: number;
  readonly liquidationThresholdPct: number;
}

export function collateralTerms(reserve: ReserveState, group: ElevationGroup | null): CollateralTerms {
  const { ltvPct, liquidationThresholdPct } = group ?? {
    ltvPct: reserve.config.loanToValuePct,
    liquidationThresholdPct: reserve.config.liquidationThresholdPct,
  };
  return { ltvPct, liquidationThresholdPct };
}

/** Replaces what an obligation adds to the debt that a collateral reserve counts for a group. */
export function recountInGroup(reserve: ReserveState, groupId: number, before: bigint, now: bigint): void {
  const index = groupId - 1;
  const total = reserve.borrowedInGroups[index] ?? 0n;
  reserve.borrowedInGroups[index] = (total > before ? total - before : 0n) + now;
}

/** Replaces what an obligation adds to the debt that a reserve counts outside groups. */
export function recountOutsideGroups(reserve: ReserveState, before: bigint, now: bigint): void {
  const total = reserve.borrowedOutsideGroups;
  reserve.borrowedOutsideGroups = (total > before ? total - before : 0n) + now;
}
