import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import {
  bpsScaled,
  divideScaled,
  FRACTION_ONE,
  multiplyScaled,
  wholeScaled,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero, greater, lesser } from '@sluice/protocol/numeric/integer';
import { DAY_SECONDS } from './dates.ts';
import type { DebtEnd } from './debt-end.ts';
import { elevationGroup, isInGroup } from './elevation.ts';
import type { RefreshedObligation } from './refreshed-obligation.ts';

/** From this debt per collateral on, without borrow factors, the program pays the bonus for bad debt: 0.99, to nearest. */
const NEARLY_BAD_SF = ((99n << 60n) + 50n) / 100n;

/** Factored debt per collateral, in units of 2^-60. Applies only to an obligation with collateral. */
export function loanToValueScaled({ factoredSf, depositedSf }: RefreshedObligation): bigint {
  return divideScaled(factoredSf, depositedSf);
}

/** Factored debt per collateral at which liquidation becomes possible, in units of 2^-60. */
export function unhealthyLoanToValueScaled({ unhealthySf, depositedSf }: RefreshedObligation): bigint {
  return divideScaled(unhealthySf, depositedSf);
}

/** The two reserves of a liquidation. */
export interface LiquidationReserves {
  /** Reserve of the repaid debt. */
  readonly repay: Reserve;
  /** Reserve of the seized collateral. */
  readonly withdraw: Reserve;
}

/**
 * The liquidator's bonus as a fraction of the repaid value, in units of 2^-60, for an obligation above its liquidation
 * threshold. It grows with the excess over the threshold, between the minimum and the maximum of both reserves, and never
 * exceeds the collateral that is left beyond the debt. A nearly bad debt has a bonus of its own.
 */
export function liquidationBonusScaled(
  obligation: RefreshedObligation,
  market: LendingMarket,
  group: number,
  { repay, withdraw }: LiquidationReserves,
): bigint {
  const [debt, collateral] = [repay.config, withdraw.config];
  const ltvSf = divideScaled(obligation.borrowedSf, obligation.depositedSf);
  if (ltvSf >= NEARLY_BAD_SF) {
    const badSf = bpsScaled(Math.min(collateral.badDebtLiquidationBonusBps, debt.badDebtLiquidationBonusBps));
    return ltvSf < FRACTION_ONE ? greater(badSf, FRACTION_ONE - ltvSf) : badSf;
  }
  const excessSf = loanToValueScaled(obligation) - unhealthyLoanToValueScaled(obligation);
  const most = Math.max(collateral.maxLiquidationBonusBps, debt.maxLiquidationBonusBps);
  const mostSf = bpsScaled(Math.min(most, groupMaximumBps(market, group, { repay, withdraw }) ?? most));
  const leastSf = bpsScaled(Math.max(collateral.minLiquidationBonusBps, debt.minLiquidationBonusBps));
  return lesser(lesser(greater(leastSf, excessSf), mostSf), FRACTION_ONE - ltvSf);
}

/**
 * The bonus for a debt that has ended. It grows by the day since then, up to a maximum, and never exceeds the collateral
 * that is left beyond the debt. A maturity has the terms of the debt's reserve; a term those of the reserve with the
 * higher maximum, and the maximum of the elevation group.
 */
export function endedDebtBonusScaled(
  obligation: RefreshedObligation,
  market: LendingMarket,
  group: number,
  reserves: LiquidationReserves,
  { cause, at }: Pick<DebtEnd, 'cause' | 'at'>,
  timestamp: bigint,
): bigint {
  const isTerm = cause === 'TERM';
  const terms = isTerm ? higherTerms(reserves.withdraw.config, reserves.repay.config) : reserves.repay.config;
  const daysSf = wholeScaled(timestamp - at) / DAY_SECONDS;
  const grownSf =
    bpsScaled(terms.minDeleveragingBonusBps) +
    multiplyScaled(bpsScaled(terms.deleveragingBonusIncreaseBpsPerDay), daysSf);
  const own = terms.maxLiquidationBonusBps;
  const most = isTerm ? Math.min(own, groupMaximumBps(market, group, reserves) ?? own) : own;
  const ltvSf = divideScaled(obligation.borrowedSf, obligation.depositedSf);
  return lesser(lesser(grownSf, bpsScaled(most)), atLeastZero(FRACTION_ONE - ltvSf));
}

/** The terms with the higher maximum; among equals, those that grow faster, then those that start higher. */
function higherTerms(collateral: ReserveConfig, debt: ReserveConfig): ReserveConfig {
  const differences = [
    BigInt(collateral.maxLiquidationBonusBps - debt.maxLiquidationBonusBps),
    collateral.deleveragingBonusIncreaseBpsPerDay - debt.deleveragingBonusIncreaseBpsPerDay,
    BigInt(collateral.minDeleveragingBonusBps - debt.minDeleveragingBonusBps),
  ];
  return (differences.find((each) => each !== 0n) ?? 0n) > 0n ? collateral : debt;
}

/** The group's own maximum counts where it is set and not above those of both reserves. Null where it does not count. */
function groupMaximumBps(
  market: LendingMarket,
  number: number,
  { repay, withdraw }: LiquidationReserves,
): number | null {
  const group = isInGroup(withdraw, number) && isInGroup(repay, number) && elevationGroup(market, number);
  if (!group || group.maxLiquidationBonusBps === 0) return null;
  const { maxLiquidationBonusBps: most } = group;
  const isBelow =
    most <= withdraw.config.maxLiquidationBonusBps && most <= repay.config.maxLiquidationBonusBps;
  return isBelow ? most : null;
}
