import { Decimal } from '@sluice/client';

interface Totals {
  readonly suppliedUsd: string | null;
  readonly borrowedUsd: string | null;
}

/** The part of the supply that is lent out, as a fraction. Null when it is not known or nothing is supplied. */
export function lentOut(totals: Totals | null): string | null {
  if (totals === null || totals.suppliedUsd === null || totals.borrowedUsd === null) return null;
  const supplied = Decimal.of(totals.suppliedUsd);
  return supplied.isZero ? null : Decimal.of(totals.borrowedUsd).dividedBy(supplied, 6).toString();
}

/** A part of all debt as a fraction; 0 of nothing. */
export const partOfDebt = (usd: string, allUsd: string): string => {
  const all = Decimal.of(allUsd);
  return all.isZero ? '0' : Decimal.of(usd).dividedBy(all, 6).toString();
};
