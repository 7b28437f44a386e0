import { Decimal } from '@sluice/client';

/** The text of an amount field, and what a button for half of it would fill in. */
export function amountField(typed: string, balance: string, decimals: number) {
  const max = Decimal.of(balance);
  const half = max.times(Decimal.of('0.5')).truncated(decimals);
  // Null while the text is not a number.
  const amount = Decimal.parse(typed);
  const isTooMuch = amount !== null && amount.compare(max) > 0;
  return {
    half: half.toString(),
    isTooMuch,
    baseUnits: amount === null || amount.places > decimals ? null : amount.toBaseUnits(decimals),
    shown: amount?.format({ locale: 'en', places: 4, rounding: 'trunc' }) ?? '',
  };
}
