import type { View } from '../../chain/view.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

/** The range of a request: `start` is inclusive, `end` exclusive. */
export interface RangeInput {
  readonly start?: Date | null | undefined;
  readonly end?: Date | null | undefined;
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
