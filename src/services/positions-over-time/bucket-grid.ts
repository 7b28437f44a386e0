import type { Address } from '@solana/kit';
import type { Slice } from '../../store/history/read-slices.ts';
import type { PointTime, Selected } from '../../store/history/series.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../store/history/steps.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import { type ResolvedRange, viewTime } from '../history/range.ts';
import { INTERVAL_OF, newestOf, type Resolution, STEP_OF, sameBuckets, sliceAsk } from '../history/series.ts';
import { slicesOf } from '../history/slices.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { SAMPLE_FIELDS } from './position-samples.ts';
import { SHARE_PRICE_FIELDS } from './vault-markets.ts';

const WHAT = 'Position history';
const FIELDS = [
  ...SAMPLE_FIELDS,
  ...SHARE_PRICE_FIELDS,
  'samples',
  'slot',
] as const satisfies readonly (keyof VaultPoint)[];
type GridPoint = Selected<VaultPoint, (typeof FIELDS)[number]>;

export interface GridQuery {
  readonly vaults: readonly Address[];
  readonly range: ResolvedRange;
  /** Unix seconds of the first event; nothing exists before it. */
  readonly first: number;
  readonly resolution: Resolution;
}

/** The buckets of a series folded from several vaults. */
export interface Grid extends Slice<PointTime> {
  /** Clipped to the first event. */
  readonly range: ResolvedRange;
  /** Points of each vault in these buckets. */
  readonly ofVault: readonly (readonly GridPoint[])[];
}

/**
 * Buckets with a sample of any of the vaults, from the first event on. Each is as of its last sample; the current one is
 * always present and as of now. One statement, or two when the vaults' histories differ so much in length that all must
 * use days.
 */
export async function bucketGrid(
  platform: Platform,
  session: Session,
  { vaults, range, first, resolution }: GridQuery,
): Promise<Grid> {
  const { vault: read } = slicesOf(platform, session, WHAT);
  const began = new Date(first * 1_000);
  const { interval } = resolution;
  const firstBucket = bucketOf(began, interval === null ? DAY : STEP_OF[interval]);
  const cut = firstBucket > range.start ? { ...range, start: firstBucket, open: false } : range;
  // The range starts at the beginning of the bucket; widens the hourly limit by the time before the first event.
  const slack = cut.start === firstBucket ? first - firstBucket.getTime() / 1_000 : 0;
  const slices = await Promise.all(
    vaults.map((vault) => {
      const ask = sliceAsk(vault, cut, resolution);
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
      return read(sameBuckets(vault, cut, INTERVAL_OF[step]), FIELDS);
    }),
  );
  const width = step ?? STEP_OF[interval ?? 'HOUR'];
  const points = joined(session, same, range, width).filter(({ sampledAt }) => sampledAt >= began);
  const start = bucketOf(began, width);
  return {
    step,
    since: sinceOf(slices, began),
    ...newestOf(points, resolution, same),
    range: start > range.start ? { ...range, start, open: false } : { ...range, open: false },
    ofVault: same.map((slice) => slice.points),
  };
}

function coarsest(slices: readonly Slice<GridPoint>[]): Step | null {
  const steps = slices.flatMap(({ step }) => step ?? []);
  return [DAY, HOUR, MINUTE].find((step) => steps.includes(step)) ?? null;
}

/** Start of the recorded data, not before the first event. */
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
