import { Decimal } from '@sluice/client';

const UNITS = [
  [Decimal.of('1000000000'), 'billion'],
  [Decimal.of('1000000'), 'million'],
  [Decimal.of('1000'), 'thousand'],
] as const;

/** A screen reader would read "$18.8M" letter by letter: "18.8 million dollars". */
export function spokenUsd(value: Decimal, change: boolean): string {
  const sign = value.isNegative ? 'minus ' : change && !value.isZero ? 'plus ' : '';
  const size = value.abs();
  const unit = UNITS.find(([least]) => size.compare(least) >= 0 && least.compare(Decimal.of('10000')) > 0);
  const digits =
    unit === undefined
      ? size.format({ locale: 'en-US', places: 2, minPlaces: size.places === 0 ? 0 : 2 })
      : `${size.dividedBy(unit[0], 3).format({ locale: 'en-US', places: 1 })} ${unit[1]}`;
  return `${sign}${digits} dollars`;
}
