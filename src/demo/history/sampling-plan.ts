/** Moments of the past to sample for one step, in unix milliseconds, ascending. */
export interface SamplingPlan {
  /** Seconds. */
  readonly step: 60 | 3600 | 86_400;
  readonly at: readonly number[];
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const DAYS_OF_HOURS = 30;
const DAYS = 365;
const MINUTES_PER_HOUR = 60;
/** A bucket is sampled once, just before it ends, so its last value is the value at its end. */
const BEFORE_END = 1_000;

/**
 * A year of days, then 30 days of hours, then a day of minutes up to the present. Each ends where the finer
 * one begins, which is rolled up into it.
 */
export function samplingPlans(presentMs: number): readonly SamplingPlan[] {
  const minutesFrom = floor(presentMs - DAY, HOUR);
  const hoursFrom = floor(minutesFrom - DAYS_OF_HOURS * DAY, DAY);
  const daysFrom = floor(presentMs, DAY) - DAYS * DAY;
  return [
    { step: 86_400, at: ends(daysFrom, hoursFrom, DAY) },
    { step: 3600, at: ends(hoursFrom, minutesFrom, HOUR) },
    { step: 60, at: ends(minutesFrom, floor(presentMs, MINUTE), MINUTE) },
  ];
}

const floor = (ms: number, unit: number) => Math.floor(ms / unit) * unit;

function ends(from: number, to: number, unit: number): number[] {
  const moments: number[] = [];
  for (let end = from + unit; end <= to; end += unit) moments.push(end - BEFORE_END);
  return moments;
}

/**
 * Splits the plans into two parts of about equal work, older first. Each part generates the past once, and
 * whole hours stay together so that each is rolled up once.
 */
export function halves(
  plans: readonly SamplingPlan[],
): readonly [older: readonly SamplingPlan[], newer: readonly SamplingPlan[]] {
  const older = plans.slice(0, -1);
  const minutes = plans.at(-1);
  if (minutes === undefined) return [plans, []];
  const more = (minutes.at.length - older.reduce((sum, { at }) => sum + at.length, 0)) / 2;
  const moved = Math.max(0, Math.floor(more / MINUTES_PER_HOUR) * MINUTES_PER_HOUR);
  return [
    [...older, { ...minutes, at: minutes.at.slice(0, moved) }],
    [{ ...minutes, at: minutes.at.slice(moved) }],
  ];
}
