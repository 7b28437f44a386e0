import { SluiceError } from '../errors/sluice-error.ts';
import { PUBLISHED_PLACES } from './decimal.ts';
import { FixedPoint } from './fixed-point.ts';
import { ONE, Rational } from './rational.ts';

const PUBLISHED_SCALE = 10n ** BigInt(PUBLISHED_PLACES);
/** 30 places are 100 bits. The rest is for results above one, and for what gets lost on the way. */
const USUAL = new FixedPoint(192n);
const USUAL_DOUBLINGS = 24n;
/** Enough for 10^217, beyond which no yield is told. */
const WIDE_BITS = 1_024n;
let wide: FixedPoint | undefined;

/**
 * `base` to the power `exponent`, rounded half-even to 30 places: exp(exponent * ln(base)), so a year of 63 million
 * periods costs the same as one of two.
 */
export function power(base: Rational, exponent: Rational): Rational {
  if (base.isNegative || base.isZero) {
    throw new SluiceError('NUMBER_OUT_OF_RANGE', {
      what: 'base of a power',
      value: '<= 0',
      min: '> 0',
      max: 'any',
    });
  }
  const log = (numbers: FixedPoint) => (numbers.log(base.n, base.d) * exponent.n) / exponent.d;
  return Rational.of(published(log), PUBLISHED_SCALE);
}

/** A rate per period of less than one part in so many needs no help to make its logarithm's series short. */
const SMALL = 16n;

/** Interest of one year from a yearly rate that is compounded `periods` times: (1 + apr/periods)^periods - 1. */
export function apyFromApr({ n, d }: Rational, periods: bigint): Rational {
  if ((n < 0n ? -n : n) * SMALL > d * periods) {
    return power(Rational.of(d * periods + n, d * periods), Rational.of(periods)).sub(ONE);
  }
  const grown = published((numbers) => periods * numbers.logOnePlus(n, d * periods));
  return Rational.of(grown - PUBLISHED_SCALE, PUBLISHED_SCALE);
}

/** e to the power of a logarithm in 10^-30, which is worked out again with more bits when the result is large. */
function published(log: (numbers: FixedPoint) => bigint): bigint {
  const usual = log(USUAL);
  if (!USUAL.isBeyond(usual, USUAL_DOUBLINGS)) return USUAL.exp(usual, PUBLISHED_SCALE);
  wide ??= new FixedPoint(WIDE_BITS);
  return wide.exp(log(wide), PUBLISHED_SCALE);
}
