import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { VaultEvent } from '@sluice/protocol/transactions/events';
import type { ApyBreakdown } from '../apy.ts';
import { toTokens } from '../arithmetic.ts';
import { type Denominated, NOTHING, valueAt } from './denominated.ts';
import { InterestTally, sharesMarket } from './interest-tally.ts';
import { lastIndexAt } from './series.ts';
import { afterEvent, NO_SHARES } from './share-balance.ts';
import type { VaultMarket } from './vault-pnl.ts';

/** A recorded sample of a vault. */
export interface VaultSample {
  /** Unix seconds. */
  readonly time: number;
  /** Yield of the allocation at that time. */
  readonly apy: ApyBreakdown;
  /** Interest at target weights; null when it could not be computed. */
  readonly theoreticalApy: Rational | null;
  /** Whole tokens that the vault earned per second; null when it could not be computed. */
  readonly interestPerSecond: Rational | null;
  /** Base units. */
  readonly sharesIssued: bigint;
}

/** One wallet's position in one vault at a moment. Whole units; null where a price or a sample is missing. */
export interface PositionPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly shares: Rational;
  readonly value: Denominated;
  /** Yield of the vault; likewise `theoreticalApy`. */
  readonly apy: ApyBreakdown | null;
  readonly theoreticalApy: Rational | null;
  /** Gains since the first event from growth of the share price alone; USD and SOL at the prices of each accrual. */
  readonly interest: Denominated;
  /** The position's part of the vault's earnings, by shares; null while those are unknown. */
  readonly interestPerSecond: Denominated | null;
}

/**
 * The position at each of the given times (ascending). Interest is valued at every event and every time of `accrualTimes`
 * (unix seconds, ascending; by default the sample times), so it does not depend on `times`. `events` are those of this
 * wallet and vault, in order. Yields before each accrual and each point.
 */
export function* positionSeries(
  events: readonly VaultEvent[],
  samples: readonly VaultSample[],
  market: VaultMarket,
  times: readonly number[],
  accrualTimes: readonly number[] = samples.map(({ time }) => time),
): Generator<void, PositionPoint[]> {
  const points: PositionPoint[] = [];
  const interest = new InterestTally(sharesMarket(market));
  let balance = NO_SHARES;
  let [nextEvent, nextAccrual] = [0, 0];
  const held = () => balance.staked + balance.unstaked;
  const advanceTo = function* (time: number) {
    for (;;) {
      const [event, accrual = Number.POSITIVE_INFINITY] = [events[nextEvent], accrualTimes[nextAccrual]];
      const moment = Math.min(event?.time ?? Number.POSITIVE_INFINITY, accrual);
      if (moment > time) return;
      yield;
      interest.accrue(moment, Rational.of(held()));
      if (accrual === moment) nextAccrual += 1;
      if (event?.time !== moment) continue;
      balance = afterEvent(balance, event);
      nextEvent += 1;
    }
  };
  for (const time of times) {
    yield* advanceTo(time);
    yield;
    const shares = held();
    const sample = samples[lastIndexAt(samples, time)];
    const tokens = toTokens(market.tokensPerShare(time).mul(Rational.of(shares)), market.decimals);
    points.push({
      time,
      shares: toTokens(Rational.of(shares), market.decimals),
      value: shares === 0n ? NOTHING : valueAt(tokens, market, time),
      apy: sample?.apy ?? null,
      theoreticalApy: sample?.theoreticalApy ?? null,
      interest: interest.at(time, Rational.of(shares)),
      interestPerSecond: perSecond(sample, shares, market, time),
    });
  }
  return points;
}

function perSecond(
  sample: VaultSample | undefined,
  shares: bigint,
  market: VaultMarket,
  time: number,
): Denominated | null {
  if (shares === 0n) return NOTHING;
  if (sample === undefined || sample.interestPerSecond === null) return null;
  const part = sample.sharesIssued === 0n ? ZERO : Rational.of(shares, sample.sharesIssued);
  return valueAt(sample.interestPerSecond.mul(part), market, time);
}
