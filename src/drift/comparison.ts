import type { Address } from '@solana/kit';
import { Rational, ZERO } from '../numeric/rational.ts';

/**
 * What is compared with what the chain stores:
 * - `obligation_terms`: totals of an obligation from the position values beside them, under our reading of its terms;
 * - `obligation_values`: totals from positions, reserves and prices, all of the very slot of the last refresh;
 * - `obligation_values_near`: the same with reserves that were refreshed again since;
 * - `vault_aum`: a vault's assets against those at the last charge of fees.
 */
export const DRIFT_KINDS = [
  'obligation_terms',
  'obligation_values',
  'obligation_values_near',
  'vault_aum',
] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

/** How far ours may be from what is stored, as a fraction of it. */
export const TOLERANCE: { readonly [K in DriftKind]: number } = {
  // The same integers on both sides: what differs is rounding at 2^-60.
  obligation_terms: 1e-6,
  // A deposit of somebody else in the same slot moves the exchange rate in its last digits.
  obligation_values: 1e-6,
  // Prices move within a minute.
  obligation_values_near: 0.05,
  // Penalties of withdrawals stay in the vault, and rates were others before.
  vault_aum: 0.01,
};

/** One number of ours beside the chain's. */
export interface Comparison {
  readonly kind: DriftKind;
  readonly address: Address;
  /** The field of the account. */
  readonly field: string;
  /** The difference as a fraction of what is stored. */
  readonly relative: number;
}

export const exceeds = ({ kind, relative }: Comparison): boolean => relative > TOLERANCE[kind];

/** The difference of two values as a fraction of the greater one; what is below `floor` counts as `floor`. */
export function relativeDifference(ours: Rational, stored: Rational, floor: Rational): number {
  const scale = ours.abs().max(stored.abs()).max(floor);
  return scale.isZero ? 0 : ours.sub(stored).abs().div(scale).toNumber();
}

/** How far a value lies outside of a range, as a fraction of the range's lower end; 0 inside. */
export function relativeExcess(value: Rational, low: Rational, high: Rational): number {
  const below = low.sub(value).max(ZERO);
  const above = value.sub(high).max(ZERO);
  return low.isZero ? 0 : below.max(above).div(low).toNumber();
}

/** A cent: dust is not worth an alarm. */
export const DUST_USD = Rational.of(1n, 100n);
