import type { BorrowOrder } from '@sluice/protocol/klend/obligation';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { dateInWords } from './dates.ts';

const DAY_SECONDS = 86_400n;
/** End of the year 9999, Unix seconds: the last date with four digits. */
const LAST_DATE = 253_402_300_799n;

/** Basis points as a percentage. */
export const bpsInWords = (bps: bigint | number): string => `${placePoint(BigInt(bps), 2)}%`;

/** `30 days`, or seconds when they are no whole days. */
export function durationInWords(seconds: bigint): string {
  if (seconds % DAY_SECONDS !== 0n) return `${seconds} seconds`;
  const days = seconds / DAY_SECONDS;
  return days === 1n ? '1 day' : `${days} days`;
}

type Terms = Pick<
  BorrowOrder,
  'maxBorrowRateBps' | 'minDebtTermSeconds' | 'fillableUntilTimestamp' | 'enableAutoRolloverOnFilledBorrows'
>;

/**
 * One sentence: amount, rate, term and deadline.
 *
 * @param amount what is still to be borrowed, with its token
 */
export function borrowOrderInWords(terms: Terms, amount: string): string {
  const { minDebtTermSeconds: term, fillableUntilTimestamp: until } = terms;
  const parts = [
    `Borrow up to ${amount} at ${bpsInWords(terms.maxBorrowRateBps)} a year or less`,
    term === 0n ? 'without an end of the term' : `for at least ${durationInWords(term)}`,
    until > LAST_DATE ? 'at any time' : `until ${dateInWords(until)}`,
    ...(terms.enableAutoRolloverOnFilledBorrows === 0
      ? []
      : ['and roll the debt over at the end of its term']),
  ];
  return `${parts.join(', ')}.`;
}
