const usd = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 5,
});
const tokens = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 5 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });
const price = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 6,
});

/** Labels of axes and legends, of floats. With fewer digits, the labels of an axis over a small range would be equal. */
export const formatUsd = (value: number): string => usd.format(value);
export const formatTokens = (value: number): string => tokens.format(value);
export const formatPercent = (value: number): string => percent.format(value);
export const formatPrice = (value: number): string => price.format(value);
