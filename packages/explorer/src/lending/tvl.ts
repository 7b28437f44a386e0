import { Decimal } from '@sluice/client';

/** Supplied less borrowed: what is in the market and not lent. Null when a part is unknown. */
export function tvlUsd(
  totals: { readonly suppliedUsd: string | null; readonly borrowedUsd: string | null } | null,
): string | null {
  if (totals === null || totals.suppliedUsd === null || totals.borrowedUsd === null) return null;
  return Decimal.of(totals.suppliedUsd).minus(Decimal.of(totals.borrowedUsd)).toString();
}
