import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Slice, SliceRequest } from '../../../store/history/read-slices.ts';
import { bucketOf, DAY, HOUR, type Step, type TimeSpan } from '../../../store/history/time-buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import type { ResolvedRange } from '../../request/time-range.ts';
import { INTERVAL_OF, type Interval, sameBuckets } from '../series.ts';
import { slicesOf } from '../slices.ts';
import { fitsHours } from './request.ts';

/** The recorded past of one series, by the time of the sample in milliseconds. */
export interface RecordedValues {
  /** Start of recording; null when nothing was ever recorded. */
  readonly since: Date | null;
  readonly values: ReadonlyMap<number, Rational>;
  /** Parts of the range without a record, ascending, in whole buckets. */
  readonly missing: readonly TimeSpan[];
}

/** The recorded past of reserves and of a vault over one range, at one interval. */
export interface Recording {
  readonly interval: Interval;
  /** Collateral tokens per token of a reserve. */
  exchangeRates(reserve: Address): RecordedValues;
  /** Tokens per share of the vault; 0 without shares. */
  readonly sharePrices: RecordedValues;
}

interface RecordedPoint {
  readonly bucket: Date;
  readonly sampledAt: Date;
  readonly value: Rational | null;
}
type RecordedSlice = Pick<Slice<RecordedPoint>, 'since' | 'points'>;

const NOTHING: RecordedValues = { since: null, values: new Map(), missing: [] };

/**
 * Reads hours where the range is short and they reach back far enough, otherwise days.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
 */
export async function readRecording(
  platform: Platform,
  session: Session,
  vault: Address,
  reserves: readonly Address[],
  range: ResolvedRange,
): Promise<Recording> {
  const read = (step: Step) => readSlices(platform, session, vault, reserves, range, step);
  const hours = fitsHours(range.end.getTime() - range.start.getTime()) ? await read(HOUR) : null;
  const reachBack = hours?.every((slice) => reachesBack(slice, range)) ?? false;
  const [slices, step] = reachBack && hours !== null ? [hours, HOUR] : [await read(DAY), DAY];
  const [sharePrices = NOTHING, ...rates] = slices.map((slice) => valuesOf(slice, range, step));
  const byReserve = new Map(reserves.map((reserve, i) => [reserve, rates[i] ?? NOTHING]));
  return {
    interval: INTERVAL_OF[step],
    exchangeRates: (reserve) => byReserve.get(reserve) ?? NOTHING,
    sharePrices,
  };
}

/** The vault first, then the reserves. */
async function readSlices(
  platform: Platform,
  session: Session,
  vault: Address,
  reserves: readonly Address[],
  range: ResolvedRange,
  step: Step,
): Promise<readonly RecordedSlice[]> {
  const slices = slicesOf(platform, session, 'A backtest');
  // The last sample before the range is the state at its start.
  const start = new Date(bucketOf(range.start, step).getTime() - step * 1_000);
  const ask = (address: Address): SliceRequest =>
    sameBuckets(address, { ...range, start }, INTERVAL_OF[step]);
  const ofVault = async () => {
    const { since, points } = await slices.vault(ask(vault), ['sampledAt', 'tokensPerShare']);
    return { since, points: points.map((each) => ({ ...each, value: each.tokensPerShare })) };
  };
  const ofReserve = async (reserve: Address) => {
    const { since, points } = await slices.reserve(ask(reserve), ['sampledAt', 'exchangeRate']);
    // A rate of 0 says nothing about what the collateral is worth.
    const usable = ({ exchangeRate }: { readonly exchangeRate: Rational }) =>
      exchangeRate.isZero ? null : exchangeRate;
    return { since, points: points.map((each) => ({ ...each, value: usable(each) })) };
  };
  return await Promise.all([ofVault(), ...reserves.map(ofReserve)]);
}

/** Whether hours lack no more than a day at the start of what is recorded of the range. */
function reachesBack({ since, points }: RecordedSlice, { start, end }: ResolvedRange): boolean {
  if (since === null || since >= end) return true;
  const first = points[0]?.bucket.getTime() ?? Number.POSITIVE_INFINITY;
  return first <= Math.max(start.getTime(), since.getTime()) + DAY * 1_000;
}

function valuesOf({ since, points }: RecordedSlice, range: ResolvedRange, step: Step): RecordedValues {
  const values = new Map<number, Rational>();
  const buckets = new Set<number>();
  for (const { bucket, sampledAt, value } of points) {
    if (value === null) continue;
    buckets.add(bucket.getTime());
    if (sampledAt < range.end) values.set(sampledAt.getTime(), value);
  }
  return { since, values, missing: missingBuckets(buckets, range, step) };
}

function missingBuckets(buckets: ReadonlySet<number>, { start, end }: TimeSpan, step: Step): TimeSpan[] {
  const width = step * 1_000;
  const missing: { start: Date; end: Date }[] = [];
  for (let bucket = bucketOf(start, step).getTime(); bucket < end.getTime(); bucket += width) {
    if (buckets.has(bucket)) continue;
    const last = missing.at(-1);
    const until = new Date(bucket + width);
    if (last?.end.getTime() === bucket) last.end = until;
    else missing.push({ start: new Date(bucket), end: until });
  }
  return missing;
}
