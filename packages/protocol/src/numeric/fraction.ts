import { Rational } from './rational.ts';

const FRACTION_BITS = 60n;
/** 1.0 in the programs' fixed point: an `*Sf` field holds its value times this. */
export const FRACTION_ONE = 1n << FRACTION_BITS;
/** 1.0 in the farms program's fixed point. */
export const WAD = 10n ** 18n;
export const U64_MAX = (1n << 64n) - 1n;
export const U128_MAX = (1n << 128n) - 1n;

/** Basis points in a whole. */
export const FULL_BPS = 10_000n;

/**
 * The value of a scaled-fraction field (68.60 fixed point).
 *
 * @example
 * toDecimalString(fromScaledFraction(state.prevAumSf));
 */
export function fromScaledFraction(sf: bigint): Rational {
  return Rational.of(sf, FRACTION_ONE);
}

/** Rounds down to a scaled fraction, as the programs do. */
export function toScaledFraction(value: Rational): bigint {
  return Rational.of(value.n * FRACTION_ONE, value.d).floor();
}

/** Product of two scaled fractions, rounded down. */
export function multiplyScaled(a: bigint, b: bigint): bigint {
  return (a * b) >> FRACTION_BITS;
}

/** Quotient of two scaled fractions, rounded down. */
export function divideScaled(a: bigint, b: bigint): bigint {
  return (a << FRACTION_BITS) / b;
}

/** Quotient of two scaled fractions, rounded up. */
export function divideScaledUp(a: bigint, b: bigint): bigint {
  return ((a << FRACTION_BITS) + b - 1n) / b;
}

/** A whole number as a scaled fraction. */
export function wholeScaled(amount: bigint): bigint {
  return amount << FRACTION_BITS;
}

/** A scaled fraction rounded down to a whole number. */
export function floorScaled(sf: bigint): bigint {
  return sf >> FRACTION_BITS;
}

/** A scaled fraction rounded up to a whole number. */
export function ceilScaled(sf: bigint): bigint {
  return (sf + FRACTION_ONE - 1n) >> FRACTION_BITS;
}

/** Percent as a scaled fraction, rounded down. */
export function percentScaled(percent: bigint | number): bigint {
  return (BigInt(percent) << FRACTION_BITS) / 100n;
}

/** Basis points as a scaled fraction, rounded down. */
export function bpsScaled(bps: bigint | number): bigint {
  return (BigInt(bps) << FRACTION_BITS) / FULL_BPS;
}

/** A 256-bit scaled fraction (a cumulative borrow rate) from its four little-endian 64-bit limbs. */
export function fromBigScaledFraction(limbs: readonly bigint[]): Rational {
  let raw = 0n;
  for (let i = limbs.length - 1; i >= 0; i -= 1) raw = (raw << 64n) | (limbs[i] ?? 0n);
  return Rational.of(raw, FRACTION_ONE);
}

/** The four limbs of a cumulative rate, rounded down to 2^-60. */
export function toBigScaledFraction(value: Rational): [bigint, bigint, bigint, bigint] {
  const raw = toScaledFraction(value);
  return [raw & U64_MAX, (raw >> 64n) & U64_MAX, (raw >> 128n) & U64_MAX, (raw >> 192n) & U64_MAX];
}

/** Basis points as a fraction: 250 is 0.025. */
export function fromBps(bps: bigint | number): Rational {
  return Rational.of(BigInt(bps), FULL_BPS);
}

/** Percent as a fraction: 75 is 0.75. */
export function fromPercent(percent: bigint | number): Rational {
  return Rational.of(BigInt(percent), 100n);
}
