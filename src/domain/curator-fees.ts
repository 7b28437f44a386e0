import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { total, totalIfKnown } from './arithmetic.ts';

/** Fees of a vault since it was created, as recorded at the end of a bucket. Whole tokens. */
export interface RecordedFees {
  /** Start of the bucket, in milliseconds. */
  readonly at: number;
  /** Null where fees were not recorded yet; so is `management`. */
  readonly performance: Rational | null;
  readonly management: Rational | null;
  /** Null without a price. */
  readonly tokenPriceUsd: Rational | null;
}

export interface VaultFeeRecord<V> {
  readonly vault: V;
  /** Milliseconds; null when unknown. */
  readonly createdAt: number | null;
  /** Ascending. */
  readonly points: readonly RecordedFees[];
}

/** Fees that a vault charged since its record before. */
export interface EarnedFees<V> {
  readonly vault: V;
  /** Whole tokens; null without a record before, and where one of the two has no fees. So are all others. */
  readonly performance: Rational | null;
  readonly management: Rational | null;
  /** At the price at the end of the bucket; also null without a price. */
  readonly performanceUsd: Rational | null;
  readonly managementUsd: Rational | null;
}

export interface FeeBucket<V> {
  readonly at: number;
  /** Null when a part is unknown. */
  readonly performanceUsd: Rational | null;
  readonly managementUsd: Rational | null;
  /** Both together. */
  readonly usd: Rational | null;
  readonly vaults: readonly EarnedFees<V>[];
}

/**
 * Fees by bucket. A vault without a record in a bucket is not in it: its fees are in its next one, so that those of all
 * buckets add up to the change of the totals.
 *
 * @param from start of the first bucket to return; records before it only serve as the state before
 */
export function* feeBuckets<V>(
  vaults: readonly VaultFeeRecord<V>[],
  from: number,
): Generator<void, FeeBucket<V>[]> {
  const buckets = new Map<number, EarnedFees<V>[]>();
  for (const { vault, createdAt, points } of vaults) {
    yield;
    let before: RecordedFees | null = null;
    for (const point of points) {
      const start: Fees | null = before ?? (createdAt !== null && createdAt >= point.at ? NO_FEES : null);
      before = point;
      if (point.at < from) continue;
      const bucket = buckets.get(point.at) ?? [];
      buckets.set(point.at, bucket);
      bucket.push({ vault, ...earnedBetween(start, point) });
    }
  }
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([at, earned]) => {
      const performanceUsd = totalIfKnown(earned.map((each) => each.performanceUsd));
      const managementUsd = totalIfKnown(earned.map((each) => each.managementUsd));
      const usd =
        performanceUsd === null || managementUsd === null ? null : total([performanceUsd, managementUsd]);
      return { at, performanceUsd, managementUsd, usd, vaults: earned };
    });
}

type Fees = Pick<RecordedFees, 'performance' | 'management'>;

const NO_FEES: Fees = { performance: ZERO, management: ZERO };

function earnedBetween(before: Fees | null, { tokenPriceUsd, ...after }: RecordedFees) {
  const performance = difference(before?.performance, after.performance);
  const management = difference(before?.management, after.management);
  return {
    performance,
    management,
    performanceUsd: inUsd(performance, tokenPriceUsd),
    managementUsd: inUsd(management, tokenPriceUsd),
  };
}

function difference(before: Rational | null | undefined, after: Rational | null): Rational | null {
  return before === null || before === undefined || after === null ? null : after.sub(before);
}

/** Nothing is worth nothing, also without a price. */
function inUsd(tokens: Rational | null, priceUsd: Rational | null): Rational | null {
  if (tokens === null || tokens.isZero) return tokens;
  return priceUsd === null ? null : tokens.mul(priceUsd);
}
