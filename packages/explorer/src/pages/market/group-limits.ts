import type { Group } from './market-documents.ts';

type Collateral = Group['collateralReserves'][number];
type DebtCap = NonNullable<Group['debtReserve']>['borrowCaps']['againstCollateral'][number];

export interface GroupLimit {
  readonly collateral: Collateral;
  /** Limit on the debt against this collateral in the group. Null when the debt reserve is unknown. */
  readonly cap: Pick<DebtCap, 'currentTotal' | 'capacity'> | null;
}

/** The collaterals of a group, each with its limit. A debt reserve has limits for every group that lends it. */
export function groupLimits(
  group: Pick<Group, 'number' | 'collateralReserves' | 'debtReserve'>,
): GroupLimit[] {
  const caps = group.debtReserve?.borrowCaps.againstCollateral ?? [];
  return group.collateralReserves.map((collateral) => ({
    collateral,
    cap:
      caps.find(
        ({ elevationGroup, collateralReserve }) =>
          elevationGroup === group.number && collateralReserve.address === collateral.address,
      ) ?? null,
  }));
}
