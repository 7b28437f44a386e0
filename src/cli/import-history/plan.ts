import type { Retention } from '../../store/history/retention.ts';
import {
  bucketFrom,
  bucketOf,
  DAY,
  HOUR,
  MINUTE,
  type Step,
  type TimeSpan,
} from '../../store/history/steps.ts';
import type { ImportCommand } from './arguments.ts';
import type { Cursor } from './cursors.ts';
import type { Kind } from './subjects.ts';

/** What is to be asked for of one step. Nothing when it starts at its end. */
export interface StepPlan extends TimeSpan {
  /** Where what is imported begins once this is done. */
  readonly from: Date;
}

export interface Plan {
  /** Null when minutes are not wanted. */
  readonly minutes: StepPlan | null;
  readonly hours: StepPlan;
  readonly days: StepPlan;
}

/** A bucket counts as ended so long after its end: then the other deployment and a recorder here are done with it. */
const SETTLED_MS = 10 * 60_000;
const DAY_MS = DAY * 1_000;

/**
 * Where each step goes on. What is longer ago than it is kept here would be deleted at once and is not asked for. Days
 * go back to the first day whose hours are new, hours to the first whose minutes are: a roll-up makes them anew.
 */
export function planOf(
  command: ImportCommand,
  kind: Kind,
  retention: Retention,
  cursors: ReadonlyMap<number, Cursor>,
): Plan {
  const wanted = (step: Step, kept: Date, finer: StepPlan | null): StepPlan => {
    const first = bucketFrom(latest(command.start ?? new Date(0), kept), step);
    const settled = new Date(command.now.getTime() - SETTLED_MS);
    const end = bucketOf(earliest(command.end, settled), step);
    const cursor = cursors.get(step);
    const goesOn = cursor !== undefined && cursor.from <= first && first <= cursor.until;
    const next = goesOn ? cursor.until : first;
    const redone = finer !== null && finer.start < finer.end ? bucketOf(finer.start, step) : next;
    return { from: goesOn ? cursor.from : first, start: latest(first, earliest(next, redone)), end };
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
 * How far a page brings the cursor: to its end, but not closer than a day to the present unless points say so. What a
 * deployment that lags behind did not have yet is asked for again.
 */
export function reached(page: TimeSpan, plan: StepPlan, step: Step, last: Date | undefined): Date {
  const told = last === undefined ? page.start : new Date(last.getTime() + step * 1_000);
  return latest(told, earliest(page.end, new Date(plan.end.getTime() - DAY_MS)));
}

/** The span in pieces of so many seconds. */
export function* windowsOf({ start, end }: TimeSpan, seconds: number): Generator<TimeSpan> {
  for (let from = start; from < end; ) {
    const to = earliest(new Date(from.getTime() + seconds * 1_000), end);
    yield { start: from, end: to };
    from = to;
  }
}

export const earliest = (a: Date, b: Date): Date => (a < b ? a : b);
export const latest = (a: Date, b: Date): Date => (a > b ? a : b);
