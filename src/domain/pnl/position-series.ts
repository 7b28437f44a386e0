import { Rational, ZERO } from '../../numeric/rational.ts';
import { toTokens } from '../arithmetic.ts';
import type { VaultEvent } from '../transactions/events.ts';
import { type Denominated, NOTHING, valueAt } from './denominated.ts';
import { InterestTally } from './interest-tally.ts';
import { lastAt } from './series.ts';
import { afterEvent, NO_SHARES } from './share-balance.ts';
import type { VaultMarket } from './vault-pnl.ts';

/** What was recorded of a vault at a moment. */
export interface VaultSample {
  /** Unix seconds. */
  readonly time: number;
  /** Null when it could not be told. */
  readonly apy: Rational | null;
  /** Whole tokens that the whole vault earned per second; null when it could not be told. */
  readonly interestPerSecond: Rational | null;
  /** Base units. */
  readonly sharesIssued: bigint;
}

/** One wallet's position in one vault at a moment. Whole units; null where a price or the record is missing. */
export interface PositionPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly shares: Rational;
  readonly value: Denominated;
  readonly apy: Rational | null;
  /**
   * Gained since the first event by the growth of the share price alone; dollars and SOL at the prices of the time when
   * it was gained.
   */
  readonly interest: Denominated;
  /** The position's part of what the vault earns, by shares; null while the vault's is unknown. */
  readonly interestPerSecond: Denominated | null;
}

/**
 * The position at each of the given times (ascending). Interest is valued at every event and reckoning (unix seconds,
 * ascending; the samples' times unless others are given), so it does not depend on which times are asked for. Events are
 * that wallet's and vault's alone, in order.
 */
export function positionSeries(
  events: readonly VaultEvent[],
  samples: readonly VaultSample[],
  market: VaultMarket,
  times: readonly number[],
  reckonings: readonly number[] = samples.map(({ time }) => time),
): PositionPoint[] {
  const points: PositionPoint[] = [];
  const interest = new InterestTally(market);
  let balance = NO_SHARES;
  let [nextEvent, nextReckoning] = [0, 0];
  const held = () => balance.staked + balance.unstaked;
  const liveUntil = (time: number) => {
    for (;;) {
      const [event, reckoning = Number.POSITIVE_INFINITY] = [events[nextEvent], reckonings[nextReckoning]];
      const moment = Math.min(event?.time ?? Number.POSITIVE_INFINITY, reckoning);
      if (moment > time) return;
      interest.reckon(moment, held());
      if (reckoning === moment) nextReckoning += 1;
      if (event?.time !== moment) continue;
      balance = afterEvent(balance, event);
      nextEvent += 1;
    }
  };
  for (const time of times) {
    liveUntil(time);
    const shares = held();
    const sample = samples[lastAt(samples, time)];
    const tokens = toTokens(market.tokensPerShare(time).mul(Rational.of(shares)), market.decimals);
    points.push({
      time,
      shares: toTokens(Rational.of(shares), market.decimals),
      value: shares === 0n ? NOTHING : valueAt(tokens, market, time),
      apy: sample?.apy ?? null,
      interest: interest.at(time, shares),
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
