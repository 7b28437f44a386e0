import type { Address } from '@solana/kit';
import { ONE } from '../../numeric/rational.ts';
import { WRAPPED_SOL_MINT } from '../../programs/program-ids.ts';
import type { PricePoint } from '../../store/history/price-series.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { Selected } from '../../store/history/series.ts';
import { bucketOf, type Step } from '../../store/history/steps.ts';
import type { Database } from '../../store/sql.ts';
import { type RangeInput, type ResolvedRange, resolveRange, viewTime } from '../history/range.ts';
import { sharedRateLookup } from '../history/rate-lookup.ts';
import {
  type History,
  historyFrom,
  INTERVAL_OF,
  newestOf,
  type Resolution,
  sameBuckets,
} from '../history/series.ts';
import { slicesOf } from '../history/slices.ts';
import type { Platform } from '../platform.ts';
import type { MarketRecord, Session } from '../records.ts';
import { chosenStep, firstRecorded, later, reserveExtents } from './buckets.ts';
import {
  type ObligationPoint,
  type PastMoment,
  pastPoint,
  presentPoint,
  tokenInView,
} from './history-point.ts';
import type { MomentRates } from './obligation-rewind.ts';
import type { ObligationTimeline } from './obligation-timeline.ts';
import { pastPositions, TERMS_FIELDS } from './past-positions.ts';
import { debtMoments, pastStates } from './past-state.ts';

export type { ObligationPoint, PointPosition } from './history-point.ts';

const WHAT = 'Obligation history';

/** An obligation over time. Buckets with an unknown value are omitted. */
export interface ObligationHistory extends History<ObligationPoint> {
  /** Whether every transaction of the obligation is known; required for `complete`. */
  readonly transactionsComplete: boolean;
}

export interface ObligationHistoryQuery {
  readonly range: RangeInput;
  readonly resolution: Resolution;
  /** Whether liquid-staking tokens are valued in SOL at their stake rate. */
  readonly useStakeRate: boolean;
}

/**
 * An obligation in each bucket, from its transactions and the recorded state of its reserves. The current bucket is the
 * obligation in the View.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function obligationHistory(
  platform: Platform,
  session: Session,
  market: MarketRecord,
  timeline: ObligationTimeline,
  { range: asked, resolution, useStakeRate }: ObligationHistoryQuery,
): Promise<ObligationHistory> {
  const { view } = session;
  const range = resolveRange(view, asked);
  const db = platform.history.database(WHAT);
  const reserves = [...new Set(timeline.events.map(({ reserve }) => reserve))];
  const loader = reserveExtents(session, db);
  const extents = (await Promise.all(reserves.map((reserve) => loader.load(reserve)))).flat();
  const now = viewTime(view);
  const [first] = timeline.events;
  const born = first === undefined ? now : new Date(first.time * 1_000);
  const recorded = firstRecorded(extents);
  const since = recorded && later(born, recorded);
  const step = chosenStep(range, resolution, since ?? now, extents);
  const part = knownPart(range, range.open ? (since ?? born) : born, step);
  const { states, buckets, prices, truncated } = await readPast(platform, session, timeline, reserves, part, {
    db,
    step,
    resolution,
    useStakeRate,
  });
  const group = timeline.record?.value.elevationGroup ?? 0;
  const terms = { market, group, reserves: (address: Address) => view.get('reserve', address) };
  const running = bucketOf(now, step);
  const points: ObligationPoint[] = [];
  for (const [at, recordedReserves] of buckets) {
    const moment = momentOf(at, recordedReserves, prices, useStakeRate);
    if (moment.sampledAt < born || moment.bucket >= running) continue;
    const pointOf = (reserve: Address) => recordedReserves.get(reserve);
    const state = states.at(moment.sampledAt.getTime() / 1_000, ratesOf(recordedReserves));
    const point = pastPoint(view, market, pastPositions(state, pointOf, terms), moment);
    if (point !== null) points.push(point);
  }
  if (running >= part.start && running < part.end) {
    const present = presentPoint(session, market, timeline.record, running, useStakeRate);
    if (present !== null) points.push(present);
  }
  const newest = newestOf(points, resolution, [{ truncated }]);
  const history = historyFrom({ step, since, ...newest }, part, resolution, (point) => point);
  return {
    ...history,
    complete: history.complete && states.complete,
    transactionsComplete: states.complete,
  };
}

/** The range without buckets before the obligation's first one. */
function knownPart(range: ResolvedRange, from: Date, step: Step): ResolvedRange {
  const start = from > range.start ? bucketOf(from, step) : range.start;
  return { start: start < range.end ? start : range.end, end: range.end, open: false };
}

const RESERVE_FIELDS = [
  ...TERMS_FIELDS,
  'exchangeRate',
  'cumulativeBorrowRate',
  'samples',
  'slot',
  'sampledAt',
] as const satisfies readonly (keyof ReservePoint)[];
type RecordedReserve = Selected<ReservePoint, (typeof RESERVE_FIELDS)[number]>;

const PRICE_FIELDS = [
  'priceUsd',
  'stakeRateSol',
  'sampledAt',
] as const satisfies readonly (keyof PricePoint)[];
type RecordedPrice = Selected<PricePoint, (typeof PRICE_FIELDS)[number]>;

type Buckets = readonly (readonly [at: number, reserves: ReadonlyMap<Address, RecordedReserve>])[];
type Prices = ReadonlyMap<Address, ReadonlyMap<number, RecordedPrice>>;

interface PastQuery {
  readonly db: Database;
  readonly step: Step;
  readonly resolution: Resolution;
  readonly useStakeRate: boolean;
}

async function readPast(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  reserves: readonly Address[],
  part: ResolvedRange,
  { db, step, resolution, useStakeRate }: PastQuery,
) {
  const { view } = session;
  const slices = slicesOf(platform, session, WHAT);
  const interval = INTERVAL_OF[step];
  const debts = debtMoments(timeline.events);
  const tokens = useStakeRate ? reserves.flatMap((reserve) => tokenInView(view, reserve)?.mint ?? []) : [];
  const newest = resolution.interval === null ? null : resolution.maxPoints;
  const [rates, ...series] = await Promise.all([
    sharedRateLookup(db, session, debts),
    ...reserves.map((reserve) =>
      slices.reserve({ ...sameBuckets(reserve, part, interval), newest }, RESERVE_FIELDS),
    ),
  ]);
  const byBucket = new Map<number, Map<Address, RecordedReserve>>();
  for (const [i, reserve] of reserves.entries()) {
    for (const point of series[i]?.points ?? []) {
      const at = point.bucket.getTime();
      const inBucket = byBucket.get(at) ?? new Map<Address, RecordedReserve>();
      byBucket.set(at, inBucket.set(reserve, point));
    }
  }
  const sorted: Buckets = [...byBucket].sort(([a], [b]) => a - b);
  const { points: buckets, truncated } = newestOf(sorted, resolution, series);
  const [first] = buckets;
  const span = truncated && first !== undefined ? { ...part, start: new Date(first[0]) } : part;
  const prices = await Promise.all(
    [...new Set([WRAPPED_SOL_MINT, ...tokens])].map(async (mint) => {
      const { points } = await slices.price(sameBuckets(mint, span, interval), PRICE_FIELDS);
      return [mint, new Map(points.map((point) => [point.bucket.getTime(), point]))] as const;
    }),
  );
  return { states: pastStates(timeline, rates), buckets, prices: new Map(prices) as Prices, truncated };
}

function ratesOf(reserves: ReadonlyMap<Address, RecordedReserve>): MomentRates {
  return {
    liquidityPerCollateral(reserve) {
      const rate = reserves.get(reserve)?.exchangeRate;
      return rate === undefined || rate.isZero ? null : ONE.div(rate);
    },
    cumulativeBorrowRate: (reserve) => reserves.get(reserve)?.cumulativeBorrowRate ?? null,
  };
}

/** The moment of a bucket is its last sample. */
function momentOf(
  at: number,
  reserves: ReadonlyMap<Address, RecordedReserve>,
  prices: Prices,
  useStakeRate: boolean,
): PastMoment {
  const last = [...reserves.values()].reduce((a, b) => (b.sampledAt > a.sampledAt ? b : a));
  const priceOf = (mint: Address) => prices.get(mint)?.get(at);
  const sol = priceOf(WRAPPED_SOL_MINT);
  return {
    bucket: last.bucket,
    samples: last.samples,
    slot: last.slot,
    sampledAt: last.sampledAt,
    tokenOf(reserve) {
      const config = reserves.get(reserve)?.config;
      return config && { mint: config.mintAddress, decimals: config.decimals };
    },
    solPrice: sol?.priceUsd ? { usd: sol.priceUsd, at: sol.sampledAt } : null,
    staked: useStakeRate
      ? (reserve) => {
          const config = reserves.get(reserve)?.config;
          const rate = config && priceOf(config.mintAddress)?.stakeRateSol;
          return config ? { decimals: config.decimals, stakeRateSol: rate ?? null } : null;
        }
      : null,
  };
}
