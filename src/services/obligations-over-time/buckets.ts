import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { extent, type StepExtent } from '../../store/history/extent.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../store/history/steps.ts';
import type { Database } from '../../store/sql.ts';
import type { ResolvedRange } from '../history/range.ts';
import type { Interval, Resolution } from '../history/series.ts';
import type { Session } from '../records.ts';

export const INTERVAL_OF: Readonly<Record<Step, Interval>> = {
  [MINUTE]: 'MINUTE',
  [HOUR]: 'HOUR',
  [DAY]: 'DAY',
};

/** The longest span that defaults to hourly points. */
const HOURLY_MS = 31 * DAY * 1_000;

const ofSession = new WeakMap<Session, DataLoader<Address, readonly StepExtent[]>>();

/** Retained extents of reserves. Batches the reserves of one tick into one statement. */
export function reserveExtents(db: Database, session: Session): DataLoader<Address, readonly StepExtent[]> {
  const loader =
    ofSession.get(session) ??
    new DataLoader<Address, readonly StepExtent[]>(async (reserves) => {
      const found = await extent(db, 'reserve', reserves);
      return reserves.map((reserve) => found.get(reserve) ?? []);
    });
  ofSession.set(session, loader);
  return loader;
}

/** Time of the oldest retained sample, of one step or of any; null for none. */
export function firstRecorded(extents: readonly StepExtent[], step: Step | null = null): Date | null {
  const firsts = extents.filter((each) => step === null || each.step === step).map(({ first }) => first);
  return firsts.reduce<Date | null>((least, each) => (least === null || each < least ? each : least), null);
}

/** Chooses the step by the rules of every series, over the part of the range that has data. */
export function chosenStep(
  { start, end }: ResolvedRange,
  resolution: Resolution,
  since: Date,
  extents: readonly StepExtent[],
): Step {
  const most = resolution.maxPoints ?? Number.POSITIVE_INFINITY;
  const from = later(start, since);
  const count = (step: Step) => {
    const first = later(from, firstRecorded(extents, step) ?? end);
    return (bucketOf(end, step).getTime() - bucketOf(first, step).getTime()) / (step * 1_000);
  };
  if (resolution.interval === 'MINUTE' && count(MINUTE) <= most) return MINUTE;
  const short = resolution.interval !== null || end.getTime() - from.getTime() <= HOURLY_MS;
  return resolution.interval !== 'DAY' && short && count(HOUR) <= most ? HOUR : DAY;
}

export const later = (a: Date, b: Date): Date => (a > b ? a : b);
