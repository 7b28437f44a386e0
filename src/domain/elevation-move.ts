import type { ElevationGroup, LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { presentAddress } from '@sluice/protocol/program-ids';
import { elevationGroups, isInGroup, NO_GROUP } from './elevation.ts';
import { type Positions, type PricedReserves, underGroup } from './obligation.ts';
import { type ObligationStats, obligationStats } from './obligation-stats.ts';

/**
 * The id of the elevation group that would raise the obligation's borrow limit the most; the first one on a tie. 0 when
 * no group would, and when a reserve or a price could not be read.
 *
 * @param positions under the obligation's current terms; so are the `current` stats.
 */
export function potentialElevationGroup(
  positions: Positions,
  market: LendingMarket,
  reserves: PricedReserves,
  current: ObligationStats,
): number {
  let best = { number: NO_GROUP, limit: current.borrowLimit };
  for (const group of elevationGroups(market)) {
    if (group.id === positions.elevationGroup || !admits(group, positions, reserves)) continue;
    const stats = obligationStats(underGroup(positions, market, reserves, group.id));
    if (stats === null || stats.userTotalBorrowBorrowFactorAdjusted.compare(stats.borrowLimit) > 0) continue;
    if (stats.borrowLimit.compare(best.limit) > 0) best = { number: group.id, limit: stats.borrowLimit };
  }
  return best.number;
}

/** Whether the group accepts these positions: open for new loans, no debt but its own, every deposit a member. */
function admits(group: ElevationGroup, { deposits, borrows }: Positions, reserves: PricedReserves): boolean {
  if (group.allowNewLoans === 0 || presentAddress(group.debtReserve) === null) return false;
  if (borrows.length > 1 || deposits.length > group.maxReservesAsCollateral) return false;
  const account = (address: Positions['deposits'][number]['reserve']) => reserves(address)?.accrued.account;
  for (const { reserve } of borrows) {
    if (reserve !== group.debtReserve || !isMember(account(reserve), group)) return false;
  }
  const owed = borrows[0]?.amount?.ceil() ?? 0n;
  return deposits.every(
    ({ reserve }) => reserve !== group.debtReserve && canBack(account(reserve), group, owed),
  );
}

function isMember(reserve: Reserve | undefined, group: ElevationGroup): reserve is Reserve {
  return reserve !== undefined && isInGroup(reserve, group.id);
}

/** Whether a collateral reserve has enough headroom in the group for a debt of `owed` base units. */
function canBack(reserve: Reserve | undefined, group: ElevationGroup, owed: bigint): boolean {
  if (!isMember(reserve, group)) return false;
  const limit = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup[group.id - 1] ?? 0n;
  const used = reserve.borrowedAmountsAgainstThisReserveInElevationGroups[group.id - 1] ?? 0n;
  return limit > 0n && used + owed <= limit;
}
