import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { totalIfKnown } from '../arithmetic.ts';
import type { PositionPoint } from './position-series.ts';

/** USD and SOL; null when a part of the sum is unknown. */
export interface Value {
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

/** All vault positions of a wallet at a moment. */
export interface WalletPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly value: Value;
  /** Weighted by USD value; null when the value or APY of a position is unknown, zero without positions. */
  readonly weightedApy: Rational | null;
  /** Since the first event of each position. */
  readonly interest: Value;
  readonly interestPerSecond: Value;
}

/** The sum of position series of the same times. Yields before each point. */
export function* walletSeries(
  positions: readonly (readonly PositionPoint[])[],
): Generator<void, WalletPoint[]> {
  const [first = []] = positions;
  const sums: WalletPoint[] = [];
  for (const [i, { time }] of first.entries()) {
    yield;
    const points = positions.flatMap((series) => series[i] ?? []);
    const held = points.filter(({ shares }) => !shares.isZero);
    const value = sumValues(held.map((point) => point.value));
    sums.push({
      time,
      value,
      weightedApy: weightedApy(held, value.usd),
      interest: sumValues(points.map(({ interest }) => interest)),
      interestPerSecond: sumValues(held.map(({ interestPerSecond }) => interestPerSecond)),
    });
  }
  return sums;
}

function weightedApy(held: readonly PositionPoint[], usd: Rational | null): Rational | null {
  if (usd === null) return null;
  if (usd.isZero) return ZERO;
  const weighted = held.map(({ apy, value }) => (apy === null ? null : (value.usd?.mul(apy.total) ?? null)));
  return totalIfKnown(weighted)?.div(usd) ?? null;
}

function sumValues(values: readonly (Value | null)[]): Value {
  return {
    usd: totalIfKnown(values.map((value) => value?.usd ?? null)),
    sol: totalIfKnown(values.map((value) => value?.sol ?? null)),
  };
}
