import type { Retention } from '../../store/history/retention.ts';
import { bucketOf, DAY, HOUR, MINUTE } from '../../store/history/time-buckets.ts';
import type { Tables } from '../../store/sql.ts';
import type { Source } from '../deployment/source.ts';
import type { ImportCommand } from './arguments.ts';
import { readCursors } from './cursors.ts';
import { earliest, latest, planOf, reached, type StepPlan, windowsOf } from './import-plan.ts';
import { readDays, readFine } from './read-history.ts';
import type { ImportSubject, SourcePoint } from './subjects.ts';
import type { PageWriter } from './write-page.ts';

export interface ImportContext {
  readonly command: ImportCommand;
  readonly retention: Retention;
  readonly source: Source;
  readonly sql: Tables;
  readonly writer: PageWriter;
  /** Called when something could not be imported; the import continues without it. */
  readonly report: (problem: string) => void;
}

export interface ImportedPoints {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
}

/** Seconds per request. A deployment returns hours for at most 31 days. */
const WINDOW: Readonly<Record<typeof MINUTE | typeof HOUR, number>> = { [MINUTE]: DAY, [HOUR]: 31 * DAY };

/**
 * Brings one subject up to date. Days are read first, because they show where its history begins, and written
 * last, so that they replace the days rolled up from hours.
 */
export async function importSubject(context: ImportContext, subject: ImportSubject): Promise<ImportedPoints> {
  const { command, retention, source, sql } = context;
  const cursors = await readCursors(sql, source.name, subject);
  const { minutes, hours, days } = planOf(command, subject.kind, retention, cursors);
  const survey = await surveyDays(context, subject, hours, days);
  if (survey === null) return { minutes: 0, hours: 0, days: 0 };
  const fromFirst = (plan: StepPlan) =>
    survey.first === null ? plan : { ...plan, start: latest(plan.start, survey.first) };
  return {
    minutes: minutes === null ? 0 : await importWindows(context, subject, MINUTE, fromFirst(minutes)),
    hours: await importWindows(context, subject, HOUR, fromFirst(hours)),
    days: await writeDays(context, subject, days, survey.days),
  };
}

/** The result of reading the days. */
interface Survey {
  /** Where the history begins; null when unknown. */
  readonly first: Date | null;
  readonly days: readonly SourcePoint[];
}

/** Null when there is nothing to import, or the source failed. */
async function surveyDays(
  { source, report }: ImportContext,
  subject: ImportSubject,
  hours: StepPlan,
  days: StepPlan,
): Promise<Survey | null> {
  if (days.start >= days.end) return { first: null, days: [] };
  const start = earliest(days.start, bucketOf(hours.start, DAY));
  const read = await readDays(source, subject, { start, end: latest(days.end, hours.end) });
  if (read.kind !== 'value') {
    report(read.problem);
    return read.kind === 'failed' ? null : { first: null, days: [] };
  }
  const { step, points } = read.value;
  const first = points[0]?.bucket;
  if (first === undefined) return null;
  const wanted = ({ bucket }: SourcePoint) => bucket >= days.start && bucket < days.end;
  return { first, days: step === DAY ? points.filter(wanted) : [] };
}

/** Skips a window that cannot be used. The cursor stays before it, so a later run tries again. */
async function importWindows(
  { source, writer, report }: ImportContext,
  subject: ImportSubject,
  step: typeof MINUTE | typeof HOUR,
  plan: StepPlan,
): Promise<number> {
  let [points, whole] = [0, true];
  for (const window of windowsOf(plan, WINDOW[step])) {
    const read = await readFine(source, subject, window, step);
    if (read.kind !== 'value') {
      report(read.problem);
      if (read.kind === 'failed') return points;
      whole = false;
      continue;
    }
    const received = read.value.step === step ? read.value.points : [];
    const until = reached(window, plan, step, received.at(-1)?.bucket);
    const cursor = whole ? { from: plan.from, until } : null;
    points += await writer.write({ subject, step, points: received, cursor });
  }
  return points;
}

async function writeDays(
  { writer }: ImportContext,
  subject: ImportSubject,
  plan: StepPlan,
  points: readonly SourcePoint[],
): Promise<number> {
  if (points.length === 0) return 0;
  const cursor = { from: plan.from, until: reached(plan, plan, DAY, points.at(-1)?.bucket) };
  return await writer.write({ subject, step: DAY, points, cursor });
}
