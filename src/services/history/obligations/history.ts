import { ONE } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../../chain/view/view.ts';
import { bucketOf, type Step } from '../../../store/history/time-buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { MarketRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { type ResolvedRange, resolveRange, viewTime } from '../../request/time-range.ts';
import { type RateLookup, rateLookup } from '../rate-lookup.ts';
import { type History, historyFrom, newestOf, type SeriesRequest, sampled } from '../series.ts';
import { chosenStep, firstRecorded, later, reserveExtents } from './buckets.ts';
import { type PastTerms, pastPositions } from './past-positions.ts';
import { debtMoments, type PastStates, pastStates } from './past-state.ts';
import { type ObligationPoint, type PastMoment, pastPoint, presentPoint, tokenInView } from './point.ts';
import { type RecordedReserve, type RecordedValues, recordedBuckets } from './recorded-buckets.ts';
import type { MomentRates } from './rewind.ts';
import type { ObligationTimeline } from './timeline.ts';

export type { ObligationPoint, PointPosition } from './point.ts';

const WHAT = 'Obligation history';

/** A point values every position of the obligation, which takes about as long as applying this many events. */
const STEPS_PER_POINT = 10;

/** An obligation over time. Buckets with an unknown value are omitted. */
export interface ObligationHistory extends History<ObligationPoint> {
  /** Whether every transaction of the obligation is known; required for `complete`. */
  readonly transactionsComplete: boolean;
}

export interface ObligationHistoryQuery extends SeriesRequest {
  /** Whether liquid-staking tokens are valued in SOL at their stake rate. */
  readonly useStakeRate: boolean;
}

const histories = oncePerSession<ObligationHistory>();

/**
 * An obligation in each published bucket, from its transactions and the recorded state of its reserves. The current
 * bucket is the obligation in the View. Computed once per request, however many aliases ask for it.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export function obligationHistory(
  platform: Platform,
  session: Session,
  market: MarketRecord,
  timeline: ObligationTimeline,
  query: ObligationHistoryQuery,
): Promise<ObligationHistory> {
  return histories(session, JSON.stringify([timeline.address, query]), () =>
    computeHistory(platform, session, market, timeline, query),
  );
}

async function computeHistory(
  platform: Platform,
  session: Session,
  market: MarketRecord,
  timeline: ObligationTimeline,
  { range: asked, resolution, useStakeRate }: ObligationHistoryQuery,
): Promise<ObligationHistory> {
  const { view } = session;
  const range = resolveRange(view, asked);
  const db = platform.historyFor(session, WHAT);
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
  const [rates, past] = await Promise.all([
    ratesOnce(session, timeline.address, () => rateLookup(db, session, debtMoments(timeline.events))),
    recordedBuckets(platform, session, { reserves, range: part, step, resolution }),
  ]);
  const running = bucketOf(now, step).getTime();
  const known = past.times.filter(({ bucket, sampledAt }) => sampledAt >= born.getTime() && bucket < running);
  const isPresentAsked = running >= part.start.getTime() && running < part.end.getTime();
  const buckets = [...known.map(({ bucket }) => bucket), ...(isPresentAsked ? [running] : [])];
  const chosen = resolution.interval === null ? sampled(buckets, resolution.maxPoints) : buckets;
  const tokens = useStakeRate ? reserves.flatMap((reserve) => tokenInView(view, reserve)?.mint ?? []) : [];
  const values = await past.read(
    chosen.filter((bucket) => bucket !== running),
    tokens,
  );
  // After all reads: obligations whose folds pause at different times would no longer read in one batch.
  const states = await statesOf(session, timeline, rates);
  const group = timeline.record?.value.elevationGroup ?? 0;
  const terms = { market, group, reserves: (address: Address) => view.get('reserve', address) };
  const knownPast = { values, states, terms, useStakeRate };
  const meter = session.work;
  const points: ObligationPoint[] = [];
  for (const bucket of chosen) {
    const pause = meter.step(STEPS_PER_POINT);
    if (pause !== null) await pause;
    const point =
      bucket === running
        ? presentPoint(session, market, timeline.record, new Date(running), useStakeRate)
        : pointIn(view, bucket, knownPast);
    if (point !== null) points.push(point);
  }
  const newest = newestOf(points, resolution, [past]);
  const total = chosen.length < buckets.length ? buckets.length : newest.points.length;
  const history = historyFrom({ step, since, total, ...newest }, part, resolution, (point) => point);
  return {
    ...history,
    complete: history.complete && states.complete,
    transactionsComplete: states.complete,
  };
}

const ratesOnce = oncePerSession<RateLookup>();
const statesOnce = oncePerSession<PastStates>();

/** The events of an obligation, folded once per request. */
function statesOf(session: Session, timeline: ObligationTimeline, rates: RateLookup): Promise<PastStates> {
  return statesOnce(session, timeline.address, () => session.work.run(pastStates(timeline, rates)));
}

/** The range without buckets before the obligation's first one. */
function knownPart(range: ResolvedRange, from: Date, step: Step): ResolvedRange {
  const start = from > range.start ? bucketOf(from, step) : range.start;
  return { start: start < range.end ? start : range.end, end: range.end, open: false };
}

/** Everything that is known about an obligation and its reserves in the past. */
interface KnownPast {
  readonly values: RecordedValues;
  readonly states: PastStates;
  readonly terms: PastTerms;
  readonly useStakeRate: boolean;
}

/** The obligation in a past bucket; null when a value is unknown. */
function pointIn(
  view: View,
  bucket: number,
  { values, states, terms, useStakeRate }: KnownPast,
): ObligationPoint | null {
  const reserves = values.reservesIn(bucket);
  const moment = momentOf(bucket, reserves, values, useStakeRate);
  if (moment === null) return null;
  const state = states.at(moment.sampledAt.getTime() / 1_000, ratesOf(reserves));
  const positions = pastPositions(state, (reserve) => reserves.get(reserve), terms);
  return pastPoint(view, terms.market, positions, moment);
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

/** The moment of a bucket is its last sample; null for a bucket that was deleted since it was listed. */
function momentOf(
  at: number,
  reserves: ReadonlyMap<Address, RecordedReserve>,
  { priceIn }: RecordedValues,
  useStakeRate: boolean,
): PastMoment | null {
  const [first, ...others] = reserves.values();
  if (first === undefined) return null;
  const last = others.reduce((a, b) => (b.sampledAt > a.sampledAt ? b : a), first);
  const sol = priceIn(at, WRAPPED_SOL_MINT);
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
          const rate = config && priceIn(at, config.mintAddress)?.stakeRateSol;
          return config ? { decimals: config.decimals, stakeRateSol: rate ?? null } : null;
        }
      : null,
  };
}
