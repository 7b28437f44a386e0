import { ceilScaled, FRACTION_ONE, FULL_BPS, U64_MAX, U128_MAX } from '../../../numeric/fraction.ts';
import { InstructionError } from '../instruction-error.ts';

/** Unsigned arithmetic of the program. It is compiled with overflow checks: an overflow aborts the program. */

const aborted = () => new InstructionError('ProgramFailedToComplete');

/** The difference; aborts when it would be negative. */
export function minus(a: bigint, b: bigint): bigint {
  if (b > a) throw aborted();
  return a - b;
}

/** A number that must fit into 64 bits. */
export function u64(value: bigint): bigint {
  if (value > U64_MAX) throw aborted();
  return value;
}

/** A scaled fraction, which must fit into 128 bits. */
export function fraction(sf: bigint): bigint {
  if (sf > U128_MAX) throw aborted();
  return sf;
}

/** A whole number as a scaled fraction. */
export const scaled = (units: bigint): bigint => fraction(units * FRACTION_ONE);

export const floorScaled = (sf: bigint): bigint => u64(sf / FRACTION_ONE);

export const ceilingScaled = (sf: bigint): bigint => u64(ceilScaled(sf));

/** The part after the point, scaled by 2^60. */
export const fractionalPart = (sf: bigint): bigint => sf % FRACTION_ONE;

export const bpsScaled = (bps: bigint): bigint => scaled(bps) / FULL_BPS;
