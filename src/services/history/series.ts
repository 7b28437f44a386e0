import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { MAX_SLICE_POINTS, type Slice, type SliceRequest } from '../../store/history/read-slices.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../store/history/steps.ts';
import type { ResolvedRange } from './range.ts';

export type Interval = 'MINUTE' | 'HOUR' | 'DAY';

/** How fine a series is wanted. */
export interface Wish {
  /** Null: days for more than 31 days of what is recorded, else hours. */
  readonly interval: Interval | null;
  /** The most points that are wanted; a coarser interval is used for more. Null for any number. */
  readonly maxPoints: number | null;
}

/** A series as both faces tell it. */
export interface History<P> {
  /** Ascending, labelled by the start of their buckets. */
  readonly points: readonly P[];
  readonly interval: Interval;
  /** When the first sample that is still known was taken; null when there is none. */
  readonly recordedSince: Date | null;
  /** Whether no bucket of the range is missing, the running one included. */
  readonly complete: boolean;
}

const STEP_OF: Readonly<Record<Interval, Step>> = { MINUTE, HOUR, DAY };
const INTERVAL_OF: Readonly<Record<Step, Interval>> = { [MINUTE]: 'MINUTE', [HOUR]: 'HOUR', [DAY]: 'DAY' };

/** The longest part of a range that is told by the hour unless something else is asked for. */
const HOURLY_SECONDS = 31 * DAY;
const ANY_NUMBER = 2_147_483_647;

/** What a caller may ask for at most, so that one series cannot be a whole answer's worth of work. */
export const MAX_POINTS = 5_000;
export const DEFAULT_MAX_POINTS = 500;

/** @throws NUMBER_OUT_OF_RANGE */
export function checkedMaxPoints(maxPoints: number | null | undefined): number {
  const most = maxPoints ?? DEFAULT_MAX_POINTS;
  if (most >= 1 && most <= MAX_POINTS) return most;
  throw new SluiceError('NUMBER_OUT_OF_RANGE', {
    what: 'maxPoints',
    value: String(most),
    min: '1',
    max: String(MAX_POINTS),
  });
}

export function sliceAsk(address: Address, { start, end }: ResolvedRange, wish: Wish): SliceRequest {
  const { interval, maxPoints } = wish;
  const most = maxPoints ?? ANY_NUMBER;
  return {
    address,
    start,
    end,
    maxMinuteBuckets: interval === 'MINUTE' ? most : null,
    maxHourBuckets: interval === 'DAY' ? null : most,
    maxHoursSpanSeconds: interval === null ? HOURLY_SECONDS : null,
    hoursMustReachStart: interval === null,
  };
}

/** The buckets of another series beside those of this one. */
export function sameBuckets(address: Address, range: ResolvedRange, interval: Interval): SliceRequest {
  const ask = sliceAsk(address, range, { interval, maxPoints: null });
  return interval === 'MINUTE' ? { ...ask, maxHourBuckets: null } : ask;
}

/**
 * The series that a slice holds.
 *
 * @throws BAD_REQUEST when it has more points than are answered at once
 */
export function historyFrom<S, P>(
  { step, since, points }: Slice<S>,
  range: ResolvedRange,
  wish: Wish,
  publish: (point: S) => P,
): History<P> {
  const interval = step === null ? (wish.interval ?? 'HOUR') : INTERVAL_OF[step];
  if (points.length > MAX_SLICE_POINTS) {
    const reason = `The range has more than ${MAX_SLICE_POINTS} points. Ask for a shorter one, or for a coarser frequency.`;
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  const kept = thinned(points, wish.maxPoints ?? ANY_NUMBER);
  return {
    points: kept.map(publish),
    interval,
    recordedSince: since,
    complete: kept.length === points.length && points.length >= bucketsIn(range, since, STEP_OF[interval]),
  };
}

/** How many buckets begin in the range; without a start it begins where recording did. */
function bucketsIn({ start, end, open }: ResolvedRange, since: Date | null, step: Step): number {
  if (open && since === null) return Number.POSITIVE_INFINITY;
  const from = open && since !== null ? bucketOf(since, step) : start;
  const labels = (instant: Date) => Math.ceil(instant.getTime() / (step * 1_000));
  return labels(end) - labels(from);
}

/** So many of them at even distances, the last among them. */
function thinned<T>(points: readonly T[], most: number): readonly T[] {
  if (points.length <= most) return points;
  return Array.from({ length: most }, (_, i) => Math.round(((i + 1) * points.length) / most) - 1).flatMap(
    (index) => points[index] ?? [],
  );
}
