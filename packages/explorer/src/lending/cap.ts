/** Digits after the decimal point of a fill: one hundredth of a percent. */
const PLACES = 4;
const U64_MAX = 18_446_744_073_709_551_615n;

export type Cap =
  /** The program checks no limit, or one that no supply can reach. */
  | { readonly kind: 'none' }
  /** A limit of zero: nothing more is accepted. */
  | { readonly kind: 'closed' }
  /** Part of the limit that is used, as a fraction. Above 1 when interest has grown past it. */
  | { readonly kind: 'limited'; readonly fill: string };

/** Used part of a limit, from base units, so that nothing is rounded but the last digit, which is cut. */
export function capOf(usedUnits: string, capacityUnits: string | null): Cap {
  if (capacityUnits === null) return { kind: 'none' };
  const capacity = BigInt(capacityUnits);
  if (capacity >= U64_MAX) return { kind: 'none' };
  if (capacity === 0n) return { kind: 'closed' };
  const digits = ((BigInt(usedUnits) * 10n ** BigInt(PLACES)) / capacity)
    .toString()
    .padStart(PLACES + 1, '0');
  return { kind: 'limited', fill: `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}` };
}
