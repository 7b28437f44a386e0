import type { Address } from '@solana/kit';
import { ratio } from '../../domain/arithmetic.ts';
import { roundToPublished } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { type AskedRange, resolveRange } from './range.ts';
import { type History, historyFrom, sliceAsk, type Wish } from './series.ts';
import { slicesOf } from './slices.ts';

export type { ReservePoint } from '../../store/history/reserve-series.ts';
export type { ReserveConfigSample } from '../../store/history/samples.ts';

/**
 * A bucket of a reserve: yields, totals and `meanPriceUsd` are means over it, everything else is its last value. What is
 * put together of several of its numbers is put together when it is asked for.
 */
export interface ReserveHistoryPoint {
  /** Has the fields that were named, and refuses the others. */
  readonly sample: ReservePoint;
  /** The totals as they are published. */
  supplied(): Rational;
  borrowed(): Rational;
  /** The published total at the last price; null without one. Needs the total and `priceUsd`. */
  suppliedUsd(): Rational | null;
  borrowedUsd(): Rational | null;
  /** Needs both totals. */
  utilization(): Rational;
}

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST */
export async function reserveHistory(
  platform: Platform,
  session: Session,
  reserve: Address,
  asked: AskedRange,
  wish: Wish,
  fields: readonly (keyof ReservePoint)[],
): Promise<History<ReserveHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, 'The past of a reserve');
  const slice = await slices.reserve(sliceAsk(reserve, range, wish), fields);
  return historyFrom(slice, range, wish, (sample) => new PublishedPoint(sample));
}

/** Totals are rounded before they are valued: a reader who multiplies what is published gets what is published. */
class PublishedPoint implements ReserveHistoryPoint {
  readonly sample: ReservePoint;

  constructor(sample: ReservePoint) {
    this.sample = sample;
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
}

/** The decimal that a number is written as, for settings that are kept as numbers. */
export function exactly(value: number): Rational {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = BigInt(Number(exponent) - fraction.length);
  const mantissa = BigInt(whole + fraction);
  return scale >= 0n ? Rational.of(mantissa * 10n ** scale) : Rational.of(mantissa, 10n ** -scale);
}
