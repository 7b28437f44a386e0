import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { decimalOf, instantOf, integerOf, type Row, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { RESERVE_SERIES } from './reserve-series.ts';
import { DAY, HOUR, instantText } from './time-buckets.ts';

/** A reserve and the start of a span of its history. */
export interface AverageRequest {
  readonly reserve: Address;
  readonly start: Date;
  /** Width of the buckets to add up. Days are used where hours do not reach back to the start. */
  readonly step: typeof HOUR | typeof DAY;
}

/** Means over all samples of a span, as fractions; the yields are per year. */
export interface AverageRates {
  readonly supplyApy: Rational;
  readonly borrowApy: Rational;
  /** Mean borrowed / mean supplied; 0 when nothing was supplied. */
  readonly utilization: Rational;
}

/**
 * Means over the whole buckets that begin in each span, up to but excluding `end`; null for a reserve that was not recorded
 * yet when its span began. A gap in the recording counts for nothing. One statement, which reads each bucket once, however
 * many reserves and spans.
 */
export async function averageRates(
  sql: Sql,
  requests: readonly AverageRequest[],
  end: Date,
): Promise<(AverageRates | null)[]> {
  if (requests.length === 0) return [];
  const starts: Starts = {
    [HOUR]: startsOf(requests.filter(({ step }) => step === HOUR)),
    [DAY]: startsOf(requests),
  };
  const rows = await sql.rows(STATEMENT, [
    [...new Set(requests.map(({ reserve }) => reserve))],
    ...[HOUR, DAY].flatMap((step) => [step, starts[step].map((start) => instantText(new Date(start)))]),
    instantText(end),
  ]);
  const recorded = new Map<string, RecordedStep>();
  for (const row of rows) addRow(recorded, row);
  return requests.map((request) => meansIn(recorded, starts, request));
}

type Starts = Readonly<Record<typeof HOUR | typeof DAY, readonly number[]>>;

/** The distinct starts of spans, ascending. */
const startsOf = (requests: readonly AverageRequest[]): number[] =>
  [...new Set(requests.map(({ start }) => start.getTime()))].sort((a, b) => a - b);

/** Sums over the samples of a reserve. */
interface Sums {
  readonly samples: number;
  readonly supplyApy: Rational;
  readonly borrowApy: Rational;
  readonly supplied: Rational;
  readonly borrowed: Rational;
}

const NOTHING: Sums = { samples: 0, supplyApy: ZERO, borrowApy: ZERO, supplied: ZERO, borrowed: ZERO };

interface RecordedStep {
  /** Time of the oldest bucket, in milliseconds. */
  readonly first: number;
  /** From one start of a span to the next; undefined where nothing was recorded. */
  readonly segments: (Sums | undefined)[];
  /** From each start of a span to the end. */
  since?: readonly Sums[];
}

const keyOf = (reserve: string, step: number) => `${reserve} ${step}`;

function addRow(recorded: Map<string, RecordedStep>, row: Row): void {
  const key = keyOf(textOf(row, 'address'), integerOf(row, 'step'));
  const known = recorded.get(key) ?? { first: instantOf(row, 'first').getTime(), segments: [] };
  known.segments[integerOf(row, 'segment') - 1] = {
    samples: integerOf(row, 'samples'),
    supplyApy: decimalOf(row, 'supply_apy_sum'),
    borrowApy: decimalOf(row, 'borrow_apy_sum'),
    supplied: decimalOf(row, 'total_supply_sum'),
    borrowed: decimalOf(row, 'total_borrows_sum'),
  };
  recorded.set(key, known);
}

/** From the finest buckets that reach back to the start of the span. */
function meansIn(
  recorded: ReadonlyMap<string, RecordedStep>,
  starts: Starts,
  { reserve, start, step }: AverageRequest,
): AverageRates | null {
  for (const width of [HOUR, DAY] as const) {
    const known = recorded.get(keyOf(reserve, width));
    if (width < step || known === undefined || known.first > start.getTime()) continue;
    known.since ??= sumsSince(known, starts[width].length);
    return meansOf(known.since[starts[width].indexOf(start.getTime())] ?? NOTHING);
  }
  return null;
}

function sumsSince({ segments }: RecordedStep, count: number): Sums[] {
  const since = new Array<Sums>(count);
  let sums = NOTHING;
  for (let i = count - 1; i >= 0; i -= 1) {
    sums = added(sums, segments[i] ?? NOTHING);
    since[i] = sums;
  }
  return since;
}

const added = (a: Sums, b: Sums): Sums => ({
  samples: a.samples + b.samples,
  supplyApy: a.supplyApy.add(b.supplyApy),
  borrowApy: a.borrowApy.add(b.borrowApy),
  supplied: a.supplied.add(b.supplied),
  borrowed: a.borrowed.add(b.borrowed),
});

function meansOf({ samples, supplyApy, borrowApy, supplied, borrowed }: Sums): AverageRates | null {
  if (samples === 0) return null;
  return {
    supplyApy: supplyApy.div(integer(samples)),
    borrowApy: borrowApy.div(integer(samples)),
    utilization: supplied.isZero ? ZERO : borrowed.div(supplied),
  };
}

const POINTS = `FROM ${RESERVE_SERIES.table.name} p WHERE p.reserve_id = s.id AND p.step = k.step`;

const STATEMENT = `SELECT s.address, k.step, f.first, t.*
  FROM unnest($1::text[]) AS a(address)
  JOIN subject s ON s.address = a.address
  CROSS JOIN (VALUES ($2::integer, $3::timestamptz[]), ($4::integer, $5::timestamptz[])) AS k(step, starts)
  CROSS JOIN LATERAL (SELECT date_part('epoch', min(p.bucket)) * 1000 AS first ${POINTS}) f
  CROSS JOIN LATERAL (
    SELECT width_bucket(p.bucket, k.starts) AS segment, sum(p.samples)::integer AS samples,
      sum(p.supply_apy_sum)::text AS supply_apy_sum, sum(p.borrow_apy_sum)::text AS borrow_apy_sum,
      sum(p.total_supply_sum)::text AS total_supply_sum, sum(p.total_borrows_sum)::text AS total_borrows_sum
    ${POINTS} AND p.bucket >= k.starts[1] AND p.bucket < $6::timestamptz
    GROUP BY 1
  ) t`;
