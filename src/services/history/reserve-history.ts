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

export type { ReserveConfigSample } from '../../store/history/samples.ts';

/** A bucket of a reserve: yields, totals and `meanPriceUsd` are means over it, everything else is its last value. */
export interface ReserveHistoryPoint extends ReservePoint {
  /** The published total at the last price; null without one, as is the next. */
  readonly suppliedUsd: Rational | null;
  readonly borrowedUsd: Rational | null;
  readonly utilization: Rational;
}

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST */
export async function reserveHistory(
  platform: Platform,
  session: Session,
  reserve: Address,
  asked: AskedRange,
  wish: Wish,
): Promise<History<ReserveHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, 'The past of a reserve');
  return historyFrom(await slices.reserve.load(sliceAsk(reserve, range, wish)), range, wish, published);
}

/** Totals are rounded before they are valued: a reader who multiplies what is published gets what is published. */
function published(point: ReservePoint): ReserveHistoryPoint {
  const [totalSupply, totalBorrows] = [
    roundToPublished(point.totalSupply),
    roundToPublished(point.totalBorrows),
  ];
  const { priceUsd } = point;
  return {
    ...point,
    totalSupply,
    totalBorrows,
    suppliedUsd: priceUsd && totalSupply.mul(priceUsd),
    borrowedUsd: priceUsd && totalBorrows.mul(priceUsd),
    utilization: ratio(totalBorrows, totalSupply),
  };
}

/** The decimal that a number is written as, for settings that are kept as numbers. */
export function exactly(value: number): Rational {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = BigInt(Number(exponent) - fraction.length);
  const mantissa = BigInt(whole + fraction);
  return scale >= 0n ? Rational.of(mantissa * 10n ** scale) : Rational.of(mantissa, 10n ** -scale);
}
