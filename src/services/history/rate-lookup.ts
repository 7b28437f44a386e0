import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { View } from '../../chain/view.ts';
import { lastIndexAt } from '../../domain/pnl/series.ts';
import { roundToShort } from '../../numeric/decimal.ts';
import { ONE, Rational, ZERO } from '../../numeric/rational.ts';
import {
  type ObservedReserveRates,
  PRICE_TOLERANCE_SECONDS,
  reserveRatesAt,
} from '../../store/history/points-at.ts';
import { DAY, HOUR, MINUTE } from '../../store/history/steps.ts';
import type { Sql } from '../../store/sql.ts';
import type { Session } from '../records.ts';
import { cumulativeBorrowRate, exchangeRate, reservePrice } from '../reserves.ts';

/** A rate, and how far it may be off, relative to it. */
export interface LookedUpRate {
  readonly value: Rational;
  readonly slack: Rational;
}

/**
 * Rates and prices of reserves as they were recorded, for folds over the past. Times are unix seconds. A rate is on the
 * straight line between the samples around its time: both only ever grow, so that it is off by less than they differ.
 * A price is the newest at or before its time. Null before recording began, and for a price that is too old.
 */
export interface RateLookup {
  /** Liquidity that one collateral token stood for. */
  liquidityPerCollateral(reserve: Address, time: number): LookedUpRate | null;
  cumulativeBorrowRate(reserve: Address, time: number): LookedUpRate | null;
  /** USD per whole token, as the reserve stored it. */
  priceUsd(reserve: Address, time: number): Rational | null;
}

interface RateSample {
  /** Unix seconds. */
  readonly time: number;
  readonly value: Rational;
}

interface Known {
  readonly perCollateral: readonly RateSample[];
  readonly borrowRate: readonly RateSample[];
  readonly prices: ReadonlyMap<number, Rational | null>;
}

/** The sample after a time is at most one bucket of the step that is still kept away. */
const AHEAD: readonly number[] = [0, MINUTE, HOUR, DAY];

/** Whose rates, and at which times. Only those can be looked up. */
export interface RateAsk {
  readonly reserves: Iterable<Address>;
  readonly times: Iterable<number>;
}

const ofSession = new WeakMap<Session, DataLoader<RateAsk, RateLookup>>();

/** What is asked for in the same tick by several parts of a request is one statement. */
export function sharedRateLookup(sql: Sql, session: Session, ask: RateAsk): Promise<RateLookup> {
  const loader =
    ofSession.get(session) ??
    new DataLoader<RateAsk, RateLookup>((asks) => rateLookups(sql, session.view, asks), { cache: false });
  ofSession.set(session, loader);
  return loader.load(ask);
}

/**
 * The rates of some reserves at the times that are named: one statement, however many. From the View's own time on they
 * are the View's.
 */
export async function rateLookup(
  sql: Sql,
  view: View,
  reserves: Iterable<Address>,
  times: Iterable<number>,
): Promise<RateLookup> {
  const [lookup] = await rateLookups(sql, view, [{ reserves, times }]);
  if (lookup === undefined) throw new RangeError('the rates were not looked up');
  return lookup;
}

async function rateLookups(sql: Sql, view: View, asks: readonly RateAsk[]): Promise<RateLookup[]> {
  const now = Number(view.moment.timestamp);
  const wanted = asks.map(({ reserves, times }) => ({
    reserves: [...new Set(reserves)],
    past: [...new Set(times)].filter((time) => time < now).sort((a, b) => a - b),
  }));
  const seen = await reserveRatesAt(
    sql,
    wanted.flatMap(({ reserves, past }) => reserves.flatMap((reserve) => instantsOf(reserve, past))),
  );
  let place = 0;
  return wanted.map(({ reserves, past }) => {
    const known = new Map<Address, Known>();
    for (const reserve of reserves) {
      const end = place + past.length * AHEAD.length;
      known.set(reserve, knownOf(view, reserve, past, seen.slice(place, end), now));
      place = end;
    }
    return lookupIn(known, now);
  });
}

const instantsOf = (reserve: Address, past: readonly number[]) =>
  past.flatMap((time) => AHEAD.map((ahead) => ({ reserve, instant: new Date((time + ahead) * 1_000) })));

function lookupIn(known: ReadonlyMap<Address, Known>, now: number): RateLookup {
  const of = (reserve: Address): Known => {
    const found = known.get(reserve);
    if (found === undefined) throw new RangeError(`the rates of ${reserve} were not looked up`);
    return found;
  };
  return {
    liquidityPerCollateral: (reserve, time) =>
      rounded(between(of(reserve).perCollateral, Math.min(time, now)), roundToShort),
    cumulativeBorrowRate: (reserve, time) =>
      rounded(between(of(reserve).borrowRate, Math.min(time, now)), roundedDivisor),
    priceUsd: (reserve, time) => of(reserve).prices.get(Math.min(time, now)) ?? null,
  };
}

function knownOf(
  view: View,
  reserve: Address,
  past: readonly number[],
  seen: readonly (ObservedReserveRates | null)[],
  now: number,
): Known {
  const perCollateral = new Map<number, Rational>();
  const borrowRate = new Map<number, Rational>();
  for (const each of seen) {
    if (each === null) continue;
    const time = secondsOf(each.sampledAt);
    if (!each.exchangeRate.isZero) perCollateral.set(time, ONE.div(each.exchangeRate));
    if (each.cumulativeBorrowRate !== null) borrowRate.set(time, each.cumulativeBorrowRate);
  }
  const prices = new Map<number, Rational | null>(
    past.map((time, i) => [time, freshPrice(seen[i * AHEAD.length] ?? null, time)]),
  );
  const present = view.get('reserve', reserve);
  if (present !== undefined) {
    perCollateral.set(now, ONE.div(exchangeRate(view, present)));
    borrowRate.set(now, cumulativeBorrowRate(view, present));
    prices.set(now, reservePrice(view, present)?.usd ?? null);
  }
  return { perCollateral: ascending(perCollateral), borrowRate: ascending(borrowRate), prices };
}

const secondsOf = (instant: Date) => Math.floor(instant.getTime() / 1_000);

const ascending = (samples: ReadonlyMap<number, Rational>): RateSample[] =>
  [...samples].map(([time, value]) => ({ time, value })).sort((a, b) => a.time - b.time);

function freshPrice(seen: ObservedReserveRates | null, time: number): Rational | null {
  if (seen === null || time - secondsOf(seen.sampledAt) > PRICE_TOLERANCE_SECONDS[seen.step]) return null;
  return seen.priceUsd;
}

function between(samples: readonly RateSample[], time: number): LookedUpRate | null {
  const place = lastIndexAt(samples, time);
  const [before, after] = [samples[place], samples[place + 1]];
  if (before === undefined) return null;
  if (before.time === time) return { value: before.value, slack: ZERO };
  // A reserve that is gone has no present to draw the line to.
  if (after === undefined) return null;
  const grown = after.value.sub(before.value);
  const part = Rational.of(BigInt(time - before.time), BigInt(after.time - before.time));
  return {
    value: before.value.add(grown.mul(part)).reduced(),
    slack: roundToShort(grown.abs().div(before.value)),
  };
}

/**
 * Sums over thousands of events stay short when what is added has 30 places. What is divided by a rate is multiplied by
 * its inverse: that is what is rounded.
 */
const roundedDivisor = (rate: Rational): Rational => ONE.div(roundToShort(ONE.div(rate)));

function rounded(rate: LookedUpRate | null, round: (value: Rational) => Rational): LookedUpRate | null {
  return rate && { value: round(rate.value), slack: rate.slack };
}
