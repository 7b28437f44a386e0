import type { Address } from '@solana/kit';
import type { Sql } from '../sql.ts';
import { type Column, leadingKey, type SeriesTable } from './columns.ts';
import { MARKET_SERIES, type MarketPoint } from './market-series.ts';
import { PRICE_SERIES, type PricePoint } from './price-series.ts';
import { columnsOf, everyField, readRows, withNames } from './read-rows.ts';
import { RESERVE_SERIES, type ReservePoint } from './reserve-series.ts';
import { integerOf } from './rows.ts';
import type { PointTime, Selected, Series } from './series.ts';
import { instantText, type SeriesRange } from './steps.ts';
import { VAULT_SERIES, type VaultPoint } from './vault-series.ts';

/** Points by address, ascending; an address without points has an empty list. */
export type Points<P> = ReadonlyMap<Address, readonly P[]>;

/** One statement, however many vaults. */
export const readVaultPoints = <F extends keyof VaultPoint = keyof VaultPoint>(
  sql: Sql,
  vaults: readonly Address[],
  range: SeriesRange,
  fields?: readonly F[],
): Promise<Points<Selected<VaultPoint, F>>> => readPoints(sql, VAULT_SERIES, vaults, range, fields);

/** One statement, however many reserves. */
export const readReservePoints = <F extends keyof ReservePoint = keyof ReservePoint>(
  sql: Sql,
  reserves: readonly Address[],
  range: SeriesRange,
  fields?: readonly F[],
): Promise<Points<Selected<ReservePoint, F>>> => readPoints(sql, RESERVE_SERIES, reserves, range, fields);

/** One statement, however many markets. */
export const readMarketPoints = <F extends keyof MarketPoint = keyof MarketPoint>(
  sql: Sql,
  markets: readonly Address[],
  range: SeriesRange,
  fields?: readonly F[],
): Promise<Points<Selected<MarketPoint, F>>> => readPoints(sql, MARKET_SERIES, markets, range, fields);

/** One statement, however many mints. */
export const readPricePoints = <F extends keyof PricePoint = keyof PricePoint>(
  sql: Sql,
  mints: readonly Address[],
  range: SeriesRange,
  fields?: readonly F[],
): Promise<Points<Selected<PricePoint, F>>> => readPoints(sql, PRICE_SERIES, mints, range, fields);

/** Reads every field unless `fields` is given. */
async function readPoints<P extends PointTime, F extends keyof P>(
  sql: Sql,
  series: Series<P>,
  addresses: readonly Address[],
  { start, end, step }: SeriesRange,
  fields: readonly F[] = everyField(series) as readonly F[],
): Promise<Points<Selected<P, F>>> {
  const unique = [...new Set(addresses)];
  const lists = unique.map((): Selected<P, F>[] => []);
  const params = [unique, step, instantText(start), instantText(end)];
  if (unique.length > 0 && start < end) {
    const rows = await sql.rows(seriesStatement(series.table, columnsOf(series, fields)), params);
    await readRows(series, fields, rows, (row) => lists[integerOf(row, 'input_index') - 1]);
  }
  return new Map(unique.map((each, index) => [each, lists[index] ?? []]));
}

/**
 * The points of many series, each found by primary key. `OFFSET 0` stops the planner from joining the whole
 * table, so the cost is proportional to the points returned.
 */
function seriesStatement(table: SeriesTable, columns: readonly Column[]): string {
  return withNames(
    table,
    columns,
    `SELECT a.input_index::integer AS input_index, t.*
     FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
     JOIN subject s ON s.address = a.address
     CROSS JOIN LATERAL (
       SELECT ${columns.map(({ name }) => `p.${name}`).join(', ')} FROM ${table.name} p
       WHERE p.${leadingKey(table)} = s.id AND p.step = $2::integer
         AND p.bucket >= $3::timestamptz AND p.bucket < $4::timestamptz
       ORDER BY p.bucket OFFSET 0
     ) t`,
  );
}
