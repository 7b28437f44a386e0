import type { Address } from '@solana/kit';
import { MARKET_SERIES } from '../../../src/store/history/market-series.ts';
import { PRICE_SERIES } from '../../../src/store/history/price-series.ts';
import { readPoints } from '../../../src/store/history/read-series.ts';
import { RESERVE_SERIES } from '../../../src/store/history/reserve-series.ts';
import type { SeriesRange } from '../../../src/store/history/time-buckets.ts';
import { VAULT_SERIES } from '../../../src/store/history/vault-series.ts';
import type { Database, Sql } from '../../../src/store/sql.ts';

/** All fields of the stored points of some vaults. */
export const readVaultPoints = (sql: Sql, vaults: readonly Address[], range: SeriesRange) =>
  readPoints(sql, VAULT_SERIES, vaults, range);

export const readReservePoints = (sql: Sql, reserves: readonly Address[], range: SeriesRange) =>
  readPoints(sql, RESERVE_SERIES, reserves, range);

export const readMarketPoints = (sql: Sql, markets: readonly Address[], range: SeriesRange) =>
  readPoints(sql, MARKET_SERIES, markets, range);

export const readPricePoints = (sql: Sql, mints: readonly Address[], range: SeriesRange) =>
  readPoints(sql, PRICE_SERIES, mints, range);

/** The first and the last recorded minute; null when nothing is recorded. */
export async function recordedMinutes({
  models,
}: Database): Promise<{ readonly first: Date; readonly last: Date } | null> {
  const ends = await models.snapshot.aggregate({ _min: { bucket: true }, _max: { bucket: true } });
  const [first, last] = [ends._min.bucket, ends._max.bucket];
  return first === null || last === null ? null : { first, last };
}
