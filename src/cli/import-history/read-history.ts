import { bucketOf, DAY, HOUR, MINUTE, type Step, type TimeSpan } from '../../store/history/time-buckets.ts';
import { type Read, readAnswer } from '../deployment/read-answer.ts';
import type { Source } from '../deployment/source.ts';
import { earliest } from './import-plan.ts';
import { marketHistory } from './market-answers.ts';
import { reserveHistory } from './reserve-answers.ts';
import type { ImportSubject, SourcePoint } from './subjects.ts';
import { vaultHistory } from './vault-answers.ts';

/** A part of a history, ascending, and the step in which the deployment returned it. */
export interface HistoryPart {
  readonly step: Step;
  readonly points: readonly SourcePoint[];
}

const FREQUENCY: Readonly<Record<Step, string>> = { [MINUTE]: 'minute', [HOUR]: 'hour', [DAY]: 'day' };
const DAY_MS = DAY * 1_000;
/** A deployment returns days only for ranges of more than 31 days; twice that is safe. */
const DAY_RANGE_MS = 62 * DAY_MS;

/** The days of a span. A deployment with too few days returns hours instead. */
export function readDays(source: Source, subject: ImportSubject, span: TimeSpan): Promise<Read<HistoryPart>> {
  const longer = {
    ...span,
    start: earliest(span.start, new Date(Math.max(0, span.end.getTime() - DAY_RANGE_MS))),
  };
  return request(source, subject, longer, DAY);
}

/**
 * The minutes or hours of a span of at most 31 days; days where the deployment lacks hours for part of it.
 */
export async function readFine(
  source: Source,
  subject: ImportSubject,
  span: TimeSpan,
  step: Step,
): Promise<Read<HistoryPart>> {
  const whole = await request(source, subject, span, step);
  if (whole.kind !== 'value' || whole.value.step === step || subject.kind === 'reserve') return whole;
  return await hoursWithin(source, subject, span, whole);
}

/**
 * A deployment stores hours only for a while. A span that begins earlier is returned in days, although its
 * end may have hours. Probes the last two days for hours, then bisects to find where the hours begin.
 */
async function hoursWithin(
  source: Source,
  subject: ImportSubject,
  { start, end }: TimeSpan,
  days: Read<HistoryPart>,
): Promise<Read<HistoryPart>> {
  let [before, since] = [start.getTime(), bucketOf(new Date(end.getTime() - 2 * DAY_MS), DAY).getTime()];
  if (since <= before) return days;
  const from = (ms: number) => request(source, subject, { start: new Date(ms), end }, HOUR);
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

async function request(
  source: Source,
  subject: ImportSubject,
  { start, end }: TimeSpan,
  step: Step,
): Promise<Read<HistoryPart>> {
  const query = {
    start: start.toISOString(),
    end: end.toISOString(),
    ...(subject.kind === 'reserve' ? { frequency: FREQUENCY[step] } : {}),
  };
  const answer = await readAnswer(source, subject.path, query, schemaOf(subject));
  if (answer.kind !== 'value') return answer;
  // Some histories include the point at the end.
  const points = answer.value.filter(({ bucket }) => bucket >= start && bucket < end);
  const received = subject.kind === 'reserve' ? step : stepOf(points, end.getTime() - start.getTime());
  const problem = disorder(answer.value, received);
  if (problem !== null)
    return { kind: 'unusable', problem: `${subject.path}: malformed response, nothing imported: ${problem}` };
  return { kind: 'value', value: { step: received, points } };
}

function schemaOf(subject: ImportSubject) {
  if (subject.kind === 'reserve') return reserveHistory(subject.market, subject.address);
  return subject.kind === 'vault' ? vaultHistory(subject.address) : marketHistory(subject.address);
}

/**
 * Infers the step from the timestamps, because the contract does not state it. Only midnights means days,
 * unless it is a single midnight in a range too short for two.
 */
function stepOf(points: readonly SourcePoint[], rangeMs: number): Step {
  const midnights = points.every(({ bucket }) => bucket.getTime() % DAY_MS === 0);
  return midnights && (points.length > 1 || (points.length === 1 && rangeMs > DAY_MS)) ? DAY : HOUR;
}

/** Why the points are not ascending buckets of the step; null when they are. */
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
