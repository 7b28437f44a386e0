import type { ImportedPoints } from './import-subject.ts';
import type { ImportSubject } from './subjects.ts';

export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly elapsedMs: number;
}

export function progressLine(subject: ImportSubject, points: ImportedPoints, progress: Progress): string {
  const { done, of, elapsedMs } = progress;
  const minutes = points.minutes === 0 ? '' : `${points.minutes} minutes, `;
  const left = done === of ? '' : `, about ${durationText((elapsedMs / done) * (of - done))} left`;
  const counts = `${minutes}${points.hours} hours, ${points.days} days`;
  return `${done} of ${of}: ${subject.kind} ${subject.address}: ${counts}${left}`;
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
