import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { MAX_SLICE_POINTS, type Slice, type SliceRequest } from '../../store/history/read-slices.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../store/history/time-buckets.ts';
import type { RangeInput, ResolvedRange } from '../request/time-range.ts';

export type Interval = 'MINUTE' | 'HOUR' | 'DAY';

/** The requested resolution of a series. */
export interface Resolution {
  /** Null: days for more than 31 recorded days, else hours. */
  readonly interval: Interval | null;
  /**
   * The newest points of a given interval; without one, days are used where there would be more hours, and sampled
   * where there are more days. Null for no limit.
   */
  readonly maxPoints: number | null;
}

/** The requested part of a recorded series. */
export interface SeriesRequest {
  readonly range: RangeInput;
  readonly resolution: Resolution;
}

/** A series as GraphQL and REST return it. */
export interface History<P> {
  /** Ascending, labelled by the start of their buckets. */
  readonly points: readonly P[];
  readonly interval: Interval;
  /** Time of the oldest retained sample; null when there is none. */
  readonly recordedSince: Date | null;
  /** Whether no bucket of the range is missing, including the current one. */
  readonly complete: boolean;
  /** Whether the range has older points than the newest ones that were asked for. */
  readonly truncated: boolean;
}

export const STEP_OF: Readonly<Record<Interval, Step>> = { MINUTE, HOUR, DAY };
export const INTERVAL_OF: Readonly<Record<Step, Interval>> = {
  [MINUTE]: 'MINUTE',
  [HOUR]: 'HOUR',
  [DAY]: 'DAY',
};

/** The longest span that defaults to hourly points. */
export const MAX_HOURLY_SECONDS = 31 * DAY;

/** Upper limit for callers, to bound the cost of one series. */
export const MAX_POINTS = 5_000;
export const DEFAULT_MAX_POINTS = 500;

/** @throws NUMBER_OUT_OF_RANGE */
export function checkedMaxPoints(maxPoints: number | null | undefined): number {
  const limit = maxPoints ?? DEFAULT_MAX_POINTS;
  if (limit >= 1 && limit <= MAX_POINTS) return limit;
  throw new SluiceError('NUMBER_OUT_OF_RANGE', {
    what: 'maxPoints',
    value: String(limit),
    min: '1',
    max: String(MAX_POINTS),
  });
}

export function sliceAsk(address: Address, range: ResolvedRange, resolution: Resolution): SliceRequest {
  const { interval, maxPoints } = resolution;
  if (interval !== null) return { ...sameBuckets(address, range, interval), newest: maxPoints };
  const { start, end } = range;
  return {
    address,
    start,
    end,
    step: null,
    newest: null,
    sampled: maxPoints,
    maxHourBuckets: maxPoints,
    maxHoursSpanSeconds: MAX_HOURLY_SECONDS,
  };
}

/** A query for the same buckets of another series. */
export function sameBuckets(
  address: Address,
  { start, end }: ResolvedRange,
  interval: Interval,
): SliceRequest {
  const step = STEP_OF[interval];
  return {
    address,
    start,
    end,
    step,
    newest: null,
    sampled: null,
    maxHourBuckets: null,
    maxHoursSpanSeconds: null,
  };
}

/** The newest points of a series merged from several slices, each of which has its own newest points. */
export function newestOf<T>(
  points: readonly T[],
  { interval, maxPoints }: Resolution,
  slices: readonly Pick<Slice<unknown>, 'truncated'>[],
): { readonly points: readonly T[]; readonly truncated: boolean } {
  const isOver = interval !== null && maxPoints !== null && points.length > maxPoints;
  return {
    points: isOver ? points.slice(-maxPoints) : points,
    truncated: isOver || slices.some(({ truncated }) => truncated),
  };
}

/**
 * Converts a slice to a series.
 *
 * @throws BAD_REQUEST when it has too many points for one response
 */
export function historyFrom<S, P>(
  { step, since, points, total, truncated }: Slice<S>,
  range: ResolvedRange,
  resolution: Resolution,
  publish: (point: S) => P,
): History<P> {
  const interval = step === null ? (resolution.interval ?? 'HOUR') : INTERVAL_OF[step];
  if (points.length > MAX_SLICE_POINTS) {
    const reason = `The range has more than ${MAX_SLICE_POINTS} points. Request a shorter range or a coarser frequency.`;
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  const isWhole = !truncated && points.length === total;
  return {
    points: points.map(publish),
    interval,
    recordedSince: since,
    complete: isWhole && total >= bucketsIn(range, since, STEP_OF[interval]),
    truncated,
  };
}

/** Number of buckets that start in the range; an open range starts where recording did. */
function bucketsIn({ start, end, open }: ResolvedRange, since: Date | null, step: Step): number {
  if (open && since === null) return Number.POSITIVE_INFINITY;
  const from = open && since !== null ? bucketOf(since, step) : start;
  const labels = (instant: Date) => Math.ceil(instant.getTime() / (step * 1_000));
  return labels(end) - labels(from);
}

/** Most buckets that start in a span of this length. Without an interval, hours are the narrowest. */
export function mostBuckets(spanMs: number, interval: Interval | null): number {
  return Math.floor(spanMs / (STEP_OF[interval ?? 'HOUR'] * 1_000)) + 1;
}

/** Picks `limit` evenly spaced items, including the last; all for null. `readSlices` picks the same in SQL. */
export function sampled<T>(items: readonly T[], limit: number | null): readonly T[] {
  if (limit === null || items.length <= limit) return items;
  return Array.from({ length: limit }, (_, i) => Math.round(((i + 1) * items.length) / limit) - 1).flatMap(
    (index) => items[index] ?? [],
  );
}
