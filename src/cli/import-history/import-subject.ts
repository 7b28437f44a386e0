import type { Retention } from '../../store/history/retention.ts';
import { bucketOf, DAY, HOUR, MINUTE } from '../../store/history/steps.ts';
import type { Sql } from '../../store/sql.ts';
import type { ImportCommand } from './arguments.ts';
import { readCursors } from './cursors.ts';
import { earliest, latest, planOf, reached, type StepPlan, windowsOf } from './plan.ts';
import { readDays, readFine } from './read-history.ts';
import type { Source } from './source.ts';
import type { ImportSubject, SourcePoint } from './subjects.ts';
import type { PageWriter } from './write-page.ts';

export interface Importing {
  readonly command: ImportCommand;
  readonly retention: Retention;
  readonly source: Source;
  readonly sql: Sql;
  readonly writer: PageWriter;
  /** Told what could not be had; the import goes on without it. */
  readonly report: (problem: string) => void;
}

export interface ImportedPoints {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
}

/** Seconds of one question. A deployment tells hours of at most 31 days. */
const WINDOW: Readonly<Record<typeof MINUTE | typeof HOUR, number>> = { [MINUTE]: DAY, [HOUR]: 31 * DAY };

/**
 * Brings one subject up to date. The days are asked for first, since they tell where its history begins, and written
 * last, so that they stand as they were told and not as hours add up to.
 */
export async function importSubject(importing: Importing, subject: ImportSubject): Promise<ImportedPoints> {
  const { command, retention, source, sql } = importing;
  const cursors = await readCursors(sql, source.name, subject);
  const { minutes, hours, days } = planOf(command, subject.kind, retention, cursors);
  const told = await surveyed(importing, subject, hours, days);
  if (told === null) return { minutes: 0, hours: 0, days: 0 };
  const begun = (plan: StepPlan) =>
    told.first === null ? plan : { ...plan, start: latest(plan.start, told.first) };
  return {
    minutes: minutes === null ? 0 : await importWindows(importing, subject, MINUTE, begun(minutes)),
    hours: await importWindows(importing, subject, HOUR, begun(hours)),
    days: await writeDays(importing, subject, days, told.days),
  };
}

/** What the days tell. Null when there is nothing to import, or no way to. */
interface Survey {
  /** Where the history begins; null when that was not told. */
  readonly first: Date | null;
  readonly days: readonly SourcePoint[];
}

async function surveyed(
  { source, report }: Importing,
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

/** A window that cannot be used is left out, and the cursor stays before it, so that a later run asks again. */
async function importWindows(
  { source, writer, report }: Importing,
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
    const told = read.value.step === step ? read.value.points : [];
    const until = reached(window, plan, step, told.at(-1)?.bucket);
    const cursor = whole ? { from: plan.from, until } : null;
    points += await writer.write({ subject, step, points: told, cursor });
  }
  return points;
}

async function writeDays(
  { writer }: Importing,
  subject: ImportSubject,
  plan: StepPlan,
  points: readonly SourcePoint[],
): Promise<number> {
  if (points.length === 0) return 0;
  const cursor = { from: plan.from, until: reached(plan, plan, DAY, points.at(-1)?.bucket) };
  return await writer.write({ subject, step: DAY, points, cursor });
}
