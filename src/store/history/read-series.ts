import { type Address, address } from '@solana/kit';
import { z } from 'zod';
import type { Sql } from '../sql.ts';
import { allColumns, type Column, leadingKey, type SeriesTable } from './columns.ts';
import { MARKET_SERIES, type MarketPoint } from './market-series.ts';
import { PRICE_SERIES, type PricePoint } from './price-series.ts';
import { reserveConfigFrom } from './reserve-configs.ts';
import { RESERVE_SERIES, type ReservePoint } from './reserve-series.ts';
import { integerOf, type Row, refuse } from './rows.ts';
import type { Names, PointTime, Series } from './series.ts';
import { instantText, type SeriesRange } from './steps.ts';
import { VAULT_SERIES, type VaultPoint } from './vault-series.ts';

/** Points by address, ascending; an address without any has an empty list. */
export type Points<P> = ReadonlyMap<Address, readonly P[]>;

/** One statement, however many vaults. */
export function readVaultPoints(
  sql: Sql,
  vaults: readonly Address[],
  range: SeriesRange,
): Promise<Points<VaultPoint>> {
  return readPoints(sql, VAULT_SERIES, vaults, range);
}

/** One statement, however many reserves. */
export function readReservePoints(
  sql: Sql,
  reserves: readonly Address[],
  range: SeriesRange,
): Promise<Points<ReservePoint>> {
  return readPoints(sql, RESERVE_SERIES, reserves, range);
}

/** One statement, however many markets. */
export function readMarketPoints(
  sql: Sql,
  markets: readonly Address[],
  range: SeriesRange,
): Promise<Points<MarketPoint>> {
  return readPoints(sql, MARKET_SERIES, markets, range);
}

/** One statement, however many mints. */
export function readPricePoints(
  sql: Sql,
  mints: readonly Address[],
  range: SeriesRange,
): Promise<Points<PricePoint>> {
  return readPoints(sql, PRICE_SERIES, mints, range);
}

async function readPoints<P extends PointTime>(
  sql: Sql,
  series: Series<P>,
  addresses: readonly Address[],
  { start, end, step }: SeriesRange,
): Promise<Points<P>> {
  const asked = [...new Set(addresses)];
  const lists = asked.map((): P[] => []);
  const params = [asked, step, instantText(start), instantText(end)];
  if (asked.length > 0 && start < end) {
    const rows = await sql.rows(seriesStatement(series.table), params);
    readRows(series, rows, (row) => lists[integerOf(row, 'asked') - 1]);
  }
  return new Map(asked.map((each, index) => [each, lists[index] ?? []]));
}

/** The rows of a series go to the lists that they were asked for, each ascending. */
export function readRows<P extends PointTime>(
  series: Series<P>,
  rows: readonly Row[],
  listOf: (row: Row) => P[] | undefined,
): void {
  const names = namesIn(rows);
  const touched = new Set<P[]>();
  for (const row of rows) {
    const list = listOf(row) ?? refuse(row, 'asked', 'one of the addresses');
    list.push(series.read(row, names));
    touched.add(list);
  }
  // They come in the order of the key, which no statement promises; sorting what is sorted costs next to nothing.
  for (const list of touched) list.sort((a, b) => a.bucket.getTime() - b.bucket.getTime());
}

/**
 * The points of many series, each found by the primary key: `OFFSET 0` keeps the planner from joining the whole table
 * instead, so the cost is that of the points that come back.
 */
function seriesStatement(table: SeriesTable): string {
  return withNames(
    table,
    `SELECT a.asked::integer AS asked, t.*
     FROM unnest($1::text[]) WITH ORDINALITY AS a(address, asked)
     JOIN subject s ON s.address = a.address
     CROSS JOIN LATERAL (
       SELECT * FROM ${table.name} p
       WHERE p.${leadingKey(table)} = s.id AND p.step = $2::integer
         AND p.bucket >= $3::timestamptz AND p.bucket < $4::timestamptz
       ORDER BY p.bucket OFFSET 0
     ) t`,
  );
}

/** Rows with a column `asked`, and with the names of their ids once, in whichever row comes first. */
export function withNames(table: SeriesTable, points: string): string {
  const once = (query: string) => `CASE WHEN row_number() OVER () = 1 THEN (${query}) END`;
  const lists = table.columns.filter(({ name }) => table.named.includes(name)).map(asList);
  const subjects = `SELECT json_agg(json_build_array(s.id, s.address))::text FROM subject s
    WHERE s.id = ANY(ARRAY(SELECT DISTINCT unnest(${lists.join(' || ')}) FROM points))`;
  const configs = `SELECT json_agg(json_build_array(c.id, c.config))::text FROM reserve_config c
    WHERE c.id = ANY(ARRAY(SELECT DISTINCT config_id FROM points))`;
  return `WITH points AS (${points})
    SELECT asked, ${allColumns(table).map(selected).join(', ')},
      ${lists.length > 0 ? once(subjects) : 'NULL::text'} AS subjects,
      ${table.configured ? once(configs) : 'NULL::text'} AS configs
    FROM points`;
}

const asList = ({ name, type }: Column): string => (type === 'integers' ? name : `ARRAY[${name}]`);

/** No number of a driver touches what has to stay exact, nor its time zone an instant. */
export function selected({ name, type }: Column): string {
  switch (type) {
    case 'integer':
    case 'text':
      return name;
    case 'instant':
      return `date_part('epoch', ${name}) * 1000 AS ${name}`;
    case 'bigint':
    case 'decimal':
    case 'integers':
    case 'decimals':
      return `${name}::text AS ${name}`;
  }
}

const namesSchema = z.array(z.tuple([z.number().int(), z.string()]));
const configsSchema = z.array(z.tuple([z.number().int(), z.unknown()]));

function namesIn(rows: readonly Row[]): Names {
  const text = (column: string) => rows.map((row) => row[column]).find((value) => typeof value === 'string');
  const parsed = (column: string): unknown => JSON.parse(text(column) ?? '[]');
  const addresses = new Map(
    namesSchema.parse(parsed('subjects')).map(([id, value]) => [id, address(value)] as const),
  );
  const configs = new Map(
    configsSchema.parse(parsed('configs')).map(([id, value]) => [id, reserveConfigFrom(value)] as const),
  );
  return {
    addressOf: (id) => addresses.get(id) ?? refuse({ id }, 'id', 'a subject'),
    configOf: (id) => configs.get(id) ?? refuse({ id }, 'id', 'a configuration'),
  };
}
