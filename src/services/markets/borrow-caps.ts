import { ZERO } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import { lendingBlock } from '../../domain/action-blocks.ts';
import { type BorrowCap, capAgainst, capOutsideGroups } from '../../domain/borrow-caps.ts';
import { maxAmount, reserveCapacities } from '../../domain/capacity.ts';
import { perView } from '../request/per-view.ts';
import type { ReserveRecord } from '../request/records.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { collateralOfGroup, groupsOfReserve } from './markets.ts';

/** A limit on a part of a reserve's debt, and the debt that the program counts towards it, both in the reserve's token. */
export interface DebtCap {
  /** Null without a limit. */
  readonly capacity: TokenAmount | null;
  readonly currentTotal: TokenAmount;
}

/** The limit on debt against one collateral in an elevation group. */
export interface CollateralDebtCap extends DebtCap {
  readonly collateral: ReserveRecord;
  readonly elevationGroup: number;
}

export interface BorrowCaps {
  readonly outsideElevationGroups: DebtCap;
  /** For each group whose debt reserve this is, and each collateral of the group, largest supply first. */
  readonly againstCollateral: readonly CollateralDebtCap[];
}

function debtCap(view: View, reserve: ReserveRecord, { capacity, currentTotal }: BorrowCap): DebtCap {
  return {
    capacity: capacity === null ? null : reserveAmount(view, reserve, capacity),
    currentTotal: reserveAmount(view, reserve, currentTotal, 'up'),
  };
}

/** The limits on a reserve's debt outside and inside elevation groups. */
export const borrowCaps = perView((view: View, reserve: ReserveRecord): BorrowCaps => {
  const groups = groupsOfReserve(view, reserve).filter(
    ({ account }) => account.debtReserve === reserve.address,
  );
  return {
    outsideElevationGroups: debtCap(view, reserve, capOutsideGroups(reserve.value)),
    againstCollateral: groups.flatMap((group) =>
      collateralOfGroup(view, group).map((collateral) => ({
        collateral,
        elevationGroup: group.number,
        ...debtCap(view, reserve, capAgainst(collateral.value, group.number)),
      })),
    ),
  };
});

/**
 * Borrowable amount of a reserve for anyone with enough collateral, fees included: the least of free liquidity, borrow
 * limit, utilization limit and outflow cap. Zero when the program lends nothing.
 */
export const borrowable = perView((view: View, reserve: ReserveRecord): TokenAmount => {
  const { timestamp } = view.moment;
  const market = view.get('market', reserve.value.lendingMarket)?.value;
  const isClosed = market !== undefined && lendingBlock(market, reserve.value, timestamp) !== null;
  const most = maxAmount(reserveCapacities(Valuation.of(view).accrued(reserve), timestamp));
  return reserveAmount(view, reserve, isClosed ? ZERO : most);
});
