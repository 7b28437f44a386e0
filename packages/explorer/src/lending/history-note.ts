import { day } from '../format/dates.ts';

export interface HistoryState {
  readonly interval: 'MINUTE' | 'HOUR' | 'DAY';
  readonly complete: boolean;
  readonly recordedSince: string | null;
}

const WIDTHS = { MINUTE: 'minute', HOUR: 'hour', DAY: 'day' } as const;

/** Notes on a series: the width of its points, and where it has gaps. */
export function historyNote({ interval, complete, recordedSince }: HistoryState): string {
  const since = recordedSince === null ? null : day(new Date(recordedSince), new Date());
  return [
    `One point per ${WIDTHS[interval]}.`,
    ...(since === null ? [] : [`Recorded since ${since}.`]),
    ...(complete ? [] : ['Points of this range are missing.']),
  ].join(' ');
}
