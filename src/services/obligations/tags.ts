import type { ObligationRecord } from '../request/records.ts';

/** Names of obligation tags, by the number in the account. */
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

/** Null for an unknown tag. */
export function obligationTag({ value }: ObligationRecord): ObligationTag | null {
  return OBLIGATION_TAGS[Number(value.tag)] ?? null;
}

/** The tag as a number, truncated to the 31 bits of a GraphQL integer. Tags in use need three. */
export function tagNumber({ value }: ObligationRecord): number {
  return Number(BigInt.asUintN(31, value.tag));
}

/** The product that an obligation belongs to. An unknown tag counts as lending. */
export type ObligationProduct = 'LENDING' | 'MULTIPLY' | 'LEVERAGE';

export function obligationProduct(record: ObligationRecord): ObligationProduct {
  switch (obligationTag(record)) {
    case 'MULTIPLY':
    case 'MULTIPLY_FIXED_RATE':
      return 'MULTIPLY';
    case 'LEVERAGE':
    case 'LEVERAGE_FIXED_RATE':
      return 'LEVERAGE';
    default:
      return 'LENDING';
  }
}
