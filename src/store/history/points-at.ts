import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { mapRows } from '../map-rows.ts';
import { decimalOf, instantOf, integerOf, optionalDecimalOf, type Row } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { leadingKey, type SeriesTable } from './columns.ts';
import { PRICE_SERIES } from './price-series.ts';
import { selected } from './read-rows.ts';
import { RESERVE_SERIES } from './reserve-series.ts';
import { DAY, HOUR, instantText, MINUTE, STEPS, type Step } from './time-buckets.ts';
import { VAULT_SERIES } from './vault-series.ts';

/** When and at which step a value was last sampled. */
interface Observation {
  readonly sampledAt: Date;
  /** Width of the finest bucket that still has the sample. */
  readonly step: Step;
}

export interface ObservedSharePrice extends Observation {
  readonly tokensPerShare: Rational;
  readonly tokenPriceUsd: Rational | null;
}

export interface ObservedPrice extends Observation {
  readonly priceUsd: Rational | null;
  readonly stakeRateSol: Rational | null;
}

export interface ObservedReserveRates extends Observation {
  /** Collateral per liquidity. */
  readonly exchangeRate: Rational;
  /** Null in imported history. */
  readonly cumulativeBorrowRate: Rational | null;
  readonly priceUsd: Rational | null;
}

export interface SharePrices {
  /** The oldest stored price from a time when shares existed; null when there is none. */
  readonly first: ObservedSharePrice | null;
  /** One per instant: zero while there were no shares, null before the first sample. */
  readonly at: readonly (ObservedSharePrice | null)[];
}

/**
 * Maximum age of a price, by the step of its bucket. Where minutes are stored, this bridges a recorder pause
 * of two hours; where only days are left, the last price of the previous day is the best available.
 */
export const PRICE_TOLERANCE_SECONDS: { readonly [S in Step]: number } = {
  [MINUTE]: 2 * HOUR,
  [HOUR]: 2 * HOUR,
  [DAY]: 2 * DAY,
};

/** The share price at each instant, from the newest sample at or before it. One statement for all vaults. */
export async function sharePricesAt(
  sql: Sql,
  vaults: readonly Address[],
  instants: readonly Date[],
): Promise<ReadonlyMap<Address, SharePrices>> {
  const unique = [...new Set(vaults)];
  const lists = unique.map(() => new Array<ObservedSharePrice | null>(instants.length + 1).fill(null));
  if (unique.length > 0) {
    const rows = await sql.rows(SHARE_PRICES_STATEMENT, [unique, STEPS, instants.map(instantText)]);
    await mapRows(sql, rows, (row) => {
      const list = lists[integerOf(row, 'input_index') - 1];
      if (list === undefined) return;
      list[integerOf(row, 'nth')] = {
        ...observationOf(row),
        tokensPerShare: decimalOf(row, 'tokens_per_share'),
        tokenPriceUsd: optionalDecimalOf(row, 'token_price_usd'),
      };
    });
  }
  return new Map(
    unique.map((vault, index) => {
      const [first = null, ...at] = lists[index] ?? [];
      return [vault, { first, at }];
    }),
  );
}

/** A token at an instant. */
export interface PriceRequest {
  readonly mint: Address;
  readonly instant: Date;
}

/**
 * Prices from the newest sample at or before each instant; null when there is none recent enough. One
 * statement.
 */
export async function pricesAt(
  sql: Sql,
  requests: readonly PriceRequest[],
): Promise<readonly (ObservedPrice | null)[]> {
  const prices = new Array<ObservedPrice | null>(requests.length).fill(null);
  if (requests.length === 0) return prices;
  const rows = await sql.rows(PRICES_STATEMENT, [
    requests.map(({ mint }) => mint),
    STEPS,
    requests.map(({ instant }) => instantText(instant)),
  ]);
  await mapRows(sql, rows, (row) => {
    const index = integerOf(row, 'nth') - 1;
    const instant = requests[index]?.instant;
    const observed = observationOf(row);
    if (instant === undefined || ageSeconds(observed, instant) > PRICE_TOLERANCE_SECONDS[observed.step])
      return;
    prices[index] = {
      ...observed,
      priceUsd: optionalDecimalOf(row, 'price_usd'),
      stakeRateSol: optionalDecimalOf(row, 'stake_rate_sol'),
    };
  });
  return prices;
}

/** A reserve at an instant. */
export interface RatesRequest {
  readonly reserve: Address;
  readonly instant: Date;
}

/** The newest sample at or before an instant, and the oldest after it; null where there is none. */
export interface RatesAround {
  readonly before: ObservedReserveRates | null;
  readonly after: ObservedReserveRates | null;
}

/**
 * The token value of collateral and debt around each instant. One statement, however many reserves and
 * instants.
 */
export async function reserveRatesAround(
  sql: Sql,
  requests: readonly RatesRequest[],
): Promise<readonly RatesAround[]> {
  const before = new Array<ObservedReserveRates | null>(requests.length).fill(null);
  const after = [...before];
  if (requests.length === 0) return [];
  const rows = await sql.rows(RATES_STATEMENT, [
    requests.map(({ reserve }) => reserve),
    STEPS,
    requests.map(({ instant }) => instantText(instant)),
  ]);
  await mapRows(sql, rows, (row) => {
    const rates = row.is_after === true ? after : before;
    rates[integerOf(row, 'nth') - 1] = {
      ...observationOf(row),
      exchangeRate: decimalOf(row, 'exchange_rate'),
      cumulativeBorrowRate: optionalDecimalOf(row, 'cumulative_borrow_rate'),
      priceUsd: optionalDecimalOf(row, 'price_usd'),
    };
  });
  return requests.map((_, i) => ({ before: before[i] ?? null, after: after[i] ?? null }));
}

const ageSeconds = ({ sampledAt }: Observation, instant: Date): number =>
  (instant.getTime() - sampledAt.getTime()) / 1_000;

function observationOf(row: Row): Observation {
  const width = integerOf(row, 'step');
  return { sampledAt: instantOf(row, 'sampled_at'), step: STEPS.find((step) => step === width) ?? DAY };
}

/** The requested columns, with the step and the time of the sample. */
function observedColumns(columns: readonly string[]): string {
  const decimals = columns.map((name) => selected({ name, type: 'decimal', role: 'last' }));
  return ['step', selected({ name: 'sampled_at', type: 'instant', role: 'last' }), ...decimals].join(', ');
}

/**
 * One primary-key lookup per step. Of the steps that have a sample the newest sample wins, and on a tie the
 * finest step.
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

/**
 * A bucket that was still filling at the instant holds a later value, so the previous one is used. This skips
 * at most one row.
 */
const upTo = (instant: string) => `AND p.bucket <= ${instant} AND p.sampled_at <= ${instant}`;

/** The bucket of the instant itself holds a later value if it was still filling. This skips at most one row. */
const from = (instant: string) =>
  `AND p.bucket > ${instant} - k.step * interval '1 second' AND p.sampled_at > ${instant}`;

const SHARE_PRICE_COLUMNS = ['tokens_per_share', 'token_price_usd'];
const WITH_SHARES = 'AND p.tokens_per_share > 0';
/** Null in imported history. */
const WITH_SHARE_PRICE = 'AND p.tokens_per_share IS NOT NULL';

/** Per vault, the first price of its shares, then one price per instant. */
const SHARE_PRICES_STATEMENT = `SELECT input_index, nth, ${observedColumns(SHARE_PRICE_COLUMNS)}
  FROM (
    SELECT a.input_index::integer AS input_index, 0 AS nth, t.*
    FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
    JOIN subject s ON s.address = a.address
    CROSS JOIN LATERAL (${probe(VAULT_SERIES.table, SHARE_PRICE_COLUMNS, WITH_SHARES, 'ASC')}) t
    UNION ALL
    SELECT a.input_index::integer, w.nth::integer, t.*
    FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
    JOIN subject s ON s.address = a.address
    CROSS JOIN unnest($3::timestamptz[]) WITH ORDINALITY AS w(instant, nth)
    CROSS JOIN LATERAL (${probe(VAULT_SERIES.table, SHARE_PRICE_COLUMNS, `${WITH_SHARE_PRICE} ${upTo('w.instant')}`, 'DESC')}) t
  ) found`;

const RATE_COLUMNS = ['exchange_rate', 'cumulative_borrow_rate', 'price_usd'];

const RATES_STATEMENT = `SELECT nth, is_after, ${observedColumns(RATE_COLUMNS)}
  FROM (
    SELECT a.nth::integer AS nth, t.*
    FROM unnest($1::text[], $3::timestamptz[]) WITH ORDINALITY AS a(address, instant, nth)
    JOIN subject s ON s.address = a.address
    CROSS JOIN LATERAL (
      SELECT false AS is_after, b.* FROM (${probe(RESERVE_SERIES.table, RATE_COLUMNS, upTo('a.instant'), 'DESC')}) b
      UNION ALL
      SELECT true, b.* FROM (${probe(RESERVE_SERIES.table, RATE_COLUMNS, from('a.instant'), 'ASC')}) b
    ) t
  ) found`;

const PRICE_COLUMNS = ['price_usd', 'stake_rate_sol'];

const PRICES_STATEMENT = `SELECT nth, ${observedColumns(PRICE_COLUMNS)}
  FROM (
    SELECT a.nth::integer AS nth, t.*
    FROM unnest($1::text[], $3::timestamptz[]) WITH ORDINALITY AS a(address, instant, nth)
    JOIN subject s ON s.address = a.address
    CROSS JOIN LATERAL (${probe(PRICE_SERIES.table, PRICE_COLUMNS, upTo('a.instant'), 'DESC')}) t
  ) found`;
