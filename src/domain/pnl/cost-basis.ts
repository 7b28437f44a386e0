import { Rational } from '../../numeric/rational.ts';
import { type Denominated, minus, NOTHING, plus, times } from './denominated.ts';

/** What a position of shares cost and brought, by average cost. */
export interface CostBasis {
  /** Shares held, base units. */
  readonly shares: bigint;
  /** What the shares held have cost; starts at zero again after a full exit. */
  readonly costBasis: Denominated;
  /** Gains of shares sold, kept over exits. */
  readonly realized: Denominated;
  /** Put in minus taken out so far; always costBasis - realized. */
  readonly investment: Denominated;
  /** False once shares were sold whose arrival nobody saw. */
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
 * Selling a part takes the same part of the cost with it. Shares whose arrival was not seen count as having come at the
 * price at which they leave.
 */
export function sell(position: CostBasis, shares: bigint, proceeds: Denominated): CostBasis {
  if (shares > position.shares) {
    const unseen = shares - position.shares;
    const arrived = buy(position, unseen, times(proceeds, Rational.of(unseen, shares)));
    return sell({ ...arrived, complete: false }, shares, proceeds);
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
