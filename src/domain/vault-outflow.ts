import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { least, positivePart, total } from './arithmetic.ts';
import { remainingWithdrawalCap } from './reserve.ts';

/** Mean free liquidity of a reserve in an hour, in whole tokens. */
export interface RecordedLiquidity {
  /** Unix seconds. */
  readonly start: bigint;
  readonly free: Rational;
}

export interface LiquidityRecord {
  /** Everything by which the free liquidity rose from hour to hour. */
  readonly inflow: Rational;
  /** The least that was free in an hour. */
  readonly lowest: Rational;
}

const HOUR = 3_600n;

/**
 * Liquidity over the last hours of a record. Rises and falls within an hour cancel out, so that the inflow is a lower bound.
 *
 * @param hours ascending, possibly with gaps, the last one recent
 * @param seconds whole hours
 * @returns null when the record is shorter
 */
export function liquidityOver(hours: readonly RecordedLiquidity[], seconds: bigint): LiquidityRecord | null {
  const last = hours.at(-1);
  if (last === undefined) return null;
  const since = last.start - seconds;
  const from = hours.findLastIndex(({ start }) => start <= since);
  const [before, ...within] = from < 0 ? [] : hours.slice(from);
  // A gap before the period would add the inflow of more hours.
  if (before === undefined || before.start + HOUR <= since) return null;
  const rises = within.map(({ free }, i) => positivePart(free.sub((within[i - 1] ?? before).free)));
  const lowest = least(within.map(({ free }) => free));
  return lowest === null ? null : { inflow: total(rises), lowest };
}

/** Base units that the outflow cap of a reserve lets out within some seconds from now; null without a cap. */
export function withdrawalCapWithin(
  cap: ReserveConfig['depositWithdrawalCap'],
  timestamp: bigint,
  seconds: bigint,
): Rational | null {
  const now = remainingWithdrawalCap(cap, timestamp);
  const length = cap.configIntervalLengthSeconds;
  if (now === null || cap.configCapacity <= 0n) return now;
  const age = timestamp - cap.lastIntervalStartTimestamp;
  // An interval that is over begins anew with the next withdrawal.
  const untilNext = age >= length ? length : length - age;
  const intervals = seconds < untilNext ? 0n : 1n + (seconds - untilNext) / length;
  return now.add(integer(cap.configCapacity * intervals));
}
