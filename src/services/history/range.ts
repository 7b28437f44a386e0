import type { View } from '../../chain/view.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

/** What a caller asks for: `start` is inclusive, `end` is not. */
export interface AskedRange {
  readonly start?: Date | null | undefined;
  readonly end?: Date | null | undefined;
}

/** A range as it is read. */
export interface ResolvedRange {
  readonly start: Date;
  /** Exclusive, and not behind the View's own time; the bucket that runs at that time is inside. */
  readonly end: Date;
  /** Without a start, everything that is recorded is meant. */
  readonly open: boolean;
}

export const viewTime = ({ moment }: View): Date => new Date(Number(moment.timestamp) * 1_000);

/** Why a range cannot be answered; null when it can. Faces word their refusals with it. */
export function rangeProblem(view: View, { start, end }: AskedRange): string | null {
  const [from, to] = [start ?? new Date(0), end ?? viewTime(view)];
  if (from <= to) return null;
  return `${from.toISOString()} is after ${end ? 'the end of the range' : 'now'}, ${to.toISOString()}`;
}

/**
 * The range in force: from 1970 up to the View's time unless the caller says otherwise.
 *
 * @throws BAD_REQUEST for one that starts after its end
 */
export function resolveRange(view: View, asked: AskedRange): ResolvedRange {
  const problem = rangeProblem(view, asked);
  if (problem !== null) throw new SluiceError('BAD_REQUEST', { reason: `range.start: ${problem}.` });
  // The bucket that begins at this very moment is running.
  const afterNow = viewTime(view).getTime() + 1;
  return {
    start: asked.start ?? new Date(0),
    end: new Date(Math.min(asked.end?.getTime() ?? afterNow, afterNow)),
    open: !asked.start,
  };
}
