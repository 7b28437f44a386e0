import { power } from '@sluice/protocol/numeric/power';
import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import { SECONDS_PER_YEAR } from './moment.ts';

/** What a principal token pays at maturity, and what it costs now, both in whole underlying tokens. */
export interface FixedIncome {
  readonly redemption: Rational;
  readonly price: Rational;
  /** Unix seconds. */
  readonly maturity: bigint;
}

/**
 * Yield per year of buying the token at a unix time in seconds and holding it until maturity, compounded; in underlying
 * tokens. Null at maturity and after.
 */
export function yieldToMaturity(
  { redemption, price, maturity }: FixedIncome,
  timestamp: bigint,
): Rational | null {
  const left = maturity - timestamp;
  return left <= 0n ? null : power(redemption.div(price), Rational.of(SECONDS_PER_YEAR, left)).sub(ONE);
}
