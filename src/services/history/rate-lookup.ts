import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { View } from '../../chain/view.ts';
import { lastIndexAt } from '../../domain/pnl/series.ts';
import { turns } from '../../node/turns.ts';
import { roundToStored } from '../../numeric/decimal.ts';
import { ONE, Rational, ZERO } from '../../numeric/rational.ts';
import {
  type ObservedReserveRates,
  PRICE_TOLERANCE_SECONDS,
  reserveRatesAt,
} from '../../store/history/points-at.ts';
import { DAY, HOUR, MINUTE } from '../../store/history/steps.ts';
import type { Sql } from '../../store/sql.ts';
import { perSession } from '../per-session.ts';
import type { Session } from '../records.ts';
import { cumulativeBorrowRate, exchangeRate, reservePrice } from '../reserves.ts';

/** A rate and its maximum relative error. */
export interface LookedUpRate {
  readonly value: Rational;
  readonly slack: Rational;
}

/**
 * Recorded rates and prices of reserves, for folds over history. Times are unix seconds. Rates are interpolated between
 * the surrounding samples; they only grow, so the error is less than the difference of the two. A price is the latest
 * at or before its time. Null before recording began, and for a price that is too old.
 */
export interface RateLookup {
  /** Liquidity per collateral token. */
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

interface RecordedRates {
  readonly perCollateral: readonly RateSample[];
  readonly borrowRate: readonly RateSample[];
  readonly prices: ReadonlyMap<number, Rational | null>;
}

/** Offsets at which to read samples: the sample after a time is at most one bucket of the retained step away. */
const LOOKAHEAD_SECONDS: readonly number[] = [0, MINUTE, HOUR, DAY];

/** Reserves and times to look up. Others throw. */
export interface RateQuery {
  readonly reserves: Iterable<Address>;
  readonly times: Iterable<number>;
}

const loaderOf = perSession(
  (session, sql: Sql) =>
    new DataLoader<RateQuery, RateLookup>((asks) => rateLookups(sql, session.view, asks), { cache: false }),
);

/** Batches the lookups of one tick of a request into one statement. */
export function sharedRateLookup(sql: Sql, session: Session, ask: RateQuery): Promise<RateLookup> {
  return loaderOf(session, sql).load(ask);
}

/** Rates of the given reserves at the given times, in one statement. From the View's time on they are the View's. */
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

async function rateLookups(sql: Sql, view: View, asks: readonly RateQuery[]): Promise<RateLookup[]> {
  const now = Number(view.moment.timestamp);
  const wanted = asks.map(({ reserves, times }) => ({
    reserves: [...new Set(reserves)],
    past: [...new Set(times)].filter((time) => time < now).sort((a, b) => a - b),
  }));
  const seen = await reserveRatesAt(
    sql,
    wanted.flatMap(({ reserves, past }) => reserves.flatMap((reserve) => instantsOf(reserve, past))),
  );
  let offset = 0;
  const lookups: RateLookup[] = [];
  for (const { reserves, past } of wanted) {
    const known = new Map<Address, RecordedRates>();
    for (const reserve of reserves) {
      const end = offset + past.length * LOOKAHEAD_SECONDS.length;
      known.set(reserve, await recordedRates(view, reserve, past, seen.slice(offset, end), now));
      offset = end;
    }
    lookups.push(lookupIn(known, now));
  }
  return lookups;
}

const instantsOf = (reserve: Address, past: readonly number[]) =>
  past.flatMap((time) =>
    LOOKAHEAD_SECONDS.map((ahead) => ({ reserve, instant: new Date((time + ahead) * 1_000) })),
  );

function lookupIn(known: ReadonlyMap<Address, RecordedRates>, now: number): RateLookup {
  const of = (reserve: Address): RecordedRates => {
    const found = known.get(reserve);
    if (found === undefined) throw new RangeError(`the rates of ${reserve} were not looked up`);
    return found;
  };
  return {
    liquidityPerCollateral: (reserve, time) =>
      rounded(interpolated(of(reserve).perCollateral, Math.min(time, now)), roundToStored),
    cumulativeBorrowRate: (reserve, time) =>
      rounded(interpolated(of(reserve).borrowRate, Math.min(time, now)), roundedDivisor),
    priceUsd: (reserve, time) => of(reserve).prices.get(Math.min(time, now)) ?? null,
  };
}

async function recordedRates(
  view: View,
  reserve: Address,
  past: readonly number[],
  seen: readonly (ObservedReserveRates | null)[],
  now: number,
): Promise<RecordedRates> {
  const perCollateral = new Map<number, Rational>();
  const borrowRate = new Map<number, Rational>();
  for (const each of seen) {
    const pause = turns.pause();
    if (pause !== null) await pause;
    if (each === null) continue;
    const time = secondsOf(each.sampledAt);
    if (!each.exchangeRate.isZero) perCollateral.set(time, ONE.div(each.exchangeRate));
    if (each.cumulativeBorrowRate !== null) borrowRate.set(time, each.cumulativeBorrowRate);
  }
  const prices = new Map<number, Rational | null>(
    past.map((time, i) => [time, freshPrice(seen[i * LOOKAHEAD_SECONDS.length] ?? null, time)]),
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

function interpolated(samples: readonly RateSample[], time: number): LookedUpRate | null {
  const index = lastIndexAt(samples, time);
  const [before, after] = [samples[index], samples[index + 1]];
  if (before === undefined) return null;
  if (before.time === time) return { value: before.value, slack: ZERO };
  // A reserve that no longer exists has no current rate to interpolate to.
  if (after === undefined) return null;
  const grown = after.value.sub(before.value);
  const part = Rational.of(BigInt(time - before.time), BigInt(after.time - before.time));
  return {
    value: before.value.add(grown.mul(part)).reduced(),
    slack: roundToStored(grown.abs().div(before.value)),
  };
}

/** Rounds the inverse of a rate to 30 places, so sums of thousands of amounts divided by it keep short denominators. */
const roundedDivisor = (rate: Rational): Rational => ONE.div(roundToStored(ONE.div(rate)));

function rounded(rate: LookedUpRate | null, round: (value: Rational) => Rational): LookedUpRate | null {
  return rate && { value: round(rate.value), slack: rate.slack };
}
