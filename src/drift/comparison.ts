import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';

/**
 * Numbers that are compared with their stored value on chain:
 * - `obligation_terms`: totals of an obligation, computed from its stored position values with our LTVs and
 * borrow factors;
 * - `obligation_values`: totals computed from positions, reserves and prices, all refreshed in the same slot;
 * - `obligation_values_near`: the same with reserves that were refreshed slightly later;
 * - `reserve_interest`: interest of a reserve between two reads of it, without any action in between, and the fees and
 * rewards of a single refresh;
 * - `vault_aum`: a vault's assets against those at the last fee charge.
 */
export const DRIFT_KINDS = [
  'obligation_terms',
  'obligation_values',
  'obligation_values_near',
  'reserve_interest',
  'vault_aum',
] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

/** The largest acceptable difference, as a fraction of the stored value. */
export const TOLERANCE: { readonly [K in DriftKind]: number } = {
  // Both sides use the same integers; only rounding at 2^-60 differs.
  obligation_terms: 1e-6,
  // Another deposit in the same slot moves the exchange rate in its last digits.
  obligation_values: 1e-6,
  // Prices move within a minute.
  obligation_values_near: 0.05,
  // Several refreshes compound more often than one, in the seventh digit of the interest.
  reserve_interest: 1e-4,
  // Withdrawal penalties stay in the vault, and rates may have changed.
  vault_aum: 0.01,
};

/** One of our numbers compared with the stored one. */
export interface Comparison {
  readonly kind: DriftKind;
  readonly address: Address;
  /** The field of the account. */
  readonly field: string;
  /** The difference as a fraction of the stored value. */
  readonly relative: number;
}

export const exceeds = ({ kind, relative }: Comparison): boolean => relative > TOLERANCE[kind];

/** The difference of two values as a fraction of the larger one, or of `floor` if that is larger still. */
export function relativeDifference(ours: Rational, stored: Rational, floor: Rational): number {
  const scale = ours.abs().max(stored.abs()).max(floor);
  return scale.isZero ? 0 : ours.sub(stored).abs().div(scale).toNumber();
}

/** Distance of a value from a range, as a fraction of the range's lower end; 0 inside. */
export function relativeExcess(value: Rational, low: Rational, high: Rational): number {
  const below = low.sub(value).max(ZERO);
  const above = value.sub(high).max(ZERO);
  return low.isZero ? 0 : below.max(above).div(low).toNumber();
}

/** One cent: smaller values do not justify an alarm. */
export const DUST_USD = Rational.of(1n, 100n);
