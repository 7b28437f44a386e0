import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { aborted } from '../anchor.ts';

/** The program's decimals: 192 bits, scaled by 10^18, rounded down. An overflow or a negative result is a panic. */

const MAX = (1n << 192n) - 1n;

function checked(scaled: bigint): bigint {
  if (scaled < 0n || scaled > MAX) throw aborted();
  return scaled;
}

export const wadOf = (whole: bigint): bigint => whole * WAD;

export const wadProduct = (a: bigint, b: bigint): bigint => checked(a * b) / WAD;

export const wadQuotient = (a: bigint, b: bigint): bigint => checked(a * WAD) / b;

export const wadDifference = (a: bigint, b: bigint): bigint => checked(a - b);

/** Rounded down; null when it does not fit a u64. */
export function wholeOf(scaled: bigint): bigint | null {
  const whole = scaled / WAD;
  return whole > U64_MAX ? null : whole;
}
