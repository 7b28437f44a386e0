import { roundToStored } from '@sluice/protocol/numeric/decimal';
import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens, total } from '../../domain/arithmetic.ts';
import { bucketOf, DAY, HOUR, type Step } from '../../store/history/time-buckets.ts';
import type { StoredLendingEvent } from '../../store/transactions/read-lending-events.ts';
import { later } from '../history/obligations/buckets.ts';
import { debtMoments } from '../history/obligations/past-state.ts';
import { ObligationRewind } from '../history/obligations/rewind.ts';
import { walletLendingEvents } from '../history/obligations/wallet-events.ts';
import { rateLookup } from '../history/rate-lookup.ts';
import { sliceAsk } from '../history/series.ts';
import { slicesOf } from '../history/slices.ts';
import { obligationsOf } from '../obligations/wallet-obligations.ts';
import type { Platform } from '../platform/platform.ts';
import type { ObligationRecord, ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';
import { borrowed, cumulativeBorrowRate, wholeCollateral } from '../reserves/reserves.ts';
import type { WalletLendingReward } from './wallet-rewards.ts';

/** The tokens that a campaign has paid a wallet since its start. */
export interface EarnedReward {
  /** Whole tokens over the recorded time; null for a campaign on a pair, whose total is unknown. */
  readonly tokens: Rational | null;
  /** Whether all of the time in which the wallet had a position is recorded. */
  readonly complete: boolean;
}

const WHAT = 'The earned rewards of a wallet';
const UNKNOWN: EarnedReward = { tokens: null, complete: false };

/** Totals of a reserve in one bucket, or now. */
interface ReserveTotal {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** Supply of collateral tokens, or total debt; whole tokens. */
  readonly total: Rational;
  /** Cumulative borrow rate; null where it was not recorded. */
  readonly rate: Rational | null;
}

/**
 * The campaign's tokens per second times the wallet's fraction of the total, over the recorded buckets since its start.
 * Buckets are split where the wallet's position changed; the current bucket uses the View. Assumes that the campaign
 * always paid its current rate.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function earnedReward(
  platform: Platform,
  session: Session,
  { campaign, wallet }: WalletLendingReward,
): Promise<EarnedReward> {
  const { view } = session;
  const db = platform.historyFor(session, WHAT);
  const { depositReserve, borrowReserve } = campaign;
  const reserve = depositReserve ?? borrowReserve;
  const record = reserve === null ? undefined : view.get('reserve', reserve);
  if (reserve === null || record === undefined || (depositReserve && borrowReserve)) return UNKNOWN;
  const side = depositReserve === null ? 'debt' : 'collateral';
  const [{ events, complete }, obligations] = await Promise.all([
    walletLendingEvents(platform, session, wallet),
    obligationsOf(session, wallet, campaign.market),
  ]);
  const own = events.filter((event) => event.reserve === reserve && event.side === side);
  const rates = await rateLookup(db, session, debtMoments(own));
  const now = viewTime(view);
  // Before the first known event the wallet had no position, or an unknown one if events are missing.
  const from = later(campaign.startsAt, own[0] === undefined ? now : new Date(own[0].time * 1_000));
  const totals = await readTotals(platform, session, record, side, from);
  const meter = session.work;
  const pasts: ObligationRewind[] = [];
  for (const [, mine, open] of byObligation(own, obligations)) {
    pasts.push(await meter.run(ObligationRewind.of(mine, open, rates)));
  }
  const partAt = (time: number, { total: all, rate }: ReserveTotal): Rational | null => {
    if (all.isZero) return ZERO;
    if (side === 'collateral') {
      const held = pasts.reduce((sum, past) => sum + past.collateral(reserve, time), 0n);
      return wholeCollateral(view, record, held).div(all);
    }
    const owed = pasts.map((past) => past.debt(reserve, time, rate));
    const known = owed.filter((each) => each !== null);
    if (known.length < owed.length) return null;
    return toTokens(total(known), record.value.liquidity.mintDecimals).div(all);
  };
  const cuts = own.map(({ time }) => time * 1_000);
  let [known, earned] = [0, ZERO];
  for (const { start, end, reserveTotal } of pieces(totals, cuts, from.getTime(), now.getTime())) {
    const pause = meter.step();
    if (pause !== null) await pause;
    const part = partAt(Math.floor(start / 1_000), reserveTotal);
    if (part === null) continue;
    known += end - start;
    earned = earned.add(roundToStored(part.mul(Rational.of(BigInt(end - start), 1_000n))));
  }
  return {
    tokens: earned.mul(campaign.tokensPerSecond),
    complete: complete && known >= now.getTime() - from.getTime(),
  };
}

function byObligation(
  events: readonly StoredLendingEvent[],
  open: readonly ObligationRecord[],
): (readonly [Address, StoredLendingEvent[], ObligationRecord | null])[] {
  const records = new Map(open.map((record) => [record.address, record]));
  const addresses = new Set([...records.keys(), ...events.map(({ obligation }) => obligation)]);
  return [...addresses].map((address) => [
    address,
    events.filter(({ obligation }) => obligation === address),
    records.get(address) ?? null,
  ]);
}

async function readTotals(
  platform: Platform,
  session: Session,
  record: ReserveRecord,
  side: StoredLendingEvent['side'],
  from: Date,
): Promise<ReserveTotal[]> {
  const { view } = session;
  const now = viewTime(view).getTime();
  const start = bucketOf(from, DAY);
  const range = { start, end: new Date(now + 1), open: false };
  const ask = sliceAsk(record.address, range, { interval: null, maxPoints: null });
  // The range starts at the beginning of the day; widens the hourly limit by the time before the position.
  const maxHoursSpanSeconds = (ask.maxHoursSpanSeconds ?? 0) + (from.getTime() - start.getTime()) / 1_000;
  const slice = await slicesOf(platform, session, WHAT).reserve(
    { ...ask, maxHoursSpanSeconds: Math.ceil(maxHoursSpanSeconds) },
    ['cumulativeBorrowRate', side === 'collateral' ? 'mintTotalSupply' : 'totalBorrows'],
  );
  const step: Step = slice.step ?? HOUR;
  const running = bucketOf(viewTime(view), step).getTime();
  const past = slice.points.flatMap((point): ReserveTotal[] => {
    const at = point.bucket.getTime();
    if (at >= running) return [];
    const all = side === 'collateral' ? point.mintTotalSupply : point.totalBorrows;
    return [{ from: at, until: at + step * 1_000, total: all, rate: point.cumulativeBorrowRate }];
  });
  const live =
    side === 'collateral'
      ? wholeCollateral(view, record, record.value.collateral.mintTotalSupply)
      : borrowed(view, record).amount;
  return [...past, { from: running, until: now, total: live, rate: cumulativeBorrowRate(view, record) }];
}

/** The buckets within the span, split at the given times. */
function* pieces(totals: readonly ReserveTotal[], cuts: readonly number[], from: number, until: number) {
  for (const reserveTotal of totals) {
    const [low, high] = [Math.max(reserveTotal.from, from), Math.min(reserveTotal.until, until)];
    const inside = cuts.filter((cut) => cut > low && cut < high);
    let start = low;
    for (const end of [...inside, high]) {
      if (end > start) yield { start, end, reserveTotal };
      start = end;
    }
  }
}
