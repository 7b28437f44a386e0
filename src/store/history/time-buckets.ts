import { SluiceError } from '../../errors/sluice-error.ts';

export const MINUTE = 60 as const;
export const HOUR = 3_600 as const;
export const DAY = 86_400 as const;

/** Width of a bucket in seconds. */
export type Step = typeof MINUTE | typeof HOUR | typeof DAY;

/** Finest first. */
export const STEPS: readonly Step[] = [MINUTE, HOUR, DAY];

/** `start` is inclusive, `end` exclusive. */
export interface TimeSpan {
  readonly start: Date;
  readonly end: Date;
}

export interface SeriesRange extends TimeSpan {
  readonly step: Step;
}

/** The start of the bucket that contains an instant, in UTC. */
export function bucketOf(instant: Date, step: Step): Date {
  const width = step * 1_000;
  return new Date(Math.floor(instant.getTime() / width) * width);
}

/** The start of the first bucket that begins at or after an instant. */
export function bucketFrom(instant: Date, step: Step): Date {
  const width = step * 1_000;
  return new Date(Math.ceil(instant.getTime() / width) * width);
}

/** The whole buckets that a span touches. */
export function wholeBuckets({ start, end }: TimeSpan, step: Step): TimeSpan {
  return { start: bucketOf(start, step), end: bucketFrom(end, step) };
}

/** Years 1 to 9999: the range in which JavaScript and PostgreSQL agree on four-digit years. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T00:00:00.000Z');

/** The instant as a statement parameter, clamped to the supported range. */
export function instantText(instant: Date): string {
  const ms = instant.getTime();
  if (Number.isNaN(ms)) {
    throw new SluiceError('NUMBER_OUT_OF_RANGE', {
      what: 'An instant',
      value: 'Invalid Date',
      min: '0001-01-01',
      max: '9999-12-31',
    });
  }
  return new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)).toISOString();
}
