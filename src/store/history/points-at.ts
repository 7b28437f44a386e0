import type { Address } from '@solana/kit';
import type { Rational } from '../../numeric/rational.ts';
import type { Sql } from '../sql.ts';
import { leadingKey, type SeriesTable } from './columns.ts';
import { PRICE_SERIES } from './price-series.ts';
import { selected } from './read-rows.ts';
import { RESERVE_SERIES } from './reserve-series.ts';
import { decimalOf, instantOf, integerOf, optionalDecimalOf, type Row } from './rows.ts';
import { DAY, HOUR, instantText, MINUTE, STEPS, type Step } from './steps.ts';
import { VAULT_SERIES } from './vault-series.ts';

/** A value as it was last seen, and when. */
interface Seen {
  readonly sampledAt: Date;
  /** Width of the bucket that still tells. */
  readonly step: Step;
}

export interface SharePriceSeen extends Seen {
  readonly tokensPerShare: Rational;
  readonly tokenPriceUsd: Rational | null;
}

export interface PriceSeen extends Seen {
  readonly priceUsd: Rational | null;
  readonly stakeRateSol: Rational | null;
}

export interface ReserveRatesSeen extends Seen {
  /** Collateral per liquidity. */
  readonly exchangeRate: Rational;
  /** Null in imported history. */
  readonly cumulativeBorrowRate: Rational | null;
  readonly priceUsd: Rational | null;
}

export interface SharePrices {
  /** The oldest that is still known of a time when there were shares; null without any. */
  readonly first: SharePriceSeen | null;
  /** One per instant, zero while there were no shares; null before anything was seen. */
  readonly at: readonly (SharePriceSeen | null)[];
}

/**
 * How old a price may be, by the step that it was found in. Where minutes are kept a pause of the recorder is bridged
 * for two hours; where only days are left, the last of the day before is the best that is known.
 */
export const PRICE_TOLERANCE_SECONDS: { readonly [S in Step]: number } = {
  [MINUTE]: 2 * HOUR,
  [HOUR]: 2 * HOUR,
  [DAY]: 2 * DAY,
};

/** What a share was worth at each instant, by the newest sample at or before it. One statement for all vaults. */
export async function sharePricesAt(
  sql: Sql,
  vaults: readonly Address[],
  instants: readonly Date[],
): Promise<ReadonlyMap<Address, SharePrices>> {
  const columns = ['tokens_per_share', 'token_price_usd'];
  const read = (row: Row) => ({
    ...whenOf(row),
    tokensPerShare: decimalOf(row, 'tokens_per_share'),
    tokenPriceUsd: optionalDecimalOf(row, 'token_price_usd'),
  });
  const which = {
    first: 'AND p.tokens_per_share > 0',
    // Imported history does not know it.
    at: 'AND p.tokens_per_share IS NOT NULL',
  };
  const seen = await seenAt(sql, VAULT_SERIES.table, columns, vaults, instants, read, which);
  return new Map([...seen].map(([vault, [first = null, ...at]]) => [vault, { first, at }]));
}

/** Prices by the newest sample at or before each instant; null when there is none that is new enough. One statement. */
export async function pricesAt(
  sql: Sql,
  mints: readonly Address[],
  instants: readonly Date[],
): Promise<ReadonlyMap<Address, readonly (PriceSeen | null)[]>> {
  const columns = ['price_usd', 'stake_rate_sol'];
  const seen = await seenAt(sql, PRICE_SERIES.table, columns, mints, instants, (row) => ({
    ...whenOf(row),
    priceUsd: optionalDecimalOf(row, 'price_usd'),
    stakeRateSol: optionalDecimalOf(row, 'stake_rate_sol'),
  }));
  const fresh = (price: PriceSeen | null, instant: Date | undefined) =>
    price !== null &&
    instant !== undefined &&
    ageSeconds(price, instant) <= PRICE_TOLERANCE_SECONDS[price.step]
      ? price
      : null;
  return new Map(
    [...seen].map(([mint, [, ...at]]) => [mint, at.map((price, index) => fresh(price, instants[index]))]),
  );
}

/** A reserve at an instant. */
export interface RatesAsk {
  readonly reserve: Address;
  readonly instant: Date;
}

/**
 * What collateral and debt were worth in tokens, by the newest sample at or before each instant; null where there is
 * none. One statement, however many reserves and instants.
 */
export async function reserveRatesAt(
  sql: Sql,
  asks: readonly RatesAsk[],
): Promise<readonly (ReserveRatesSeen | null)[]> {
  const seen = new Array<ReserveRatesSeen | null>(asks.length).fill(null);
  if (asks.length === 0) return seen;
  const rows = await sql.rows(RATES_STATEMENT, [
    asks.map(({ reserve }) => reserve),
    STEPS,
    asks.map(({ instant }) => instantText(instant)),
  ]);
  for (const row of rows) {
    seen[integerOf(row, 'nth') - 1] = {
      ...whenOf(row),
      exchangeRate: decimalOf(row, 'exchange_rate'),
      cumulativeBorrowRate: optionalDecimalOf(row, 'cumulative_borrow_rate'),
      priceUsd: optionalDecimalOf(row, 'price_usd'),
    };
  }
  return seen;
}

const ageSeconds = ({ sampledAt }: Seen, instant: Date): number =>
  (instant.getTime() - sampledAt.getTime()) / 1_000;

function whenOf(row: Row): Seen {
  const width = integerOf(row, 'step');
  return { sampledAt: instantOf(row, 'sampled_at'), step: STEPS.find((step) => step === width) ?? DAY };
}

/** Which samples count as the first, and which at an instant. */
interface Which {
  readonly first: string;
  readonly at: string;
}

const ALL: Which = { first: '', at: '' };

/** Per address the first that is known, then one per instant. */
async function seenAt<V>(
  sql: Sql,
  table: SeriesTable,
  columns: readonly string[],
  addresses: readonly Address[],
  instants: readonly Date[],
  read: (row: Row) => V,
  which = ALL,
): Promise<Map<Address, (V | null)[]>> {
  const asked = [...new Set(addresses)];
  const lists = asked.map(() => new Array<V | null>(instants.length + 1).fill(null));
  if (asked.length > 0) {
    const rows = await sql.rows(seenStatement(table, columns, which), [
      asked,
      STEPS,
      instants.map(instantText),
    ]);
    for (const row of rows) {
      const list = lists[integerOf(row, 'asked') - 1];
      if (list !== undefined) list[integerOf(row, 'nth')] = read(row);
    }
  }
  return new Map(asked.map((address, index) => [address, lists[index] ?? []]));
}

/** The columns of a table that are asked for, with the step and the time of the sample. */
function seenColumns(columns: readonly string[]): string {
  const decimals = columns.map((name) => selected({ name, type: 'decimal', role: 'last' }));
  return ['step', selected({ name: 'sampled_at', type: 'instant', role: 'last' }), ...decimals].join(', ');
}

/**
 * Each is one step down the primary key per step of the series. Of several steps that saw it the newest sample counts,
 * and the finest step when they saw the same.
 */
function probe(
  table: SeriesTable,
  columns: readonly string[],
  condition: string,
  direction: 'ASC' | 'DESC',
): string {
  return `
    SELECT c.* FROM unnest($2::integer[]) AS k(step)
    CROSS JOIN LATERAL (
      SELECT p.step, p.sampled_at, ${columns.map((name) => `p.${name}`).join(', ')} FROM ${table.name} p
      WHERE p.${leadingKey(table)} = s.id AND p.step = k.step ${condition}
      ORDER BY p.bucket ${direction} LIMIT 1
    ) c
    ORDER BY c.sampled_at ${direction}, c.step LIMIT 1`;
}

/** A bucket that was still filling holds a later value, so the one before it is taken: at most one row is passed over. */
const upTo = (instant: string) => `AND p.bucket <= ${instant} AND p.sampled_at <= ${instant}`;

function seenStatement(table: SeriesTable, columns: readonly string[], { first, at }: Which): string {
  return `SELECT asked, nth, ${seenColumns(columns)}
    FROM (
      SELECT a.asked::integer AS asked, 0 AS nth, t.*
      FROM unnest($1::text[]) WITH ORDINALITY AS a(address, asked)
      JOIN subject s ON s.address = a.address
      CROSS JOIN LATERAL (${probe(table, columns, first, 'ASC')}) t
      UNION ALL
      SELECT a.asked::integer, w.nth::integer, t.*
      FROM unnest($1::text[]) WITH ORDINALITY AS a(address, asked)
      JOIN subject s ON s.address = a.address
      CROSS JOIN unnest($3::timestamptz[]) WITH ORDINALITY AS w(instant, nth)
      CROSS JOIN LATERAL (${probe(table, columns, `${at} ${upTo('w.instant')}`, 'DESC')}) t
    ) found`;
}

const RATE_COLUMNS = ['exchange_rate', 'cumulative_borrow_rate', 'price_usd'];

const RATES_STATEMENT = `SELECT nth, ${seenColumns(RATE_COLUMNS)}
  FROM (
    SELECT a.nth::integer AS nth, t.*
    FROM unnest($1::text[], $3::timestamptz[]) WITH ORDINALITY AS a(address, instant, nth)
    JOIN subject s ON s.address = a.address
    CROSS JOIN LATERAL (${probe(RESERVE_SERIES.table, RATE_COLUMNS, upTo('a.instant'), 'DESC')}) t
  ) found`;
