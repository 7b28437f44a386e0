import { Decimal } from '@sluice/client';

/** Exact sum. Null when a part is unknown: a sum without it would be too small. */
export function usdSum(parts: readonly (string | null | undefined)[]): string | null {
  let sum = Decimal.of('0');
  for (const part of parts) {
    if (part === null || part === undefined) return null;
    sum = sum.plus(Decimal.of(part));
  }
  return sum.toString();
}

/** The sum of the parts that are known, for totals that say so. */
export const knownUsdSum = (parts: readonly (string | null | undefined)[]): string =>
  usdSum(parts.filter((part) => part !== null && part !== undefined)) ?? '0';
