import { Rational } from '@sluice/protocol/numeric/rational';
import { type Denominated, minus, NOTHING, plus, times } from './denominated.ts';

/** Cost and gains of a position in shares, by average cost. */
export interface CostBasis {
  /** Shares held, base units. */
  readonly shares: bigint;
  /** Cost of the shares held; reset to zero by a full exit. */
  readonly costBasis: Denominated;
  /** Gains of shares sold; not reset by an exit. */
  readonly realized: Denominated;
  /** Total paid in minus total paid out; always costBasis - realized. */
  readonly investment: Denominated;
  /** False once shares were sold whose acquisition is not among the events. */
  readonly complete: boolean;
}

export const NO_POSITION: CostBasis = {
  shares: 0n,
  costBasis: NOTHING,
  realized: NOTHING,
  investment: NOTHING,
  complete: true,
};

export function buy(position: CostBasis, shares: bigint, paid: Denominated): CostBasis {
  return {
    ...position,
    shares: position.shares + shares,
    costBasis: plus(position.costBasis, paid),
    investment: plus(position.investment, paid),
  };
}

/**
 * Removes cost in proportion to the shares sold. Shares whose acquisition is unknown count as bought at the price at
 * which they are sold.
 */
export function sell(position: CostBasis, shares: bigint, proceeds: Denominated): CostBasis {
  if (shares > position.shares) {
    const missing = shares - position.shares;
    const completed = buy(position, missing, times(proceeds, Rational.of(missing, shares)));
    return sell({ ...completed, complete: false }, shares, proceeds);
  }
  if (shares === 0n) return position;
  const exit = shares === position.shares;
  const cost = times(position.costBasis, Rational.of(shares, position.shares));
  return {
    ...position,
    shares: position.shares - shares,
    costBasis: exit ? NOTHING : minus(position.costBasis, cost),
    realized: plus(position.realized, minus(proceeds, cost)),
    investment: minus(position.investment, proceeds),
  };
}
