import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { integerOf, meanOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { RESERVE_SERIES } from './reserve-series.ts';
import { DAY, HOUR, instantText, type TimeSpan } from './time-buckets.ts';

/** A reserve and a span of its history. */
export interface AverageRequest extends TimeSpan {
  readonly reserve: Address;
  /** Width of the buckets to add up. Days are used where hours do not reach back to the start. */
  readonly step: typeof HOUR | typeof DAY;
}

/** Means of the interest yields over all samples of a span, as yearly fractions. */
export interface AverageRates {
  readonly supplyApy: Rational;
  readonly borrowApy: Rational;
}

/**
 * Means over the whole buckets that begin in each span; null for a reserve that was not recorded yet when its span began. A
 * gap in the recording counts for nothing. One statement, however many reserves and spans.
 */
export async function averageRates(
  sql: Sql,
  requests: readonly AverageRequest[],
): Promise<(AverageRates | null)[]> {
  const averages = new Array<AverageRates | null>(requests.length).fill(null);
  if (requests.length === 0) return averages;
  const rows = await sql.rows(STATEMENT, [
    requests.map(({ reserve }) => reserve),
    requests.map(({ start }) => instantText(start)),
    requests.map(({ end }) => instantText(end)),
    requests.map(({ step }) => step),
    [HOUR, DAY],
  ]);
  for (const row of rows) {
    averages[integerOf(row, 'nth') - 1] = {
      supplyApy: meanOf(row, 'supply_apy'),
      borrowApy: meanOf(row, 'borrow_apy'),
    };
  }
  return averages;
}

const POINTS = `FROM ${RESERVE_SERIES.table.name} p WHERE p.reserve_id = s.id AND p.step =`;

const STATEMENT = `SELECT a.nth::integer AS nth, t.samples, t.supply_apy_sum, t.borrow_apy_sum
  FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::integer[])
    WITH ORDINALITY AS a(address, start, "end", finest, nth)
  JOIN subject s ON s.address = a.address
  CROSS JOIN LATERAL (
    SELECT k.step FROM unnest($5::integer[]) AS k(step)
    WHERE k.step >= a.finest AND EXISTS (SELECT 1 ${POINTS} k.step AND p.bucket <= a.start)
    ORDER BY k.step LIMIT 1
  ) c
  CROSS JOIN LATERAL (
    SELECT sum(p.samples)::integer AS samples, sum(p.supply_apy_sum)::text AS supply_apy_sum,
      sum(p.borrow_apy_sum)::text AS borrow_apy_sum
    ${POINTS} c.step AND p.bucket >= a.start AND p.bucket < a."end"
  ) t
  WHERE t.samples > 0`;
