import { DEFAULT_MAX_POINTS, type Interval, MAX_POINTS, mostBuckets } from '../../services/history/series.ts';
import { PERIOD_MS, type Period, type RangeInput, spanMs } from '../../services/request/time-range.ts';

/**
 * The most points that a series can have by its arguments: `maxPoints`, or the buckets of a period or of a range with
 * both ends, where these are fewer. Points of a series without intervals are not buckets.
 */
export function seriesPoints(hasIntervals: boolean, argument: (name: string) => unknown): number {
  const maxPoints = argument('maxPoints');
  const limit =
    typeof maxPoints === 'number' ? Math.min(Math.max(maxPoints, 0), MAX_POINTS) : DEFAULT_MAX_POINTS;
  if (!hasIntervals) return limit;
  const [span, interval] = [askedSpanMs(argument), argument('interval')];
  return span === null ? limit : Math.min(limit, mostBuckets(span, isInterval(interval) ? interval : null));
}

/** Length of the time that `range` and `last` name, in milliseconds; null when it depends on now or on recording. */
export function askedSpanMs(argument: (name: string) => unknown): number | null {
  const [range, last] = [argument('range'), argument('last')];
  return spanMs(isRange(range) ? range : null, isPeriod(last) ? last : null);
}

const isPeriod = (value: unknown): value is Period => typeof value === 'string' && value in PERIOD_MS;

const isInterval = (value: unknown): value is Interval =>
  value === 'MINUTE' || value === 'HOUR' || value === 'DAY';

const isRange = (value: unknown): value is RangeInput => typeof value === 'object' && value !== null;
