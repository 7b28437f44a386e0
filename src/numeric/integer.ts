/** Integers of base units and of scaled fractions. */

export const atLeastZero = (value: bigint): bigint => (value > 0n ? value : 0n);

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Quotient of non-negative integers, rounded up. */
export const ceilDivide = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;
