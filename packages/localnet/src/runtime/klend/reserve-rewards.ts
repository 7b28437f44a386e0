import { floorSf, leastOf } from './fraction.ts';
import { accrualUnit } from './reserve-interest.ts';
import type { ReserveState } from './reserve-state.ts';

/**
 * Moves rewards into the supply for some units of time: at most the market's yearly rate on the supply after interest. The
 * program gives none while no collateral token exists.
 */
export function giveRewards(reserve: ReserveState, units: bigint, maxAprBps: number): void {
  const perUnit = reserve.config.rewardsAmountPerAccrualUnit;
  if (units === 0n || perUnit === 0n || reserve.collateralSupply === 0n) return;
  const { perYear } = accrualUnit(reserve.config);
  const cap = (floorSf(reserve.totalSupplySf) * BigInt(maxAprBps) * units) / (10_000n * perYear);
  const given = leastOf(leastOf(perUnit * units, cap), reserve.rewardsAvailable);
  reserve.rewardsAvailable -= given;
  reserve.available += given;
}
