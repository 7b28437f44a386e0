import { Decimal } from '@sluice/client';
import { usdSum } from '../../lending/usd-sum.ts';

export interface TimePoint {
  readonly timestamp: string;
  /** Exact value. Null where it is unknown. */
  readonly value: string | null;
}

export type TimeSeries = readonly TimePoint[];

/**
 * Sum of several series, at each time that one of them has. Before its first point a series has nothing yet and counts
 * as zero; after that, a missing or unknown value makes the sum unknown.
 */
export function summedSeries(series: readonly TimeSeries[]): TimeSeries {
  const columns = series
    .filter((points) => points.length > 0)
    .map((points) => ({
      start: Math.min(...points.map(secondsOf)),
      values: new Map(points.map((point) => [secondsOf(point), point.value])),
    }));
  return timesOf(series).map(([seconds, timestamp]) => ({
    timestamp,
    value: usdSum(
      columns.filter(({ start }) => start <= seconds).map(({ values }) => values.get(seconds) ?? null),
    ),
  }));
}

export interface AlignedSeries {
  /** Seconds since the Unix epoch, ascending. */
  readonly xs: readonly number[];
  /** Floats for a chart, one column for each series. */
  readonly columns: readonly (readonly (number | null)[])[];
}

/** Series of different times on one time axis. */
export function alignedSeries(series: readonly TimeSeries[]): AlignedSeries {
  const xs = timesOf(series).map(([seconds]) => seconds);
  const columns = series.map((points) => {
    const values = new Map(points.map((point) => [secondsOf(point), point.value]));
    return xs.map((x) => {
      const value = values.get(x) ?? null;
      return value === null ? null : Decimal.of(value).toApproximateNumber();
    });
  });
  return { xs, columns };
}

const secondsOf = ({ timestamp }: TimePoint): number => Date.parse(timestamp) / 1_000;

function timesOf(series: readonly TimeSeries[]): readonly (readonly [number, string])[] {
  const times = new Map(series.flat().map((point) => [secondsOf(point), point.timestamp]));
  return [...times].sort(([left], [right]) => left - right);
}

const DAYS = { H24: 1, D7: 7, D30: 30, D90: 90, D365: 365 } as const;
const DAY_MS = 86_400_000;

type Range = keyof typeof DAYS | 'ALL';

/** Width of the buckets of a range: the same for every series, so that their times agree. */
export const intervalOf = (range: Range): 'HOUR' | 'DAY' =>
  range === 'ALL' || DAYS[range] > 7 ? 'DAY' : 'HOUR';

/** A range as times, from a UTC midnight on, so that the same query is asked all day. Null for everything recorded. */
export function timeRangeOf(range: Range, nowMs: number): { readonly start: string } | null {
  if (range === 'ALL') return null;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { start: new Date(today - DAYS[range] * DAY_MS).toISOString() };
}
