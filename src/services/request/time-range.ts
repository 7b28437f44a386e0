import type { View } from '../../chain/view/view.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

/** The range of a request: `start` is inclusive, `end` exclusive. */
export interface RangeInput {
  readonly start?: Date | null | undefined;
  readonly end?: Date | null | undefined;
}

/** Periods up to now, named as in the GraphQL schema. */
export type Period = 'H24' | 'D7' | 'D14' | 'D30' | 'D60' | 'D90' | 'D180' | 'D365';

const DAY_MS = 86_400_000;

export const PERIOD_MS: Readonly<Record<Period, number>> = {
  H24: DAY_MS,
  D7: 7 * DAY_MS,
  D14: 14 * DAY_MS,
  D30: 30 * DAY_MS,
  D60: 60 * DAY_MS,
  D90: 90 * DAY_MS,
  D180: 180 * DAY_MS,
  D365: 365 * DAY_MS,
};

/** Length of a period or of a range with both ends, in milliseconds; null when it depends on now or on recording. */
export function spanMs(range: RangeInput | null | undefined, last: Period | null | undefined): number | null {
  if (last) return PERIOD_MS[last];
  return range?.start && range.end ? Math.max(range.end.getTime() - range.start.getTime(), 0) : null;
}

/** A range with defaults applied. */
export interface ResolvedRange {
  readonly start: Date;
  /** Exclusive, at most just after the View's time, so the current bucket is included. */
  readonly end: Date;
  /** Without a start: everything recorded. */
  readonly open: boolean;
}

export const viewTime = ({ moment }: View): Date => new Date(Number(moment.timestamp) * 1_000);

/**
 * The range of a request that gives its ends or a period up to now. Neither means everything recorded.
 *
 * @throws BAD_REQUEST when it gives both
 */
export function rangeOrLast(
  view: View,
  range: RangeInput | null | undefined,
  last: Period | null | undefined,
): RangeInput {
  if (!last) return range ?? {};
  if (range) throw new SluiceError('BAD_REQUEST', { reason: 'Pass either `range` or `last`, not both.' });
  return { start: new Date(viewTime(view).getTime() - PERIOD_MS[last]) };
}

/** Why a range is invalid, for error messages; null when it is valid. */
export function rangeProblem(view: View, { start, end }: RangeInput): string | null {
  const [from, to] = [start ?? new Date(0), end ?? viewTime(view)];
  if (from <= to) return null;
  return `${from.toISOString()} is after ${end ? 'the end of the range' : 'now'}, ${to.toISOString()}`;
}

/**
 * Applies the defaults: from 1970 to the View's time.
 *
 * @throws BAD_REQUEST when the range starts after its end
 */
export function resolveRange(view: View, asked: RangeInput): ResolvedRange {
  const problem = rangeProblem(view, asked);
  if (problem !== null) throw new SluiceError('BAD_REQUEST', { reason: `range.start: ${problem}.` });
  // Includes the bucket that starts exactly now.
  const afterNow = viewTime(view).getTime() + 1;
  return {
    start: asked.start ?? new Date(0),
    end: new Date(Math.min(asked.end?.getTime() ?? afterNow, afterNow)),
    open: !asked.start,
  };
}
