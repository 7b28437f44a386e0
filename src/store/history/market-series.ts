import { decimal, integer, seriesTable, subject } from './columns.ts';
import { optionalDecimalField, optionalIntegerField, TIME_FIELDS } from './point-fields.ts';
import type { MarketSample } from './samples.ts';
import type { PointTime, Series } from './series.ts';

/** A bucket of a market, with its last values. */
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
  fields: {
    ...TIME_FIELDS,
    depositUsd: optionalDecimalField('deposit_usd'),
    borrowUsd: optionalDecimalField('borrow_usd'),
    obligations: optionalIntegerField('obligations'),
  },
};
