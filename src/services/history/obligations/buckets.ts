import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { type StepExtent, seriesExtents } from '../../../store/history/series-extent.ts';
import { bucketOf, DAY, HOUR, type Step } from '../../../store/history/time-buckets.ts';
import type { Database } from '../../../store/sql.ts';
import { perSession } from '../../request/per-session.ts';
import type { ResolvedRange } from '../../request/time-range.ts';
import { MAX_HOURLY_SECONDS, type Resolution, STEP_OF } from '../series.ts';

/** Retained extents of reserves. Batches the reserves of one tick into one statement. */
export const reserveExtents = perSession(
  (_, db: Database) =>
    new DataLoader<Address, readonly StepExtent[]>(async (reserves) => {
      const found = await seriesExtents(db, 'reserve', reserves);
      return reserves.map((reserve) => found.get(reserve) ?? []);
    }),
);

/** Time of the oldest retained sample, of one step or of any; null for none. */
export function firstRecorded(extents: readonly StepExtent[], step: Step | null = null): Date | null {
  const firsts = extents.filter((each) => step === null || each.step === step).map(({ first }) => first);
  return firsts.reduce<Date | null>((least, each) => (least === null || each < least ? each : least), null);
}

/** The requested step, or hours or days by the rules of every series, over the part of the range that has data. */
export function chosenStep(
  { start, end }: ResolvedRange,
  resolution: Resolution,
  since: Date,
  extents: readonly StepExtent[],
): Step {
  if (resolution.interval !== null) return STEP_OF[resolution.interval];
  const from = later(start, since);
  const first = later(from, firstRecorded(extents, HOUR) ?? end);
  const hours = (bucketOf(end, HOUR).getTime() - bucketOf(first, HOUR).getTime()) / (HOUR * 1_000);
  const isShort = end.getTime() - from.getTime() <= MAX_HOURLY_SECONDS * 1_000;
  return isShort && (resolution.maxPoints === null || hours <= resolution.maxPoints) ? HOUR : DAY;
}

export const later = (a: Date, b: Date): Date => (a > b ? a : b);
