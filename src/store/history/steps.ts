import { SluiceError } from '../../errors/sluice-error.ts';

export const MINUTE = 60 as const;
export const HOUR = 3_600 as const;
export const DAY = 86_400 as const;

/** Width of a bucket in seconds. */
export type Step = typeof MINUTE | typeof HOUR | typeof DAY;

/** The finest first. */
export const STEPS: readonly Step[] = [MINUTE, HOUR, DAY];

/** `start` is inclusive, `end` is not. */
export interface TimeSpan {
  readonly start: Date;
  readonly end: Date;
}

export interface SeriesRange extends TimeSpan {
  readonly step: Step;
}

/** The start of the bucket that an instant falls into, in UTC whatever the time zone of anything. */
export function bucketOf(instant: Date, step: Step): Date {
  const width = step * 1_000;
  return new Date(Math.floor(instant.getTime() / width) * width);
}

/** The start of the first bucket that does not begin before an instant. */
export function bucketFrom(instant: Date, step: Step): Date {
  const width = step * 1_000;
  return new Date(Math.ceil(instant.getTime() / width) * width);
}

/** The whole buckets that a span touches. */
export function wholeBuckets({ start, end }: TimeSpan, step: Step): TimeSpan {
  return { start: bucketOf(start, step), end: bucketFrom(end, step) };
}

/** Inside what both JavaScript and PostgreSQL can name with a four-digit year; no history lies beyond. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T00:00:00.000Z');

/** The instant as the parameter of a statement. */
export function instantText(instant: Date): string {
  const ms = instant.getTime();
  if (Number.isNaN(ms)) {
    throw new SluiceError('NUMBER_OUT_OF_RANGE', {
      what: 'An instant',
      value: 'no time',
      min: '0001-01-01',
      max: '9999-12-31',
    });
  }
  return new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)).toISOString();
}
