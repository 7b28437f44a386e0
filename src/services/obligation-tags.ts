import type { ObligationRecord } from './records.ts';

/** What obligations are for, by the number in the account. */
export const OBLIGATION_TAGS = [
  'VANILLA',
  'MULTIPLY',
  'LENDING',
  'LEVERAGE',
  'LENDING_FIXED_RATE',
  'MULTIPLY_FIXED_RATE',
  'LEVERAGE_FIXED_RATE',
] as const;

export type ObligationTag = (typeof OBLIGATION_TAGS)[number];

/** What an obligation is for; null for a number that nobody knows yet. */
export function obligationTag({ value }: ObligationRecord): ObligationTag | null {
  return OBLIGATION_TAGS[Number(value.tag)] ?? null;
}

/** The same as a number. Both faces have room for 31 bits, and no program has used more than three. */
export function tagNumber({ value }: ObligationRecord): number {
  return Number(BigInt.asUintN(31, value.tag));
}
