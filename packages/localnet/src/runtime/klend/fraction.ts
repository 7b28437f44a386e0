import { FRACTION_ONE, U64_MAX, U128_MAX } from '@sluice/protocol/numeric/fraction';
import { aborted } from '../anchor.ts';

/**
 * The lending program's fixed point: an unsigned number of 68 integer and 60 fractional bits. Names end in `Sf`, for scaled
 * fraction. Products and quotients are rounded down unless the name says otherwise. What makes the program panic (overflow,
 * a negative difference, division by zero) fails the instruction here.
 */

const BITS = 60n;

export { FRACTION_ONE as ONE_SF } from '@sluice/protocol/numeric/fraction';

function fraction(sf: bigint): bigint {
  if (sf < 0n || sf > U128_MAX) throw aborted();
  return sf;
}

function quotient(n: bigint, d: bigint): bigint {
  if (d === 0n) throw aborted();
  return n / d;
}

const up = (d: bigint) => (d === 0n ? 0n : d - 1n);

export const wholeSf = (amount: bigint) => fraction(amount << BITS);
export const addSf = (a: bigint, b: bigint) => fraction(a + b);
export const subSf = (a: bigint, b: bigint) => fraction(a - b);
/** The difference, or zero when it is negative. */
export const subSfToZero = (a: bigint, b: bigint) => (a > b ? a - b : 0n);
export const mulSf = (a: bigint, b: bigint) => fraction((a * b) >> BITS);
export const divSf = (a: bigint, b: bigint) => fraction(quotient(a << BITS, b));
export const divSfUp = (a: bigint, b: bigint) => fraction(quotient((a << BITS) + up(b), b));
/** Times a whole number. */
export const timesSf = (sf: bigint, factor: bigint) => fraction(sf * factor);
/** Divided by a whole number. */
export const overSf = (sf: bigint, divisor: bigint) => fraction(quotient(sf, divisor));
/** Times n / d, without an intermediate rounding. */
export const ratioSf = (sf: bigint, n: bigint, d: bigint) => fraction(quotient(sf * n, d));
export const ratioSfUp = (sf: bigint, n: bigint, d: bigint) => fraction(quotient(sf * n + up(d), d));

/** The whole number below. */
export const floorSf = (sf: bigint) => unsigned64(sf >> BITS);
/** The whole number above. */
export const ceilSf = (sf: bigint) => unsigned64((sf + FRACTION_ONE - 1n) >> BITS);
/** The nearest whole number; a half rounds up. */
export const roundSf = (sf: bigint) => unsigned64((sf + FRACTION_ONE / 2n) >> BITS);

export const percentSf = (percent: number | bigint) => wholeSf(BigInt(percent)) / 100n;
export const bpsSf = (bps: number | bigint) => wholeSf(BigInt(bps)) / 10_000n;

/** Panics unless the amount fits the account's field. */
export function unsigned64(amount: bigint): bigint {
  if (amount < 0n || amount > U64_MAX) throw aborted();
  return amount;
}

export const leastOf = (a: bigint, b: bigint) => (a < b ? a : b);

/** A 256-bit fraction of the same scale, from its four little-endian limbs. */
export function fromLimbs(limbs: readonly bigint[]): bigint {
  return limbs.reduceRight((sum, limb) => (sum << 64n) | limb, 0n);
}

export function toLimbs(value: bigint): [bigint, bigint, bigint, bigint] {
  if (value >> 256n !== 0n) throw aborted();
  return [value & U64_MAX, (value >> 64n) & U64_MAX, (value >> 128n) & U64_MAX, value >> 192n];
}

/** A fraction with four decimals, as the program writes it to its log. */
export function displaySf(sf: bigint): string {
  const rounded = sf + FRACTION_ONE / 20_000n;
  const decimals = (((rounded % FRACTION_ONE) >> 30n) * 10_000n) >> 30n;
  return `${rounded >> BITS}.${decimals.toString().padStart(4, '0')}`;
}
