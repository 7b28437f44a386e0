import { roundParts, roundToStored } from '@sluice/protocol/numeric/decimal';
import { integer, ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { total } from './arithmetic.ts';
import { type FeeRates, feesBetween } from './vault-fees.ts';

/** A reserve that always has the same share of a vault. */
export interface WeightedReserve {
  /** Fraction of the vault. */
  readonly share: Rational;
  /** Collateral tokens per token at each moment, all positive. */
  readonly exchangeRates: readonly Rational[];
}

/** Growth of one token in a vault, as fractions of it. */
export interface WeightedGrowth {
  /** Before fees. Exactly the sum of the contributions. */
  readonly beforeFees: Rational;
  readonly afterFees: Rational;
  /** Interest from each reserve, in their order. */
  readonly contributions: readonly Rational[];
}

/**
 * A vault that has the shares of its reserves again at each moment. In between, each reserve grows with its exchange rate,
 * and what is not invested stays as it is. Fees are charged at each moment, as the program does when the vault is used.
 * Yields before each moment. Amounts are rounded to 30 places.
 *
 * @param times of the moments, ascending, unix seconds
 */
export function* weightedGrowth(
  times: readonly bigint[],
  reserves: readonly WeightedReserve[],
  fees: FeeRates,
): Generator<undefined, WeightedGrowth> {
  const contributed = reserves.map(() => ZERO);
  let [gross, net] = [ONE, ONE];
  for (const [i, time] of times.entries()) {
    const since = times[i - 1];
    if (since === undefined) continue;
    yield;
    const earned = reserves.map(({ share, exchangeRates }) => {
      const [before, after] = [exchangeRates[i - 1] ?? ONE, exchangeRates[i] ?? ONE];
      return roundToStored(share.mul(before.sub(after)).div(after));
    });
    for (const [index, part] of earned.entries())
      contributed[index] = (contributed[index] ?? ZERO).add(roundToStored(gross.mul(part)));
    const factor = ONE.add(total(earned));
    gross = roundToStored(gross.mul(factor));
    const grown = net.mul(factor);
    net = roundToStored(grown.sub(feesBetween(fees, net, grown, integer(time - since)).total));
  }
  const [afterFees = ZERO, ...contributions] = roundParts([net.sub(ONE), ...contributed]);
  return { beforeFees: total(contributions), afterFees, contributions };
}
