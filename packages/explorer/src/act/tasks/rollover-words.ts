import { type ActionPreview, Decimal } from '@sluice/client';
import { day } from '../../format/dates.ts';

export type RolloverSettings = NonNullable<ActionPreview['rollover']>['before'];

const DAY_SECONDS = 86_400n;

/** Whole days, as far as they are whole. */
export function daysText(seconds: string): string {
  const days = Decimal.of(seconds).dividedBy(Decimal.of(DAY_SECONDS), 2);
  if (days.isZero) return 'None';
  return `${days.format()} ${days.equals(Decimal.of('1')) ? 'day' : 'days'}`;
}

/** Basis points as a fraction: 1 is 0.0001. */
export const bpsFraction = (bps: string): string => Decimal.fromBaseUnits(bps, 4).toString();

/** Basis points as percent to type, without a sign. */
export const bpsPercent = (bps: string): string => Decimal.fromBaseUnits(bps, 2).toString();

/** Seconds as whole days to type; empty for none. */
export const typedDays = (seconds: string): string =>
  seconds === '0' ? '' : (BigInt(seconds) / DAY_SECONDS).toString();

interface ReserveTerms {
  readonly address: string;
  readonly borrowApr: string;
  readonly terms: { readonly termSeconds: string | null; readonly maturesAt: string | null };
}

/** `6.2% a year for 90 days`. A reserve that cannot be read has no words of its own. */
export function termsInWords(reserve: ReserveTerms | null): string {
  if (reserve === null) return 'a reserve that cannot be read';
  const { borrowApr, terms } = reserve;
  const rate = `${Decimal.of(borrowApr).format({ style: 'percent', places: 2 })} a year`;
  if (terms.termSeconds !== null) return `${rate} for ${BigInt(terms.termSeconds) / DAY_SECONDS} days`;
  if (terms.maturesAt === null) return `${rate} without an end`;
  return `${rate} until ${day(new Date(terms.maturesAt), new Date())}`;
}
