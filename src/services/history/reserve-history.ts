import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { ratio } from '../../domain/arithmetic.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { resolveRange } from '../request/time-range.ts';
import { type History, historyFrom, type SeriesRequest, sliceAsk } from './series.ts';
import { slicesOf } from './slices.ts';
import { type StakingPast, type StakingThen, stakingPast } from './staking-past.ts';

export type { ReservePoint } from '../../store/history/reserve-series.ts';
export type { ReserveConfigSample } from '../../store/history/samples.ts';

/**
 * A bucket of a reserve: yields, totals and `meanPriceUsd` are means over it, everything else is its last value. Methods
 * compute derived values on demand.
 */
export interface ReserveHistoryPoint {
  /** Contains only the requested fields; reading another one throws. */
  readonly sample: ReservePoint;
  /** The totals rounded for publication. */
  supplied(): Rational;
  borrowed(): Rational;
  /** The published total at the last price; null without one. Needs the total and `priceUsd`. */
  suppliedUsd(): Rational | null;
  borrowedUsd(): Rational | null;
  /** Needs both totals. */
  utilization(): Rational;
  /** The yield of holding the token, if it is a liquid-staking token; null when it is unknown or not one. Needs `slot`. */
  staking(): Promise<StakingThen | null>;
}

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST */
export async function reserveHistory(
  platform: Platform,
  session: Session,
  reserve: Address,
  { range: asked, resolution }: SeriesRequest,
  fields: readonly (keyof ReservePoint)[],
): Promise<History<ReserveHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, 'Reserve history');
  const slice = await slices.reserve(sliceAsk(reserve, range, resolution), fields);
  const mint = session.view.get('reserve', reserve)?.value.liquidity.mintPubkey;
  let past: Promise<StakingPast> | undefined;
  const pastOfToken = () => {
    past ??=
      mint === undefined ? Promise.resolve(() => null) : stakingPast(platform, session, mint, slice.points);
    return past;
  };
  return historyFrom(slice, range, resolution, (sample) => new PublishedPoint(sample, pastOfToken));
}

/** Rounds totals before valuing them, so the published total times the published price is the published value. */
class PublishedPoint implements ReserveHistoryPoint {
  readonly sample: ReservePoint;
  readonly #past: () => Promise<StakingPast>;

  constructor(sample: ReservePoint, past: () => Promise<StakingPast>) {
    this.sample = sample;
    this.#past = past;
  }

  supplied(): Rational {
    return roundToPublished(this.sample.totalSupply);
  }

  borrowed(): Rational {
    return roundToPublished(this.sample.totalBorrows);
  }

  suppliedUsd(): Rational | null {
    return this.sample.priceUsd && this.supplied().mul(this.sample.priceUsd);
  }

  borrowedUsd(): Rational | null {
    return this.sample.priceUsd && this.borrowed().mul(this.sample.priceUsd);
  }

  utilization(): Rational {
    return ratio(this.borrowed(), this.supplied());
  }

  async staking(): Promise<StakingThen | null> {
    return (await this.#past())(this.sample.slot);
  }
}

/** The shortest decimal of a double as an exact value, for settings stored as numbers. */
export function exactDecimal(value: number): Rational {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = BigInt(Number(exponent) - fraction.length);
  const mantissa = BigInt(whole + fraction);
  return scale >= 0n ? Rational.of(mantissa * 10n ** scale) : Rational.of(mantissa, 10n ** -scale);
}
