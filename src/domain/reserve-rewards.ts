import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { FULL_BPS, fromBps } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import type { Moment } from './moment.ts';
import { displayScale, unitsPerYear } from './rate-basis.ts';

/** The market's limit on the yearly rate of reserve rewards; 0 turns them off. */
export type RewardsCap = Pick<LendingMarket, 'reserveRewardsMaxAprBps'>;

/** Whether a refresh can add rewards to the supply, if the market allows them. */
export function givesRewards({ config, liquidity }: Reserve): boolean {
  return config.rewardsAmountPerAccrualUnit > 0n && liquidity.rewardsAmountAvailable > 0n;
}

/**
 * Base units that a refresh adds to the supply from the reserve's own rewards: the configured amount per unit of time, at
 * most the market's yearly rate on the supply, and at most the rest. The program forfeits what the limit cuts off.
 *
 * @param supply base units after the interest of the same refresh
 * @param units slots or seconds since the last refresh
 */
export function rewardsGiven(
  { config, liquidity, collateral }: Reserve,
  { reserveRewardsMaxAprBps }: RewardsCap,
  supply: Rational,
  units: bigint,
): bigint {
  if (collateral.mintTotalSupply === 0n || units === 0n) return 0n;
  const byRate = config.rewardsAmountPerAccrualUnit * units;
  const byCap =
    (supply.floor() * BigInt(reserveRewardsMaxAprBps) * units) / (FULL_BPS * unitsPerYear(config));
  return lesser(lesser(byRate, byCap), liquidity.rewardsAmountAvailable);
}

/**
 * Yearly rate that suppliers earn from the reserve's own rewards, not compounded; 0 when they are exhausted or off. On top
 * of the supply rate, in the reserve's own token.
 */
export function rewardsApr(
  accrued: AccruedReserve,
  { reserveRewardsMaxAprBps }: RewardsCap,
  moment: Moment,
): Rational {
  const { account, totalSupply, rewardsAvailable } = accrued;
  const { config, collateral, liquidity } = account;
  if (rewardsAvailable === 0n || collateral.mintTotalSupply === 0n) return ZERO;
  // The program limits the rate by the supply before it adds the rewards.
  const supply = totalSupply.sub(integer(liquidity.rewardsAmountAvailable - rewardsAvailable));
  if (supply.n <= 0n) return ZERO;
  const yearly = integer(config.rewardsAmountPerAccrualUnit * unitsPerYear(config));
  const apr = yearly.div(supply).min(fromBps(reserveRewardsMaxAprBps));
  return roundToPublished(apr.mul(displayScale(config, moment)));
}
