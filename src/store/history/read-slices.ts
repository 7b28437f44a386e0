import type { Address } from '@solana/kit';
import type { Sql } from '../sql.ts';
import { type Column, leadingKey, type SeriesTable } from './columns.ts';
import { columnsOf, readRows, withNames } from './read-rows.ts';
import { integerOf, optionalInstantOf } from './rows.ts';
import type { PointTime, Series, Told } from './series.ts';
import { DAY, HOUR, instantText, MINUTE, STEPS, type Step, type TimeSpan } from './steps.ts';

/**
 * Which points of one series are wanted. The finest step is taken that is wanted at all and whose part of the span
 * is short enough; days are what is left when none is.
 */
export interface SliceAsk extends TimeSpan {
  readonly address: Address;
  /** Buckets that a slice of minutes, and one of hours, may have at most; null where that step is not wanted. */
  readonly mostMinutes: number | null;
  readonly mostHours: number | null;
  /** Seconds beyond which hours give way to days, counted over the recorded part of the span; null for none. */
  readonly hoursSpan: number | null;
  /** Whether hours are taken only where they reach back as far as anything does in the span. */
  readonly hoursMustReach: boolean;
}

export interface Slice<P> {
  /** Null when nothing was ever recorded of the series. */
  readonly step: Step | null;
  readonly since: Date | null;
  /** Ascending; at most `MOST_POINTS`, and one more to tell that there are more. */
  readonly points: readonly P[];
}

/** More points than this are not read at once. */
export const MOST_POINTS = 10_000;

/** The series that are asked for, with these fields of their points. One statement, however many series and spans. */
export async function readSlices<P extends PointTime, F extends keyof P>(
  sql: Sql,
  series: Series<P>,
  asks: readonly SliceAsk[],
  fields: readonly F[],
): Promise<Slice<Told<P, F>>[]> {
  const slices = asks.map(() => ({
    step: null as Step | null,
    since: null as Date | null,
    points: [] as Told<P, F>[],
  }));
  if (asks.length === 0) return slices;
  const rows = await sql.rows(slicesStatement(series.table, columnsOf(series, fields)), [
    asks.map(({ address }) => address),
    asks.map(({ start }) => instantText(start)),
    asks.map(({ end }) => instantText(end)),
    asks.map(({ mostMinutes }) => mostMinutes),
    asks.map(({ mostHours }) => mostHours),
    asks.map(({ hoursSpan }) => hoursSpan),
    asks.map(({ hoursMustReach }) => hoursMustReach),
  ]);
  const sliceOf = (row: (typeof rows)[number]) => slices[integerOf(row, 'ask') - 1];
  for (const row of rows) {
    const slice = sliceOf(row);
    // Every row of a series tells the same about it.
    if (slice === undefined || slice.step !== null) continue;
    const width = integerOf(row, 'chosen');
    slice.step = STEPS.find((step) => step === width) ?? null;
    slice.since = optionalInstantOf(row, 'since');
  }
  const pointRows = rows.filter(({ bucket }) => bucket !== null);
  readRows(series, fields, pointRows, (row) => sliceOf(row)?.points);
  return slices;
}

/** `first` and `last` bucket of a step, by the ends of its range of the key. */
function endsOf(table: SeriesTable, name: string, step: Step): string {
  const end = (direction: 'ASC' | 'DESC') => `(SELECT p.bucket FROM ${table.name} p
    WHERE p.${leadingKey(table)} = s.id AND p.step = ${step} ORDER BY p.bucket ${direction} LIMIT 1)`;
  return `${end('ASC')} AS ${name}_first, ${end('DESC')} AS ${name}_last`;
}

/**
 * A coarse bucket begins before its first sample: where a finer step still tells when the first and the last hour or
 * day really began and ended, it is believed.
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

/** Labels of buckets from an instant on, up to another that is not part of it. */
const count = (from: string, to: string, step: Step) =>
  `(ceil(date_part('epoch', ${to}) / ${step}) - ceil(date_part('epoch', ${from}) / ${step}))`;

const CHOSEN = `SELECT k.*, CASE
    WHEN ${count('GREATEST(start, minute_first)', 'LEAST("end", until)', MINUTE)} <= most_minutes THEN ${MINUTE}
    WHEN ${count('GREATEST(start, hour_first)', 'LEAST("end", until)', HOUR)} <= most_hours
      AND (hours_span IS NULL OR date_part('epoch', LEAST("end", until) - GREATEST(start, since)) <= hours_span)
      AND (NOT must_reach OR hour_since <= GREATEST(start, since)) THEN ${HOUR}
    ELSE ${DAY} END AS chosen
  FROM known k`;

/** The points of many series, each at a step of its own; a series without points in its span still tells its ends. */
function slicesStatement(table: SeriesTable, columns: readonly Column[]): string {
  const points = withNames(
    table,
    columns,
    `SELECT c.ask AS asked, t.* FROM chosen c
     CROSS JOIN LATERAL (
       SELECT ${columns.map(({ name }) => `p.${name}`).join(', ')} FROM ${table.name} p
       WHERE p.${leadingKey(table)} = c.id AND p.step = c.chosen AND p.bucket >= c.start AND p.bucket < c."end"
       ORDER BY p.bucket LIMIT ${MOST_POINTS + 1}
     ) t`,
  );
  return `WITH ends AS MATERIALIZED (
      SELECT a.ask::integer AS ask, s.id, a.start, a."end", a.most_minutes, a.most_hours, a.hours_span, a.must_reach,
        ${endsOf(table, 'minute', MINUTE)}, ${endsOf(table, 'hour', HOUR)}, ${endsOf(table, 'day', DAY)}
      FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::integer[], $5::integer[], $6::integer[], $7::boolean[])
        WITH ORDINALITY AS a(address, start, "end", most_minutes, most_hours, hours_span, must_reach, ask)
      JOIN subject s ON s.address = a.address
    ), bounded AS (${BOUNDED}), known AS (${KNOWN}), chosen AS MATERIALIZED (${CHOSEN})
    SELECT c.ask, c.chosen, date_part('epoch', c.since) * 1000 AS since, q.*
    FROM chosen c LEFT JOIN (${points}) q ON q.asked = c.ask
    WHERE c.since IS NOT NULL`;
}
