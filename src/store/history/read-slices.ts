import type { Address } from '@solana/kit';
import { integerOf, optionalInstantOf, optionalIntegerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { type Column, leadingKey, type SeriesTable } from './columns.ts';
import { columnsOf, readRows, withNames } from './read-rows.ts';
import type { PointTime, Selected, Series } from './series.ts';
import { DAY, HOUR, instantText, MINUTE, STEPS, type Step, type TimeSpan } from './time-buckets.ts';

/** A request for the points of one series, at a given step or at hours or days. */
export interface SliceRequest extends TimeSpan {
  readonly address: Address;
  /** Null for hours where the two limits below allow them, otherwise days. */
  readonly step: Step | null;
  /** The number of points to read at a given step, from the end of the span; null for all. */
  readonly newest: number | null;
  /** The most points to read, evenly spaced over the span and including its last; null for all. */
  readonly sampled: number | null;
  /** Maximum buckets of a slice of hours; null for no limit. */
  readonly maxHourBuckets: number | null;
  /** The longest recorded part of the span, in seconds, for which hours are used; null for no limit. */
  readonly maxHoursSpanSeconds: number | null;
}

export interface Slice<P> {
  /** Null when nothing was ever recorded for the series. */
  readonly step: Step | null;
  readonly since: Date | null;
  /** Ascending; at most `MAX_SLICE_POINTS`, plus one that signals that there are more. */
  readonly points: readonly P[];
  /** The points that a sampled slice was chosen from; otherwise those of this slice. */
  readonly total: number;
  /** Whether the span has points before the `newest` ones. */
  readonly truncated: boolean;
}

/** Limit on the points read at once. */
export const MAX_SLICE_POINTS = 10_000;

/** Reads slices of many series, with the given fields. One statement, however many series and spans. */
export async function readSlices<P extends PointTime, F extends keyof P>(
  sql: Sql,
  series: Series<P>,
  requests: readonly SliceRequest[],
  fields: readonly F[],
): Promise<Slice<Selected<P, F>>[]> {
  const slices = requests.map(() => ({
    step: null as Step | null,
    since: null as Date | null,
    points: [] as Selected<P, F>[],
    total: 0,
    truncated: false,
  }));
  if (requests.length === 0) return slices;
  const rows = await sql.rows(slicesStatement(series.table, columnsOf(series, fields)), [
    requests.map(({ address }) => address),
    requests.map(({ start }) => instantText(start)),
    requests.map(({ end }) => instantText(end)),
    requests.map(({ step }) => step),
    requests.map(({ newest }) => newest),
    requests.map(({ sampled }) => sampled),
    requests.map(({ maxHourBuckets }) => maxHourBuckets),
    requests.map(({ maxHoursSpanSeconds }) => maxHoursSpanSeconds),
  ]);
  const sliceOf = (row: (typeof rows)[number]) => slices[integerOf(row, 'request_index') - 1];
  for (const row of rows) {
    const slice = sliceOf(row);
    // Every row of a series carries the same step, start and total.
    if (slice === undefined || slice.step !== null) continue;
    const width = integerOf(row, 'chosen');
    slice.step = STEPS.find((step) => step === width) ?? null;
    slice.since = optionalInstantOf(row, 'since');
    slice.total = optionalIntegerOf(row, 'total') ?? 0;
  }
  const pointRows = rows.filter(({ bucket }) => bucket !== null);
  await readRows(sql, series, fields, pointRows, (row) => sliceOf(row)?.points);
  for (const [index, { newest }] of requests.entries()) {
    const slice = slices[index];
    if (slice === undefined) continue;
    if (newest !== null && slice.points.length > newest) {
      slice.points = slice.points.slice(-newest);
      slice.truncated = true;
    }
    slice.total = Math.max(slice.total, slice.points.length);
  }
  return slices;
}

/** The `first` and `last` bucket of a step, each an index lookup at the edge of its key range. */
function endsOf(table: SeriesTable, name: string, step: Step): string {
  const end = (direction: 'ASC' | 'DESC') => `(SELECT p.bucket FROM ${table.name} p
    WHERE p.${leadingKey(table)} = s.id AND p.step = ${step} ORDER BY p.bucket ${direction} LIMIT 1)`;
  return `${end('ASC')} AS ${name}_first, ${end('DESC')} AS ${name}_last`;
}

/**
 * A coarse bucket starts before its first sample. Where finer points still show when the first and the last
 * hour or day really began and ended, use those times.
 */
const BOUNDED = `SELECT e.*,
    CASE WHEN minute_first >= hour_first AND minute_first < hour_first + interval '1 hour' THEN minute_first
      ELSE hour_first END AS hour_since,
    CASE WHEN minute_last >= hour_last AND minute_last < hour_last + interval '1 hour' THEN minute_last + interval '1 minute'
      ELSE hour_last + interval '1 hour' END AS hour_until
  FROM ends e`;

const KNOWN = `SELECT b.*,
    LEAST(minute_first, hour_since,
      CASE WHEN hour_first >= day_first AND hour_first < day_first + interval '1 day' THEN hour_since ELSE day_first END
    ) AS since,
    GREATEST(minute_last + interval '1 minute', hour_until,
      CASE WHEN hour_last >= day_last AND hour_last < day_last + interval '1 day' THEN hour_until
        ELSE day_last + interval '1 day' END
    ) AS until
  FROM bounded b`;

/** Number of bucket starts in [from, to). */
const count = (from: string, to: string, step: Step) =>
  `(ceil(date_part('epoch', ${to}) / ${step}) - ceil(date_part('epoch', ${from}) / ${step}))`;

/** Hours are chosen only where they reach back as far as any other step does within the span. */
const CHOSEN = `SELECT k.*, COALESCE(asked_step, CASE
    WHEN (most_hours IS NULL OR ${count('GREATEST(start, hour_first)', 'LEAST("end", until)', HOUR)} <= most_hours)
      AND (hours_span IS NULL OR date_part('epoch', LEAST("end", until) - GREATEST(start, since)) <= hours_span)
      AND hour_since <= GREATEST(start, since) THEN ${HOUR}
    ELSE ${DAY} END) AS chosen
  FROM known k`;

/**
 * Whether the nth of n buckets is one of `sampled` evenly spaced ones: round(i * n / sampled) is nth for an i. The
 * smallest i that could be is computed in integers, with halves rounded up.
 */
const IS_SAMPLED = (() => {
  const i = '((c.sampled * (2 * nth - 1) + 2 * n - 1) / (2 * n))';
  return `(2 * ${i} * n + c.sampled) / (2 * c.sampled) = nth`;
})();

/** Chooses the buckets of sampled slices from the index alone, so that only published points are read. */
function pickedStatement(table: SeriesTable, inSpan: string): string {
  return `SELECT c.*, b.total, b.buckets FROM chosen c
    LEFT JOIN LATERAL (
      SELECT count(*)::integer AS total,
        CASE WHEN count(*) > c.sampled THEN array_agg(k.bucket) FILTER (WHERE ${IS_SAMPLED}) END AS buckets
      FROM (
        SELECT p.bucket, row_number() OVER (ORDER BY p.bucket) AS nth, count(*) OVER () AS n
        FROM ${table.name} p WHERE c.sampled IS NOT NULL AND ${inSpan}
      ) k
    ) b ON c.sampled IS NOT NULL`;
}

/**
 * The points of many series, each at its own step; a series without points in its span still returns its
 * extent.
 */
function slicesStatement(table: SeriesTable, columns: readonly Column[]): string {
  const names = columns.map(({ name }) => `p.${name}`).join(', ');
  const ofStep = `p.${leadingKey(table)} = c.id AND p.step = c.chosen`;
  const inSpan = `${ofStep} AND p.bucket >= c.start AND p.bucket < c."end"`;
  const points = withNames(
    table,
    columns,
    `SELECT c.input_index AS input_index, t.* FROM picked c
     CROSS JOIN LATERAL (
       (SELECT ${names} FROM ${table.name} p WHERE c.buckets IS NULL AND ${inSpan}
        ORDER BY p.bucket DESC LIMIT LEAST(c.newest, ${MAX_SLICE_POINTS}) + 1)
       UNION ALL
       SELECT ${names} FROM ${table.name} p WHERE ${ofStep} AND p.bucket = ANY(c.buckets)
     ) t`,
  );
  return `WITH ends AS MATERIALIZED (
      SELECT a.input_index::integer AS input_index, s.id, a.start, a."end", a.asked_step, a.newest, a.sampled, a.most_hours, a.hours_span,
        ${endsOf(table, 'minute', MINUTE)}, ${endsOf(table, 'hour', HOUR)}, ${endsOf(table, 'day', DAY)}
      FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::integer[])
        WITH ORDINALITY AS a(address, start, "end", asked_step, newest, sampled, most_hours, hours_span, input_index)
      JOIN subject s ON s.address = a.address
    ), bounded AS (${BOUNDED}), known AS (${KNOWN}), chosen AS MATERIALIZED (${CHOSEN}),
    picked AS MATERIALIZED (${pickedStatement(table, inSpan)})
    SELECT c.input_index AS request_index, c.chosen, c.total, date_part('epoch', c.since) * 1000 AS since, q.*
    FROM picked c LEFT JOIN (${points}) q ON q.input_index = c.input_index
    WHERE c.since IS NOT NULL`;
}
