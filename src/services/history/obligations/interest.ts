import { roundParts } from '@sluice/protocol/numeric/decimal';
import { type Rational, sum, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../../domain/obligation.ts';
import type { ReserveQuotes } from '../../../domain/pnl/obligation-fold.ts';
import { accruedInterest, type InterestByReserve } from '../../../domain/pnl/obligation-interest.ts';
import { liquidityValue } from '../../../domain/pnl/obligation-pnl.ts';
import { bucketFrom, bucketOf, DAY } from '../../../store/history/time-buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, type ResolvedRange, resolveRange, viewTime } from '../../request/time-range.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import { momentsOf } from '../moments.ts';
import { firstRecorded, later, reserveExtents } from './buckets.ts';
import { eventQuotes } from './event-quotes.ts';
import { pastStates } from './past-state.ts';
import { type LentToken, tokenInView } from './point.ts';
import type { ObligationTimeline } from './timeline.ts';

const WHAT = 'Interest of an obligation';
/** Days of a token whose rounding is a step of work. */
const DAYS_PER_STEP = 32;

/** Interest in one token, valued at the prices at the end of each day. */
export interface TokenInterest {
  readonly mint: Address;
  /** UTC days with a position, in order. */
  readonly days: readonly { readonly day: Date; readonly amount: TokenAmount }[];
  /** The sum of the days. */
  readonly total: TokenAmount;
}

/** The interest of an obligation by token, ordered by mint. A day with an unknown rate or price is omitted. */
export interface ObligationInterest {
  readonly earned: readonly TokenInterest[];
  readonly paid: readonly TokenInterest[];
  /** Whether no day of the range is omitted and every transaction of the obligation is known. */
  readonly complete: boolean;
}

const interests = oncePerSession<ObligationInterest>();

/**
 * Interest earned on deposits and owed on debts, by UTC day. The current day ends at the time of the View. Computed once
 * per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export function obligationInterest(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  range: RangeInput,
): Promise<ObligationInterest> {
  return interests(session, JSON.stringify([timeline.address, range]), () =>
    computeInterest(platform, session, timeline, resolveRange(session.view, range)),
  );
}

async function computeInterest(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  range: ResolvedRange,
): Promise<ObligationInterest> {
  const { view } = session;
  const db = platform.historyFor(session, WHAT);
  const reserves = reservesOf(timeline);
  const loader = reserveExtents(session, db);
  const recorded = firstRecorded((await Promise.all(reserves.map((each) => loader.load(each)))).flat());
  const now = viewTime(view);
  const [first] = timeline.events;
  const born = timeline.complete && first !== undefined ? new Date(first.time * 1_000) : recorded;
  if (recorded === null || born === null) {
    return { earned: [], paid: [], complete: timeline.complete && reserves.length === 0 };
  }
  const days = daysOf(range, later(born, recorded), now);
  const events = timeline.events.map(({ time }) => time);
  const times = [...new Set([...events, ...days.flatMap(({ start, end }) => [start, end])])];
  const { quotes, rates } = await eventQuotes(db, session, momentsOf(reserves, times), false);
  const meter = session.work;
  const states = await meter.run(pastStates(timeline, rates));
  const stateAt = (stateTime: number, rateTime: number) =>
    states.at(stateTime, {
      liquidityPerCollateral: (reserve) => rates.liquidityPerCollateral(reserve, rateTime)?.value ?? null,
      cumulativeBorrowRate: (reserve) => rates.cumulativeBorrowRate(reserve, rateTime)?.value ?? null,
    });
  const [earned, paid] = [new InterestBook(), new InterestBook()];
  const eventsByDay = byDay(events);
  for (const { start, end } of days) {
    const changes = [...(eventsByDay.get(start) ?? [])].filter((time) => time > start && time < end);
    const pause = meter.step(changes.length + 1);
    if (pause !== null) await pause;
    const interest = accruedInterest(stateAt, [start, ...changes, end]);
    const token = (reserve: Address) => tokenInView(view, reserve);
    earned.add(new Date(start * 1_000), interest.earned, token, quotes, end);
    paid.add(new Date(start * 1_000), interest.paid, token, quotes, end);
  }
  const whole = states.complete && born >= recorded && earned.complete && paid.complete;
  return {
    earned: await meter.run(earned.byToken()),
    paid: await meter.run(paid.byToken()),
    complete: whole,
  };
}

/** Reserves of the events and of the account: events may be missing. */
function reservesOf({ events, record }: ObligationTimeline): Address[] {
  const held = record === null ? [] : activeDeposits(record.value).map((each) => each.depositReserve);
  const owed = record === null ? [] : activeBorrows(record.value).map((each) => each.borrowReserve);
  return [...new Set([...events.map(({ reserve }) => reserve), ...held, ...owed])];
}

/** The UTC days that start in the range and have data, as unix seconds. */
function daysOf(range: ResolvedRange, since: Date, now: Date): { start: number; end: number }[] {
  const days: { start: number; end: number }[] = [];
  const nowSeconds = now.getTime() / 1_000;
  const from = later(bucketOf(since, DAY), bucketFrom(range.start, DAY)).getTime() / 1_000;
  const until = Math.min(range.end.getTime() / 1_000, nowSeconds);
  for (let start = from; start < until; start += DAY) {
    days.push({ start, end: Math.min(start + DAY, nowSeconds) });
  }
  return days;
}

/** Distinct times in order, by the start of their day. */
function byDay(times: readonly number[]): ReadonlyMap<number, ReadonlySet<number>> {
  const days = new Map<number, Set<number>>();
  for (const time of times) {
    const start = time - (time % DAY);
    days.set(start, (days.get(start) ?? new Set()).add(time));
  }
  return days;
}

interface DayInterest {
  readonly day: Date;
  readonly baseUnits: Rational;
  readonly usd: Rational;
  readonly sol: Rational;
}

/** Collects the interest of one side. */
class InterestBook {
  readonly #tokens = new Map<Address, { readonly token: LentToken; readonly days: DayInterest[] }>();
  /** False once a day was omitted. */
  complete = true;

  add(
    day: Date,
    interest: InterestByReserve,
    tokenOf: (reserve: Address) => LentToken | undefined,
    quotes: ReserveQuotes,
    pricedAt: number,
  ): void {
    for (const [reserve, baseUnits] of interest) {
      const token = tokenOf(reserve);
      const { usd, sol } = liquidityValue(baseUnits, quotes(reserve, pricedAt));
      if (token === undefined || baseUnits === null || usd === null || sol === null) this.complete = false;
      else this.#addDay(token, { day, baseUnits, usd, sol });
    }
  }

  /** Two reserves of a market may have the same token. */
  #addDay(token: LentToken, added: DayInterest): void {
    const known = this.#tokens.get(token.mint) ?? { token, days: [] };
    this.#tokens.set(token.mint, known);
    const last = known.days.at(-1);
    if (last?.day.getTime() !== added.day.getTime()) {
      known.days.push(added);
      return;
    }
    known.days[known.days.length - 1] = {
      day: last.day,
      baseUnits: last.baseUnits.add(added.baseUnits),
      usd: last.usd.add(added.usd),
      sol: last.sol.add(added.sol),
    };
  }

  *byToken(): Generator<number, TokenInterest[]> {
    const tokens: TokenInterest[] = [];
    for (const { token, days } of this.#tokens.values()) {
      yield Math.ceil(days.length / DAYS_PER_STEP);
      tokens.push(tokenInterest(token, days));
    }
    return tokens.sort((a, b) => (a.mint < b.mint ? -1 : 1));
  }
}

/** Days are rounded so that the published ones sum to the published total. */
function tokenInterest(token: LentToken, days: readonly DayInterest[]): TokenInterest {
  const baseUnits = roundParts(days.map((each) => each.baseUnits));
  const usd = roundParts(days.map((each) => each.usd));
  const sol = roundParts(days.map((each) => each.sol));
  const at = (list: readonly Rational[], i: number) => list[i] ?? ZERO;
  return {
    mint: token.mint,
    days: days.map(({ day }, i) => ({
      day,
      amount: valuedAmount(token, at(baseUnits, i), { usd: at(usd, i), sol: at(sol, i) }),
    })),
    total: valuedAmount(token, sum(baseUnits), { usd: sum(usd), sol: sum(sol) }),
  };
}
