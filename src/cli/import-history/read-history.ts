import { bucketOf, DAY, HOUR, MINUTE, type Step, type TimeSpan } from '../../store/history/steps.ts';
import { marketHistory } from './market-answers.ts';
import { earliest } from './plan.ts';
import { type Read, readAnswer } from './read-answer.ts';
import { reserveHistory } from './reserve-answers.ts';
import type { Source } from './source.ts';
import type { ImportSubject, SourcePoint } from './subjects.ts';
import { vaultHistory } from './vault-answers.ts';

/** A part of a history, ascending, and the step in which the deployment told it. */
export interface Told {
  readonly step: Step;
  readonly points: readonly SourcePoint[];
}

const FREQUENCY: Readonly<Record<Step, string>> = { [MINUTE]: 'minute', [HOUR]: 'hour', [DAY]: 'day' };
const DAY_MS = DAY * 1_000;
/** A deployment tells days only of more than 31; twice that leaves no doubt. */
const DAYS_MS = 62 * DAY_MS;

/** The days of a span. Where a deployment has too few of them, it tells hours. */
export function readDays(source: Source, subject: ImportSubject, span: TimeSpan): Promise<Read<Told>> {
  const longer = {
    ...span,
    start: earliest(span.start, new Date(Math.max(0, span.end.getTime() - DAYS_MS))),
  };
  return ask(source, subject, longer, DAY);
}

/** The minutes or hours of a span, at most 31 days; days where the deployment has no hours in all of it. */
export async function readFine(
  source: Source,
  subject: ImportSubject,
  span: TimeSpan,
  step: Step,
): Promise<Read<Told>> {
  const whole = await ask(source, subject, span, step);
  if (whole.kind !== 'value' || whole.value.step === step || subject.kind === 'reserve') return whole;
  return await hoursWithin(source, subject, span, whole);
}

/**
 * Hours are kept for a while: a span that begins before them is told in days, and may yet end in hours. Its last two
 * days tell whether it does, and halving tells since when.
 */
async function hoursWithin(
  source: Source,
  subject: ImportSubject,
  { start, end }: TimeSpan,
  days: Read<Told>,
): Promise<Read<Told>> {
  let [before, since] = [start.getTime(), bucketOf(new Date(end.getTime() - 2 * DAY_MS), DAY).getTime()];
  if (since <= before) return days;
  const from = (ms: number) => ask(source, subject, { start: new Date(ms), end }, HOUR);
  let best = await from(since);
  if (best.kind !== 'value' || best.value.step !== HOUR) return best.kind === 'value' ? days : best;
  for (;;) {
    const middle = bucketOf(new Date((before + since) / 2), DAY).getTime();
    if (middle <= before || middle >= since) return best;
    const tried = await from(middle);
    if (tried.kind !== 'value') return tried;
    if (tried.value.step === HOUR) [best, since] = [tried, middle];
    else before = middle;
  }
}

async function ask(
  source: Source,
  subject: ImportSubject,
  { start, end }: TimeSpan,
  step: Step,
): Promise<Read<Told>> {
  const query = {
    start: start.toISOString(),
    end: end.toISOString(),
    ...(subject.kind === 'reserve' ? { frequency: FREQUENCY[step] } : {}),
  };
  const answer = await readAnswer(source, subject.path, query, schemaOf(subject));
  if (answer.kind !== 'value') return answer;
  const told = subject.kind === 'reserve' ? step : stepOf(answer.value, end.getTime() - start.getTime());
  const problem = disorder(answer.value, told);
  if (problem !== null)
    return { kind: 'unusable', problem: `${subject.path}: nothing of it is taken: ${problem}` };
  const points = answer.value.filter(({ bucket }) => bucket >= start && bucket < end);
  return { kind: 'value', value: { step: told, points } };
}

function schemaOf(subject: ImportSubject) {
  if (subject.kind === 'reserve') return reserveHistory(subject.market, subject.address);
  return subject.kind === 'vault' ? vaultHistory(subject.address) : marketHistory(subject.address);
}

/**
 * The contract does not say in which step a history is told; labels do. Midnights alone are days, unless it is a single
 * one of a range that has no room for two.
 */
function stepOf(points: readonly SourcePoint[], rangeMs: number): Step {
  const midnights = points.every(({ bucket }) => bucket.getTime() % DAY_MS === 0);
  return midnights && (points.length > 1 || (points.length === 1 && rangeMs > DAY_MS)) ? DAY : HOUR;
}

/** Why these are no buckets of the step in their order; null when they are. */
function disorder(points: readonly SourcePoint[], step: Step): string | null {
  let last = Number.NEGATIVE_INFINITY;
  for (const { bucket } of points) {
    const ms = bucket.getTime();
    if (ms % (step * 1_000) !== 0) return `${bucket.toISOString()} is not the start of a bucket`;
    if (ms <= last) return `${bucket.toISOString()} is not in ascending order`;
    last = ms;
  }
  return null;
}
