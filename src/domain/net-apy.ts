import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { ratio } from './arithmetic.ts';
import type { Positions } from './obligation.ts';

/** Yearly yield of a deposit and yearly cost of a debt in a reserve, as fractions with all rewards; undefined when unknown. */
export interface PositionApys {
  supply(reserve: Address): Rational | undefined;
  borrow(reserve: Address): Rational | undefined;
}

/**
 * Yearly yield on the net value of an obligation: yield of the deposits less cost of the debts, weighted by their values.
 * 0 when the net value is zero. Null when a value or an APY is unknown.
 */
export function netApy({ deposits, borrows }: Positions, apys: PositionApys): Rational | null {
  let [earned, net] = [ZERO, ZERO];
  for (const { reserve, valueUsd } of deposits) {
    const apy = apys.supply(reserve);
    if (apy === undefined || valueUsd === null) return null;
    earned = earned.add(valueUsd.mul(apy));
    net = net.add(valueUsd);
  }
  for (const { reserve, valueUsd } of borrows) {
    const apy = apys.borrow(reserve);
    if (apy === undefined || valueUsd === null) return null;
    earned = earned.sub(valueUsd.mul(apy));
    net = net.sub(valueUsd);
  }
  return ratio(earned, net);
}
