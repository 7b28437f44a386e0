/** Moments of the past to sample for one step, in unix milliseconds, ascending. */
export interface SamplingPlan {
  /** Seconds. */
  readonly step: 60 | 3600 | 86_400;
  readonly at: readonly number[];
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const HOURS_OF_MINUTES = 2;
const DAYS_OF_HOURS = 30;
const DAYS = 365;
/** A bucket is sampled once, just before it ends, so its last value is the value at its end. */
const BEFORE_END = 1_000;

/**
 * A year of days, then 30 days of hours, then two hours of minutes up to the present. Each ends where the finer one
 * begins, which is rolled up into it.
 */
export function samplingPlans(presentMs: number): readonly SamplingPlan[] {
  const minutesFrom = floor(presentMs - HOURS_OF_MINUTES * HOUR, HOUR);
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
