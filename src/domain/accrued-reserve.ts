import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Instant } from './moment.ts';

/**
 * A reserve accrued to an instant: the state after a refresh then. Computed once per reserve and View, then passed to every
 * function that needs it. Amounts are base units of the liquidity mint in steps of 2^-60, the program's precision; they
 * equal the stored ones when no time has passed.
 */
export interface AccruedReserve {
  /** The decoded account, for its settings. */
  readonly account: Reserve;
  readonly at: Instant;
  /** In the supply vault, not lent out. */
  readonly available: bigint;
  /** Rewards still to be given to suppliers. In the supply vault, but not part of the supply. */
  readonly rewardsAvailable: bigint;
  readonly borrowed: Rational;
  readonly protocolFees: Rational;
  readonly referrerFees: Rational;
  readonly pendingReferrerFees: Rational;
  /** Available plus borrowed minus all fees: the suppliers' assets. Never negative. */
  readonly totalSupply: Rational;
  /** Growth of a debt since the reserve began; starts at 1. */
  readonly cumulativeBorrowRate: Rational;
  /** Borrowed / total supply; 0 without supply. Can exceed 1, because fees reduce the supply. */
  readonly utilization: Rational;
}
