import { ProtocolError } from '../protocol-error.ts';
import { STORED_PLACES } from './decimal.ts';
import { FixedPoint } from './fixed-point.ts';
import { ONE, Rational } from './rational.ts';

const STORED_SCALE = 10n ** BigInt(STORED_PLACES);
/** 30 decimal places need 100 bits. The rest covers results above one and rounding losses. */
const NARROW = new FixedPoint(192n);
const NARROW_MAX_DOUBLINGS = 24n;
/** Enough for results up to 10^217. */
const WIDE_BITS = 1_024n;
let wide: FixedPoint | undefined;

/**
 * `base` to the power `exponent`, rounded half-even to 30 places. Computed as exp(exponent * ln(base)), so the cost does
 * not depend on the exponent.
 */
export function power(base: Rational, exponent: Rational): Rational {
  if (base.isNegative || base.isZero) {
    throw new ProtocolError('NUMBER_OUT_OF_RANGE', {
      what: 'base of a power',
      value: '<= 0',
      min: '> 0',
      max: 'any',
    });
  }
  const log = (numbers: FixedPoint) => (numbers.log(base.n, base.d) * exponent.n) / exponent.d;
  return Rational.of(published(log), STORED_SCALE);
}

/** Below 1/16 per period the series of ln(1 + x) converges fast enough without first normalising the argument. */
const SMALL_RATE_INVERSE = 16n;

/** APY of a yearly rate compounded `periods` times a year: (1 + apr/periods)^periods - 1. */
export function apyFromApr({ n, d }: Rational, periods: bigint): Rational {
  if ((n < 0n ? -n : n) * SMALL_RATE_INVERSE > d * periods) {
    return power(Rational.of(d * periods + n, d * periods), Rational.of(periods)).sub(ONE);
  }
  const grown = published((numbers) => periods * numbers.logOnePlus(n, d * periods));
  return Rational.of(grown - STORED_SCALE, STORED_SCALE);
}

/** e^log in units of 10^-30. Recomputed with more bits when the result is far from one. */
function published(log: (numbers: FixedPoint) => bigint): bigint {
  const narrow = log(NARROW);
  if (!NARROW.isBeyond(narrow, NARROW_MAX_DOUBLINGS)) return NARROW.exp(narrow, STORED_SCALE);
  wide ??= new FixedPoint(WIDE_BITS);
  return wide.exp(log(wide), STORED_SCALE);
}
