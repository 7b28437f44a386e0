import { roundToStored } from '@sluice/protocol/numeric/decimal';
import { ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import {
  type ObservedReserveRates,
  PRICE_TOLERANCE_SECONDS,
  type RatesAround,
  reserveRatesAround,
} from '../../store/history/points-at.ts';
import type { Sql } from '../../store/sql.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';
import { cumulativeBorrowRate, exchangeRate, reservePrice } from '../reserves/reserves.ts';
import { type Moment, Moments, where } from './moments.ts';

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

/** Rates and the price of a reserve at a moment, computed when they are first used. */
class MomentRates {
  readonly #around: RatesAround;
  readonly #present: PresentRates | null;
  readonly #time: number;
  #perCollateral: LookedUpRate | null | undefined;
  #borrowRate: LookedUpRate | null | undefined;

  constructor(around: RatesAround, present: PresentRates | null, time: number) {
    this.#around = around;
    this.#present = present;
    this.#time = time;
  }

  get perCollateral(): LookedUpRate | null {
    if (this.#perCollateral === undefined) {
      const rate = this.#interpolated((each) => inverse(each.exchangeRate), this.#present?.perCollateral);
      this.#perCollateral = rate && { ...rate, value: roundToStored(rate.value) };
    }
    return this.#perCollateral;
  }

  get borrowRate(): LookedUpRate | null {
    if (this.#borrowRate === undefined) {
      const rate = this.#interpolated((each) => each.cumulativeBorrowRate, this.#present?.borrowRate);
      this.#borrowRate = rate && { ...rate, value: roundedDivisor(rate.value) };
    }
    return this.#borrowRate;
  }

  get priceUsd(): Rational | null {
    const { before } = this.#around;
    if (before === null) return null;
    const age = this.#time - secondsOf(before.sampledAt);
    return age > PRICE_TOLERANCE_SECONDS[before.step] ? null : before.priceUsd;
  }

  /** Null without a sample on both sides; a reserve that no longer exists has no current rate to interpolate to. */
  #interpolated(
    rateOf: (rates: ObservedReserveRates) => Rational | null,
    present: RateSample | undefined,
  ): LookedUpRate | null {
    const sampleOf = (rates: ObservedReserveRates | null): RateSample | undefined => {
      const value = rates && rateOf(rates);
      return rates && value ? { time: secondsOf(rates.sampledAt), value } : undefined;
    };
    const [before, next] = [sampleOf(this.#around.before), sampleOf(this.#around.after)];
    if (before === undefined) return null;
    if (before.time === this.#time) return { value: before.value, slack: ZERO };
    const after = next === undefined || (present && present.time < next.time) ? present : next;
    return after === undefined ? null : between(before, after, this.#time);
  }
}

interface RateSample {
  /** Unix seconds. */
  readonly time: number;
  readonly value: Rational;
}

/** A reserve in the View. */
interface PresentRates {
  readonly perCollateral: RateSample;
  readonly borrowRate: RateSample;
  readonly priceUsd: Rational | null;
}

/** Each is two rows of a reserve. */
const RATES_AT_ONCE = 500;

const ratesOf = perSession((session, sql: Sql) => {
  return new Moments<MomentRates>(session.work, RATES_AT_ONCE, async (asked) => {
    const requests = asked.map(({ address, time }) => ({
      reserve: address,
      instant: new Date(time * 1_000),
    }));
    const around = await reserveRatesAround(sql, requests);
    return asked.map(
      ({ address, time }, i) => new MomentRates(around[i] ?? NOT_RECORDED, presentOf(session, address), time),
    );
  });
});

const NOT_RECORDED: RatesAround = { before: null, after: null };

const presentRates = perSession(() => new Map<Address, PresentRates | null>());

function presentOf(session: Session, reserve: Address): PresentRates | null {
  const known = presentRates(session);
  const found = known.get(reserve);
  if (found !== undefined) return found;
  const { view } = session;
  const record = view.get('reserve', reserve);
  const time = Number(view.moment.timestamp);
  const present =
    record === undefined
      ? null
      : {
          perCollateral: { time, value: ONE.div(exchangeRate(view, record)) },
          borrowRate: { time, value: cumulativeBorrowRate(view, record) },
          priceUsd: reservePrice(view, record)?.usd ?? null,
        };
  known.set(reserve, present);
  return present;
}

/**
 * Rates of reserves at the given moments. From the View's time on they are the View's. Other moments throw. Batches the
 * lookups of one tick.
 */
export async function rateLookup(sql: Sql, session: Session, moments: Iterable<Moment>): Promise<RateLookup> {
  const now = Number(session.view.moment.timestamp);
  const rates = ratesOf(session, sql);
  await rates.load(where(moments, ({ time }) => time < now));
  const exact = (sample: RateSample | undefined, round: (value: Rational) => Rational) =>
    sample === undefined ? null : { value: round(sample.value), slack: ZERO };
  return {
    liquidityPerCollateral: (reserve, time) =>
      time < now
        ? rates.at(reserve, time).perCollateral
        : exact(presentOf(session, reserve)?.perCollateral, roundToStored),
    cumulativeBorrowRate: (reserve, time) =>
      time < now
        ? rates.at(reserve, time).borrowRate
        : exact(presentOf(session, reserve)?.borrowRate, roundedDivisor),
    priceUsd: (reserve, time) =>
      time < now ? rates.at(reserve, time).priceUsd : (presentOf(session, reserve)?.priceUsd ?? null),
  };
}

const secondsOf = (instant: Date) => Math.floor(instant.getTime() / 1_000);

const inverse = (rate: Rational): Rational | null => (rate.isZero ? null : ONE.div(rate));

/** Not reduced: the value is rounded, and its common factors take longer to find than the rounding. */
function between(before: RateSample, after: RateSample, time: number): LookedUpRate {
  const grown = after.value.sub(before.value);
  const part = Rational.of(BigInt(time - before.time), BigInt(after.time - before.time));
  return {
    value: before.value.add(grown.mul(part)),
    slack: roundToStored(grown.abs().div(before.value)),
  };
}

/** Rounds the inverse of a rate to 30 places, so sums of thousands of amounts divided by it keep short denominators. */
const roundedDivisor = (rate: Rational): Rational => ONE.div(roundToStored(ONE.div(rate)));
