import type { SeriesTable } from './columns.ts';
import { MARKET_SERIES } from './market-series.ts';
import { PRICE_SERIES } from './price-series.ts';
import { RESERVE_SERIES } from './reserve-series.ts';
import { REWARD_SERIES } from './reward-series.ts';
import { VAULT_SERIES } from './vault-series.ts';

/** The series whose key is a single address. */
export const SERIES_OF_KIND = {
  vault: VAULT_SERIES,
  reserve: RESERVE_SERIES,
  market: MARKET_SERIES,
  price: PRICE_SERIES,
} as const;

export type SeriesKind = keyof typeof SERIES_OF_KIND;

export const ALL_TABLES: readonly SeriesTable[] = [
  ...Object.values(SERIES_OF_KIND).map(({ table }) => table),
  REWARD_SERIES.table,
];
