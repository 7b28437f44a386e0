import { decimal, seriesTable, subject } from './columns.ts';
import { bigintOf, instantOf, integerOf, optionalDecimalOf } from './rows.ts';
import type { PriceSample } from './samples.ts';
import type { PointTime, Series } from './series.ts';

/** A bucket of a token: its last price and stake rate. */
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
  read: (row) => ({
    bucket: instantOf(row, 'bucket'),
    samples: integerOf(row, 'samples'),
    slot: bigintOf(row, 'slot'),
    sampledAt: instantOf(row, 'sampled_at'),
    priceUsd: optionalDecimalOf(row, 'price_usd'),
    stakeRateSol: optionalDecimalOf(row, 'stake_rate_sol'),
  }),
};
