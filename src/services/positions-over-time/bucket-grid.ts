import type { Address } from '@solana/kit';
import type { Slice } from '../../store/history/read-slices.ts';
import type { PointTime, Selected } from '../../store/history/series.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../store/history/steps.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import { type ResolvedRange, viewTime } from '../history/range.ts';
import { type Interval, sameBuckets, sliceAsk, type Wish } from '../history/series.ts';
import { slicesOf } from '../history/slices.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { SAMPLE_FIELDS } from './position-samples.ts';
import { SHARE_PRICE_FIELDS } from './vault-markets.ts';

const WHAT = 'The past of a position';
const INTERVALS: Readonly<Record<Step, Interval>> = { [MINUTE]: 'MINUTE', [HOUR]: 'HOUR', [DAY]: 'DAY' };

const FIELDS = [
  ...SAMPLE_FIELDS,
  ...SHARE_PRICE_FIELDS,
  'samples',
  'slot',
] as const satisfies readonly (keyof VaultPoint)[];
type GridPoint = Selected<VaultPoint, (typeof FIELDS)[number]>;

export interface GridAsk {
  readonly vaults: readonly Address[];
  readonly range: ResolvedRange;
  /** Unix seconds of the first event: there is nothing before. */
  readonly first: number;
  readonly wish: Wish;
}

/** The buckets of a series that is folded from several vaults. */
export interface Grid extends Slice<PointTime> {
  /** Cut to what there can be. */
  readonly range: ResolvedRange;
  /** What is recorded of each vault in these buckets. */
  readonly ofVault: readonly (readonly GridPoint[])[];
}

/**
 * Buckets in which anything is recorded of the vaults, from that of the first event on. Each is told as of its last
 * sample; the running one is always there and told as of now. One statement, or two where some vaults are recorded
 * for so much longer than others that days have to do for all.
 */
export async function bucketGrid(
  platform: Platform,
  session: Session,
  { vaults, range, first, wish }: GridAsk,
): Promise<Grid> {
  const { vault: read } = slicesOf(platform, session, WHAT);
  const began = new Date(first * 1_000);
  const dayBegan = bucketOf(began, DAY);
  const cut = dayBegan > range.start ? { ...range, start: dayBegan, open: false } : range;
  // The day began before the first event did: that much more of hours is still within the rule.
  const slack = cut.start === dayBegan ? first - dayBegan.getTime() / 1_000 : 0;
  const slices = await Promise.all(
    vaults.map((vault) => {
      const ask = sliceAsk(vault, cut, wish);
      const { maxHoursSpanSeconds } = ask;
      return read(
        { ...ask, maxHoursSpanSeconds: maxHoursSpanSeconds === null ? null : maxHoursSpanSeconds + slack },
        FIELDS,
      );
    }),
  );
  const step = coarsest(slices);
  const same = await Promise.all(
    slices.map((slice, i) => {
      const vault = vaults[i];
      if (step === null || slice.step === null || slice.step === step || vault === undefined) return slice;
      return read(sameBuckets(vault, cut, INTERVALS[step]), FIELDS);
    }),
  );
  const points = joined(session, same, range, step ?? stepOf(wish)).filter(
    ({ sampledAt }) => sampledAt >= began,
  );
  const start = bucketOf(began, step ?? stepOf(wish));
  return {
    step,
    since: sinceOf(slices, began),
    points,
    range: start > range.start ? { ...range, start, open: false } : { ...range, open: false },
    ofVault: same.map((slice) => slice.points),
  };
}

function coarsest(slices: readonly Slice<GridPoint>[]): Step | null {
  const steps = slices.flatMap(({ step }) => step ?? []);
  return [DAY, HOUR, MINUTE].find((step) => steps.includes(step)) ?? null;
}

const stepOf = ({ interval }: Wish): Step =>
  interval === 'DAY' ? DAY : interval === 'MINUTE' ? MINUTE : HOUR;

/** Since when something is known: not before the first event. */
function sinceOf(slices: readonly Slice<GridPoint>[], began: Date): Date | null {
  const since = slices.flatMap((slice) => slice.since?.getTime() ?? []);
  return since.length === 0 ? null : new Date(Math.max(Math.min(...since), began.getTime()));
}

function joined(
  { view }: Session,
  slices: readonly Slice<GridPoint>[],
  { start, end }: ResolvedRange,
  step: Step,
): PointTime[] {
  const now = viewTime(view);
  const byBucket = new Map<number, PointTime>();
  for (const { bucket, samples, slot, sampledAt } of slices.flatMap(({ points }) => points)) {
    const known = byBucket.get(bucket.getTime());
    if (sampledAt > now || (known !== undefined && known.sampledAt >= sampledAt)) continue;
    byBucket.set(bucket.getTime(), { bucket, samples, slot, sampledAt });
  }
  const running = bucketOf(now, step);
  if (running >= start && running < end) {
    byBucket.set(running.getTime(), {
      bucket: running,
      samples: 1,
      slot: view.moment.slot,
      sampledAt: now,
    });
  }
  return [...byBucket.values()].sort((a, b) => a.bucket.getTime() - b.bucket.getTime());
}
