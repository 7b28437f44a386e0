import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { PricePoint } from '../../../store/history/price-series.ts';
import type { RecordedDay } from '../../../store/history/recorded-days.ts';
import type { ReservePoint } from '../../../store/history/reserve-series.ts';
import type { Selected } from '../../../store/history/series.ts';
import { DAY, type Step } from '../../../store/history/time-buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import { perSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';
import type { ResolvedRange } from '../../request/time-range.ts';
import { type BucketPoints, bucketPoints, type PointsByBucket } from '../bucket-points.ts';
import { INTERVAL_OF, newestOf, type Resolution, sameBuckets } from '../series.ts';
import { slicesOf } from '../slices.ts';
import { TERMS_FIELDS } from './past-positions.ts';

const WHAT = 'Obligation history';

const RESERVE_FIELDS = [
  ...TERMS_FIELDS,
  'exchangeRate',
  'cumulativeBorrowRate',
  'samples',
  'slot',
  'sampledAt',
] as const satisfies readonly (keyof ReservePoint)[];
export type RecordedReserve = Selected<ReservePoint, (typeof RESERVE_FIELDS)[number]>;

const PRICE_FIELDS = [
  'priceUsd',
  'stakeRateSol',
  'sampledAt',
] as const satisfies readonly (keyof PricePoint)[];
export type RecordedPrice = Selected<PricePoint, (typeof PRICE_FIELDS)[number]>;

/** Times of a bucket, in milliseconds since the epoch. */
export type BucketTimes = RecordedDay;

/** Buckets in which at least one of several reserves was recorded. */
export interface RecordedBuckets {
  /** Ascending; without their values. */
  readonly times: readonly BucketTimes[];
  /** Whether the range has older ones than the newest, which these are. */
  readonly truncated: boolean;
  /** Reads the values in some of these buckets, and the prices of SOL and of the given mints. */
  read(buckets: readonly number[], mints: readonly Address[]): Promise<RecordedValues>;
}

export interface RecordedValues {
  reservesIn(bucket: number): ReadonlyMap<Address, RecordedReserve>;
  priceIn(bucket: number, mint: Address): RecordedPrice | undefined;
}

/** The recorded buckets of these reserves to find. */
export interface BucketsRequest {
  readonly reserves: readonly Address[];
  readonly range: ResolvedRange;
  readonly step: Step;
  readonly resolution: Resolution;
}

/** The recorded buckets of a range. Days are listed first and read once they are chosen; finer buckets are read at once. */
export function recordedBuckets(
  platform: Platform,
  session: Session,
  request: BucketsRequest,
): Promise<RecordedBuckets> {
  return request.step === DAY
    ? recordedDaysOf(platform, session, request)
    : finerBuckets(platform, session, request);
}

/** Days in which one of several reserves was recorded. Those of one tick are merged in turns and are there together. */
const daysOfAny = perSession(
  (session, { daysOf }: BucketPoints) =>
    new DataLoader<readonly Address[], readonly BucketTimes[], string>(
      async (asked) => {
        const days = await Promise.all(asked.map((reserves) => Promise.all(reserves.map(daysOf.reserve))));
        return await session.work.map(days, 1, merged);
      },
      { cacheKeyFn: (reserves) => reserves.join() },
    ),
);

async function recordedDaysOf(
  platform: Platform,
  session: Session,
  { reserves, range: { start, end }, resolution }: BucketsRequest,
): Promise<RecordedBuckets> {
  const points = bucketPoints(platform, session, WHAT);
  const all = await daysOfAny(session, points).load(reserves);
  const inRange = all.filter(({ bucket }) => bucket >= start.getTime() && bucket < end.getTime());
  const { points: times, truncated } = newestOf(inRange, resolution, []);
  return {
    times,
    truncated,
    async read(buckets, mints) {
      const [prices, ...series] = await Promise.all([
        readPrices(platform, session, DAY, buckets, mints),
        ...reserves.map((address) => points.reserve({ address, step: DAY, buckets }, RESERVE_FIELDS)),
      ]);
      return valuesIn(reserves, series, prices);
    },
  };
}

async function finerBuckets(
  platform: Platform,
  session: Session,
  { reserves, range, step, resolution }: BucketsRequest,
): Promise<RecordedBuckets> {
  const slices = slicesOf(platform, session, WHAT);
  const newest = resolution.interval === null ? null : resolution.maxPoints;
  const found = await Promise.all(
    reserves.map((reserve) =>
      slices.reserve({ ...sameBuckets(reserve, range, INTERVAL_OF[step]), newest }, RESERVE_FIELDS),
    ),
  );
  const all = merged(
    found.map(({ points }) =>
      points.map(({ bucket, sampledAt }) => ({ bucket: bucket.getTime(), sampledAt: sampledAt.getTime() })),
    ),
  );
  const { points: times, truncated } = newestOf(all, resolution, found);
  const series = found.map(({ points }) => new Map(points.map((point) => [point.bucket.getTime(), point])));
  return {
    times,
    truncated,
    read: async (buckets, mints) =>
      valuesIn(reserves, series, await readPrices(platform, session, step, buckets, mints)),
  };
}

/** One entry per bucket with the latest sample of any reserve, ascending. */
function merged(lists: readonly (readonly BucketTimes[])[]): readonly BucketTimes[] {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const byBucket = new Map<number, BucketTimes>();
  for (const times of lists.flat()) {
    const known = byBucket.get(times.bucket);
    if (known === undefined || known.sampledAt < times.sampledAt) byBucket.set(times.bucket, times);
  }
  return [...byBucket.values()].sort((a, b) => a.bucket - b.bucket);
}

type Prices = ReadonlyMap<Address, PointsByBucket<RecordedPrice>>;

async function readPrices(
  platform: Platform,
  session: Session,
  step: Step,
  buckets: readonly number[],
  mints: readonly Address[],
): Promise<Prices> {
  const { price: read } = bucketPoints(platform, session, WHAT);
  const wanted = buckets.length === 0 ? [] : [...new Set([WRAPPED_SOL_MINT, ...mints])];
  const prices = wanted.map(
    async (mint) => [mint, await read({ address: mint, step, buckets }, PRICE_FIELDS)] as const,
  );
  return new Map(await Promise.all(prices));
}

function valuesIn(
  reserves: readonly Address[],
  series: readonly PointsByBucket<RecordedReserve>[],
  prices: Prices,
): RecordedValues {
  return {
    reservesIn: (bucket) =>
      new Map(
        reserves.flatMap((reserve, i) => {
          const point = series[i]?.get(bucket);
          return point === undefined ? [] : [[reserve, point] as const];
        }),
      ),
    priceIn: (bucket, mint) => prices.get(mint)?.get(bucket),
  };
}
