import type { Retention } from '../../store/history/retention.ts';
import {
  bucketFrom,
  bucketOf,
  DAY,
  HOUR,
  MINUTE,
  type Step,
  type TimeSpan,
} from '../../store/history/time-buckets.ts';
import type { ImportCommand } from './arguments.ts';
import type { Cursor } from './cursors.ts';
import type { Kind } from './subjects.ts';

/** The range to request for one step. Empty when `start` equals `end`. */
export interface StepPlan extends TimeSpan {
  /** Start of the imported range once this is done. */
  readonly from: Date;
}

export interface ImportPlan {
  /** Null when minutes are not imported. */
  readonly minutes: StepPlan | null;
  readonly hours: StepPlan;
  readonly days: StepPlan;
}

/**
 * A bucket is imported this long after its end, when the other deployment and a local recorder have finished
 * it.
 */
const SETTLED_MS = 10 * 60_000;
const DAY_MS = DAY * 1_000;

/**
 * Where each step continues. Points older than the local retention are not requested, because they would be
 * deleted at once. Days start again at the first day with new hours, and hours at the first hour with new
 * minutes, because the roll-up recomputes them.
 */
export function planOf(
  command: ImportCommand,
  kind: Kind,
  retention: Retention,
  cursors: ReadonlyMap<number, Cursor>,
): ImportPlan {
  const wanted = (step: Step, retainedFrom: Date, finer: StepPlan | null): StepPlan => {
    const first = bucketFrom(latest(command.start ?? new Date(0), retainedFrom), step);
    const settled = new Date(command.now.getTime() - SETTLED_MS);
    const end = bucketOf(earliest(command.end, settled), step);
    const cursor = cursors.get(step);
    const continues = cursor !== undefined && cursor.from <= first && first <= cursor.until;
    const next = continues ? cursor.until : first;
    const redone = finer !== null && finer.start < finer.end ? bucketOf(finer.start, step) : next;
    return { from: continues ? cursor.from : first, start: latest(first, earliest(next, redone)), end };
  };
  const ago = (days: number) => new Date(command.now.getTime() - days * DAY_MS);
  const { minuteDays, hourDays, dayDays } = retention;
  const withMinutes = command.minutes && kind === 'reserve';
  const minutes = withMinutes ? wanted(MINUTE, bucketOf(ago(minuteDays), HOUR), null) : null;
  const hours = wanted(HOUR, bucketOf(ago(hourDays), DAY), minutes);
  const days = wanted(DAY, dayDays === null ? new Date(0) : bucketOf(ago(dayDays), DAY), hours);
  return { minutes, hours, days };
}

/**
 * Position of the cursor after a page: its end, but within the last day only as far as there are points. A
 * deployment that lags may deliver the rest later.
 */
export function reached(page: TimeSpan, plan: StepPlan, step: Step, last: Date | undefined): Date {
  const covered = last === undefined ? page.start : new Date(last.getTime() + step * 1_000);
  return latest(covered, earliest(page.end, new Date(plan.end.getTime() - DAY_MS)));
}

/** Splits the span into windows of `seconds`. */
export function* windowsOf({ start, end }: TimeSpan, seconds: number): Generator<TimeSpan> {
  for (let from = start; from < end; ) {
    const to = earliest(new Date(from.getTime() + seconds * 1_000), end);
    yield { start: from, end: to };
    from = to;
  }
}

export const earliest = (a: Date, b: Date): Date => (a < b ? a : b);
export const latest = (a: Date, b: Date): Date => (a > b ? a : b);
