import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { extent, type StepExtent } from '../../store/history/extent.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../store/history/steps.ts';
import type { Database } from '../../store/sql.ts';
import type { ResolvedRange } from '../history/range.ts';
import type { Interval, Wish } from '../history/series.ts';
import type { Session } from '../records.ts';

export const INTERVAL_OF: Readonly<Record<Step, Interval>> = {
  [MINUTE]: 'MINUTE',
  [HOUR]: 'HOUR',
  [DAY]: 'DAY',
};

/** The longest part of a range that is told by the hour unless something else is asked for. */
const HOURLY_MS = 31 * DAY * 1_000;

const ofSession = new WeakMap<Session, DataLoader<Address, readonly StepExtent[]>>();

/** What is kept of a reserve; the reserves that a request asks for in one tick are one statement. */
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

/** When a step, or anything, was first recorded of any of the series; null for never. */
export function firstRecorded(extents: readonly StepExtent[], step: Step | null = null): Date | null {
  const firsts = extents.filter((each) => step === null || each.step === step).map(({ first }) => first);
  return firsts.reduce<Date | null>((least, each) => (least === null || each < least ? each : least), null);
}

/** The same rules as for every series, over the part of the range in which something is known. */
export function chosenStep(
  { start, end }: ResolvedRange,
  wish: Wish,
  since: Date,
  extents: readonly StepExtent[],
): Step {
  const most = wish.maxPoints ?? Number.POSITIVE_INFINITY;
  const from = later(start, since);
  const count = (step: Step) => {
    const first = later(from, firstRecorded(extents, step) ?? end);
    return (bucketOf(end, step).getTime() - bucketOf(first, step).getTime()) / (step * 1_000);
  };
  if (wish.interval === 'MINUTE' && count(MINUTE) <= most) return MINUTE;
  const short = wish.interval !== null || end.getTime() - from.getTime() <= HOURLY_MS;
  return wish.interval !== 'DAY' && short && count(HOUR) <= most ? HOUR : DAY;
}

export const later = (a: Date, b: Date): Date => (a > b ? a : b);
