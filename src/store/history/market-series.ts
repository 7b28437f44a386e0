import { decimal, integer, seriesTable, subject } from './columns.ts';
import { bigintOf, instantOf, integerOf, optionalDecimalOf, optionalIntegerOf } from './rows.ts';
import type { MarketSample } from './samples.ts';
import type { PointTime, Series } from './series.ts';

/** A bucket of a market: its last values. */
export interface MarketPoint extends PointTime, Omit<MarketSample, 'market'> {}

export const MARKET_SERIES: Series<MarketPoint> = {
  table: seriesTable<MarketSample>({
    name: 'market_point',
    samplesIn: ({ markets }) => markets,
    addressesOf: ({ market }) => [market],
    columns: [
      subject('market_id', 'key', (s) => s.market),
      decimal('deposit_usd', (s) => s.depositUsd),
      decimal('borrow_usd', (s) => s.borrowUsd),
      integer('obligations', (s) => s.obligations),
    ],
  }),
  read: (row) => ({
    bucket: instantOf(row, 'bucket'),
    samples: integerOf(row, 'samples'),
    slot: bigintOf(row, 'slot'),
    sampledAt: instantOf(row, 'sampled_at'),
    depositUsd: optionalDecimalOf(row, 'deposit_usd'),
    borrowUsd: optionalDecimalOf(row, 'borrow_usd'),
    obligations: optionalIntegerOf(row, 'obligations'),
  }),
};
