import { SluiceError } from '../errors/sluice-error.ts';
import { PUBLISHED_PLACES } from './decimal.ts';
import { nearestQuotient, ONE, Rational } from './rational.ts';

/** Fractional bits of the working precision. An error of 2^-256 times the longest chain here stays under 1e-60. */
const BITS = 256n;
const UNIT = 1n << BITS;
const NEAR_ONE_MAX = (UNIT * 4n) / 3n;
const NEAR_ONE_MIN = (UNIT * 2n) / 3n;
const PUBLISHED_SCALE = 10n ** BigInt(PUBLISHED_PLACES);
/** exp() takes its argument apart into this many groups of bits, the highest first, whose powers of e are kept. */
const GROUPS = 3n;
const GROUP_BITS = 8n;

/**
 * `base` to the power `exponent`, rounded half-even to 30 places. Exact integer arithmetic on 256 fractional bits:
 * exp(exponent * ln(base)), so a year of 63 million periods costs the same as one of two.
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
  return exponential(nearestQuotient(naturalLog(base) * exponent.n, exponent.d));
}

/** ln(value) in units of 2^-256, for a positive value. */
function naturalLog(value: Rational): bigint {
  let mantissa = (value.n << BITS) / value.d;
  let twos = 0n;
  // Bring the mantissa near 1, where the series converges fastest.
  while (mantissa > NEAR_ONE_MAX) {
    mantissa >>= 1n;
    twos += 1n;
  }
  if (twos > 0n) mantissa = (value.n << BITS) / (value.d << twos);
  while (mantissa < NEAR_ONE_MIN) {
    twos -= 1n;
    mantissa = (value.n << (BITS - twos)) / value.d;
  }
  return logNearOne(mantissa) + twos * LN2;
}

/** ln(m) = 2 artanh((m - 1) / (m + 1)), in units of 2^-256. */
function logNearOne(mantissa: bigint): bigint {
  const z = ((mantissa - UNIT) << BITS) / (mantissa + UNIT);
  const square = (z * z) >> BITS;
  let term = z;
  let total = z;
  for (let k = 3n; term !== 0n && term !== -1n; k += 2n) {
    term = (term * square) >> BITS;
    total += term / k;
  }
  return 2n * total;
}

const LN2 = -logNearOne(UNIT / 2n);

/** e^x for x in units of 2^-256, rounded half-even to 30 places. */
function exponential(x: bigint): Rational {
  // Rounded down, so that what is left is not negative and below ln(2).
  const twos = x / LN2 - (x < 0n ? 1n : 0n);
  let rest = x - twos * LN2;
  let total = UNIT;
  for (let group = 1n; group <= GROUPS; group += 1n) {
    const shift = BITS - group * GROUP_BITS;
    const bits = rest >> shift;
    if (bits === 0n) continue;
    total = (total * growthOf(Number(group), Number(bits))) >> BITS;
    rest -= bits << shift;
  }
  total = (total * series(rest, BITS)) >> BITS;
  const scaled = total * PUBLISHED_SCALE;
  const published =
    twos >= 0n ? nearestQuotient(scaled << twos, UNIT) : nearestQuotient(scaled, UNIT << -twos);
  return Rational.of(published, PUBLISHED_SCALE);
}

/** e^x by its series, for an x that is not negative and small; both in units of 2^-bits. */
function series(x: bigint, bits: bigint): bigint {
  let term = x;
  let total = (1n << bits) + x;
  for (let k = 2n; term !== 0n; k += 1n) {
    term = ((term * x) >> bits) / k;
    total += term;
  }
  return total;
}

const growths: bigint[][] = [];

/** e to the power of `bits` at the place of their group, in units of 2^-256. */
function growthOf(group: number, bits: number): bigint {
  growths[group] ??= [];
  const known = growths[group][bits];
  if (known !== undefined) return known;
  // With as many bits again: what is kept goes into every power, and its own error must not show.
  const growth = series(BigInt(bits) << (2n * BITS - BigInt(group) * GROUP_BITS), 2n * BITS) >> BITS;
  growths[group][bits] = growth;
  return growth;
}

/** Interest of one year from a yearly rate that is compounded `periods` times: (1 + apr/periods)^periods - 1. */
export function apyFromApr(apr: Rational, periods: bigint): Rational {
  return power(ONE.add(apr.div(Rational.of(periods))), Rational.of(periods)).sub(ONE);
}

/** The yearly rate that gives this interest when compounded `periods` times: the inverse of `apyFromApr`. */
export function aprFromApy(apy: Rational, periods: bigint): Rational {
  const perPeriod = naturalLog(ONE.add(apy));
  // expm1(ln(1 + apy) / periods) * periods loses nothing at 256 bits: the quotient keeps 230 significant ones.
  return growthMinusOne(nearestQuotient(perPeriod, periods), periods);
}

/** (e^x - 1) * factor for a small x in units of 2^-256, rounded half-even to 30 places. */
function growthMinusOne(x: bigint, factor: bigint): Rational {
  let term = UNIT;
  let total = 0n;
  for (let k = 1n; term !== 0n && term !== -1n; k += 1n) {
    term = ((term * x) >> BITS) / k;
    total += term;
  }
  return Rational.of(nearestQuotient(total * factor * PUBLISHED_SCALE, UNIT), PUBLISHED_SCALE);
}
