import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../arithmetic.ts';
import { type Denominated, minus, NOTHING, plus, times } from './denominated.ts';
import { InterestTally, type UnitMarket } from './interest-tally.ts';
import { type CostMethod, Lots } from './lots.ts';
import { Tally } from './tally.ts';
import type { Value } from './wallet-series.ts';

/** Units that a position gained or lost, for a value. */
export interface HoldingChange {
  /** Unix seconds. */
  readonly time: number;
  /** Negative for units given up. */
  readonly units: Rational;
  /** Paid or received for them, positive. */
  readonly value: Denominated;
}

/** Units of one token in one place: shares of a vault, a deposit or a debt of an obligation. */
export interface Holding {
  readonly side: 'asset' | 'debt';
  /** Ascending. */
  readonly changes: readonly HoldingChange[];
  readonly market: UnitMarket;
  /** The market that values interest, where its prices are those of other times. */
  readonly interestMarket?: UnitMarket;
}

/** A holding at a bound. Values of a debt are signed as a gain or loss of its owner. */
export interface HoldingIncome {
  /** Unix seconds. */
  readonly time: number;
  readonly units: Rational;
  /** Value of the units held; null while the rate is unknown. */
  readonly value: Denominated | null;
  /** Growth of the units since the first change: earned on an asset, owed on a debt. Null while the rate is unknown. */
  readonly interest: Denominated | null;
  /** Gain of the units given up since the bound before, without interest. */
  readonly realized: Value;
  /** Gain of the units held, without interest; null while the rate is unknown. */
  readonly unrealized: Value | null;
}

export interface HoldingHistory {
  /** One for each bound. */
  readonly points: readonly HoldingIncome[];
  /** False when units were given up whose acquisition is not among the changes. */
  readonly complete: boolean;
}

/**
 * Income of a holding up to each of the bounds (ascending unix seconds), each without the changes in its own second.
 * Interest is valued at every change and every accrual time, so it does not depend on the bounds. Its value is part of the
 * cost of the units from then on: for an asset, value held + received - paid = interest + realised + unrealised gain, in
 * each denomination. Yields before each change, accrual and bound.
 */
export function* holdingIncome(
  { side, changes, market, interestMarket = market }: Holding,
  bounds: readonly number[],
  accrualTimes: readonly number[],
  method: CostMethod,
): Generator<void, HoldingHistory> {
  const interest = new InterestTally(interestMarket);
  const lots = new Lots(method);
  const points: HoldingIncome[] = [];
  let realized = new ValueTally();
  let complete = true;
  const signedGain = (proceeds: Denominated, cost: Denominated): Value => {
    const [plusPart, minusPart] = side === 'asset' ? [proceeds, cost] : [cost, proceeds];
    const { usd, sol } = minus(plusPart, minusPart);
    return { usd, sol };
  };
  const gain = (proceeds: Denominated, cost: Denominated) => realized.add(signedGain(proceeds, cost));
  const accrue = (time: number) => {
    const added = interest.accrue(time, lots.units);
    if (!lots.units.isZero) lots.grow(added);
    // Interest that got its value after the units were gone was a part of their proceeds.
    else gain(NOTHING, added);
  };
  const apply = ({ units, value }: HoldingChange) => {
    if (!units.isNegative) {
      lots.acquire(units, value);
      return;
    }
    const { cost, missing } = lots.release(units.neg());
    if (!missing.isZero) complete = false;
    // Units of unknown origin count as bought at the price at which they are sold.
    gain(value, plus(cost, times(value, missing.div(units.neg()))));
  };
  const pointAt = (time: number): HoldingIncome => {
    const { units } = lots;
    const rate = units.isZero ? ZERO : market.tokensPerUnit(time);
    const tokens = rate === null ? null : toTokens(rate.mul(units), market.decimals);
    const value = tokens === null ? null : units.isZero ? NOTHING : market.valueAt(tokens, time);
    const cost = plus(lots.cost, interest.pending(time, units));
    return {
      time,
      units,
      value,
      interest: rate === null ? null : interest.at(time, units),
      realized: realized.value(),
      unrealized: value && signedGain(value, cost),
    };
  };
  let [nextChange, nextAccrual] = [0, 0];
  for (const bound of bounds) {
    for (;;) {
      const change = changes[nextChange];
      const changeTime = change?.time ?? Number.POSITIVE_INFINITY;
      const accrualTime = accrualTimes[nextAccrual] ?? Number.POSITIVE_INFINITY;
      const moment = Math.min(changeTime, accrualTime);
      if (moment >= bound) break;
      yield;
      accrue(moment);
      if (accrualTime === moment) nextAccrual += 1;
      if (changeTime !== moment || change === undefined) continue;
      apply(change);
      nextChange += 1;
    }
    yield;
    points.push(pointAt(bound));
    realized = new ValueTally();
  }
  return { points, complete };
}

/** A sum in USD and SOL, unknown from the first unknown part on. */
class ValueTally {
  #usd: Tally | null = new Tally();
  #sol: Tally | null = new Tally();

  add({ usd, sol }: Value): void {
    if (usd === null) this.#usd = null;
    else this.#usd?.add(usd);
    if (sol === null) this.#sol = null;
    else this.#sol?.add(sol);
  }

  value(): Value {
    return { usd: this.#usd?.value() ?? null, sol: this.#sol?.value() ?? null };
  }
}
