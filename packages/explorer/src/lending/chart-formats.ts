import { Decimal } from '@sluice/client';
import { price, rate, usdShort } from '../format/numbers.ts';

/** Labels of axes and legends, of floats: a chart draws pixels, and exact values stand beside it. */
const of = (value: number): Decimal => Decimal.of(value.toFixed(12));

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** $107.9K; cents where the whole axis is small. */
export const formatUsd = (value: number): string =>
  Math.abs(value) < 100 && !Number.isInteger(value) ? `$${value.toFixed(2)}` : usdShort(of(value)).text;
export const formatTokens = (value: number): string => compact.format(value);
export const formatPercent = (value: number): string => rate(of(value)).text;
export const formatPrice = (value: number): string => price(of(value)).text;
