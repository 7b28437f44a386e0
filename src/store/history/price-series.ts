import { decimal, seriesTable, subject } from './columns.ts';
import { optionalDecimalField, TIME_FIELDS } from './point-fields.ts';
import type { PriceSample } from './samples.ts';
import type { PointTime, Series } from './series.ts';

/** A bucket of a token, with its last price and stake rate. */
export interface PricePoint extends PointTime, Omit<PriceSample, 'mint'> {}

export const PRICE_SERIES: Series<PricePoint> = {
  table: seriesTable<PriceSample>({
    name: 'price_point',
    samplesIn: ({ prices }) => prices,
    addressesOf: ({ mint }) => [mint],
    columns: [
      subject('mint_id', 'key', (s) => s.mint),
      decimal('price_usd', (s) => s.priceUsd),
      decimal('stake_rate_sol', (s) => s.stakeRateSol),
    ],
  }),
  fields: {
    ...TIME_FIELDS,
    priceUsd: optionalDecimalField('price_usd'),
    stakeRateSol: optionalDecimalField('stake_rate_sol'),
  },
};
