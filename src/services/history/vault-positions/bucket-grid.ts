import type { Address } from '@solana/kit';
import { lastIndexAt } from '../../../domain/pnl/series.ts';
import type { Slice } from '../../../store/history/read-slices.ts';
import type { Selected } from '../../../store/history/series.ts';
import { bucketOf, DAY, HOUR, MINUTE, type Step } from '../../../store/history/time-buckets.ts';
import type { VaultPoint } from '../../../store/history/vault-series.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import { type ResolvedRange, viewTime } from '../../request/time-range.ts';
import { type BucketPoints, bucketPoints } from '../bucket-points.ts';
import { newestOf, type Resolution, STEP_OF, sampled, sliceAsk } from '../series.ts';
import { slicesOf } from '../slices.ts';
import { SAMPLE_FIELDS } from './position-samples.ts';
import { SHARE_PRICE_FIELDS, secondsOf } from './vault-markets.ts';

const WHAT = 'Position history';
const FIELDS = [...SAMPLE_FIELDS, ...SHARE_PRICE_FIELDS] as const satisfies readonly (keyof VaultPoint)[];
type GridPoint = Selected<VaultPoint, (typeof FIELDS)[number]>;

export interface GridQuery {
  readonly vaults: readonly Address[];
  readonly range: ResolvedRange;
  /** Unix seconds of the first event; nothing exists before it. */
  readonly first: number;
  readonly resolution: Resolution;
}

/** A bucket of the grid. */
interface GridBucket {
  /** Start of the bucket. */
  readonly bucket: Date;
  /** Time of its last sample, or now. */
  readonly sampledAt: Date;
}

/** The published buckets of a series folded from several vaults. */
export interface Grid extends Slice<GridBucket> {
  /** Clipped to the first event. */
  readonly range: ResolvedRange;
  /** Points of each vault that are the last at the time of some published bucket; more where they were read anyway. */
  readonly ofVault: readonly (readonly GridPoint[])[];
}

/**
 * Buckets with a sample of any of the vaults, from the first event on. Each is as of its last sample; the current one is
 * always present and as of now. One statement; two more when there are more days than are published, or when the vaults'
 * histories differ so much in length that all must use days.
 */
export async function bucketGrid(platform: Platform, session: Session, query: GridQuery): Promise<Grid> {
  const { vaults, range, first, resolution } = query;
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
  const width = step ?? STEP_OF[interval ?? 'HOUR'];
  const start = bucketOf(began, width);
  const isWhole = slices.every(
    (slice) => slice.points.length === slice.total && (slice.step === null || slice.step === step),
  );
  const source =
    isWhole || interval !== null
      ? wholeSlices(slices)
      : await listedDays(bucketPoints(platform, session, WHAT), vaults, cut);
  const joined = joinedBuckets(session, source.times, range, width).filter(
    ({ sampledAt }) => sampledAt >= began,
  );
  const newest = newestOf(joined, resolution, slices);
  const points = interval === null ? sampled(newest.points, resolution.maxPoints) : newest.points;
  return {
    step,
    since: sinceOf(slices, began),
    points,
    total: newest.points.length,
    truncated: newest.truncated,
    range: start > range.start ? { ...range, start, open: false } : { ...range, open: false },
    ofVault: await source.read(points),
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

/** The recorded buckets of each vault, and how to read their points once the published buckets are chosen. */
interface GridSource {
  readonly times: readonly (readonly GridBucket[])[];
  read(published: readonly GridBucket[]): Promise<readonly (readonly GridPoint[])[]>;
}

function wholeSlices(slices: readonly Slice<GridPoint>[]): GridSource {
  const lists = slices.map(({ points }) => points);
  return { times: lists, read: async () => lists };
}

async function listedDays(
  { daysOf, vault: read }: BucketPoints,
  vaults: readonly Address[],
  { start, end }: ResolvedRange,
): Promise<GridSource> {
  const all = await Promise.all(vaults.map((vault) => daysOf.vault(vault)));
  const lists = all.map((days) =>
    days.filter(({ bucket }) => bucket >= start.getTime() && bucket < end.getTime()),
  );
  return {
    times: lists.map((days) =>
      days.map(({ bucket, sampledAt }) => ({ bucket: new Date(bucket), sampledAt: new Date(sampledAt) })),
    ),
    read: (published) =>
      Promise.all(
        vaults.map(async (address, i) => {
          const days = (lists[i] ?? []).map(({ bucket, sampledAt }) => ({
            bucket,
            time: Math.floor(sampledAt / 1_000),
          }));
          const buckets = new Set(
            published.flatMap(({ sampledAt }) => days[lastIndexAt(days, secondsOf(sampledAt))]?.bucket ?? []),
          );
          const points = await read({ address, step: DAY, buckets }, FIELDS);
          return [...buckets].sort((a, b) => a - b).flatMap((bucket) => points.get(bucket) ?? []);
        }),
      ),
  };
}

/** One entry per bucket with the latest sample of any vault, ascending, with the current bucket as of now. */
function joinedBuckets(
  { view }: Session,
  lists: readonly (readonly GridBucket[])[],
  { start, end }: ResolvedRange,
  step: Step,
): GridBucket[] {
  const now = viewTime(view);
  const byBucket = new Map<number, GridBucket>();
  for (const { bucket, sampledAt } of lists.flat()) {
    const known = byBucket.get(bucket.getTime());
    if (sampledAt > now || (known !== undefined && known.sampledAt >= sampledAt)) continue;
    byBucket.set(bucket.getTime(), { bucket, sampledAt });
  }
  const running = bucketOf(now, step);
  if (running >= start && running < end) byBucket.set(running.getTime(), { bucket: running, sampledAt: now });
  return [...byBucket.values()].sort((a, b) => a.bucket.getTime() - b.bucket.getTime());
}
