import { Decimal } from '@sluice/client';

/** A part of a count as a fraction, cut to a hundredth of a percent. */
export const partOf = (count: number, all: number): string =>
  all === 0 ? '0' : Decimal.fromBaseUnits((BigInt(count) * 10_000n) / BigInt(all), 4).toString();

/** A range of days until the end of a debt in words. */
export function endWords({
  fromDays,
  toDays,
}: {
  readonly fromDays: number | null;
  readonly toDays: number | null;
}): string {
  if (fromDays === null) return 'Ended';
  if (toDays === null) return `In more than ${fromDays} days`;
  if (fromDays === 0) return toDays === 1 ? 'Within a day' : `Within ${toDays} days`;
  return `In ${fromDays} to ${toDays} days`;
}

/** A range of health factors in words. A bound is null when there is none. */
export function rangeWords({
  from,
  to,
}: {
  readonly from: string | null;
  readonly to: string | null;
}): string {
  if (from === null) return to === null ? 'Any' : `Below ${to}`;
  return to === null ? `${from} and above` : `${from} to ${to}`;
}
