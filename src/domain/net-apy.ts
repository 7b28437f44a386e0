import type { Rational } from '../numeric/rational.ts';
import { ZERO } from '../numeric/rational.ts';
import type { Moment } from './moment.ts';
import type { Positions, PricedReserves } from './obligation.ts';
import { borrowApy, supplyApy } from './rates.ts';

/**
 * Yearly yield on the net value of an obligation: the supply APY of each deposit less the borrow APY of each debt, weighted
 * by their values. Excludes rewards. Null when a price is unknown or the net value is not positive.
 */
export function netApy(
  { deposits, borrows }: Positions,
  reserves: PricedReserves,
  moment: Moment,
): Rational | null {
  let [earned, net] = [ZERO, ZERO];
  for (const { reserve, valueUsd } of deposits) {
    const accrued = reserves(reserve)?.accrued;
    if (accrued === undefined || valueUsd === null) return null;
    earned = earned.add(valueUsd.mul(supplyApy(accrued, moment)));
    net = net.add(valueUsd);
  }
  for (const { reserve, valueUsd } of borrows) {
    const accrued = reserves(reserve)?.accrued;
    if (accrued === undefined || valueUsd === null) return null;
    earned = earned.sub(valueUsd.mul(borrowApy(accrued, moment)));
    net = net.sub(valueUsd);
  }
  return net.n <= 0n ? null : earned.div(net);
}
