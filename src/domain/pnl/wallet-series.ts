import { type Rational, ZERO } from '../../numeric/rational.ts';
import { total } from '../arithmetic.ts';
import type { PositionPoint } from './position-series.ts';

/** Dollars and SOL; null when a part of the sum is unknown. */
export interface Value {
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

/** All vault positions of a wallet at a moment. */
export interface WalletPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly value: Value;
  /** Weighted by dollars; null when a weight or an APY of a held position is unknown, zero without a position. */
  readonly weightedApy: Rational | null;
  /** Since the first event of each position. */
  readonly interest: Value;
  readonly interestPerSecond: Value;
}

/** The sum of position series that were made for the same times. */
export function walletSeries(positions: readonly (readonly PositionPoint[])[]): WalletPoint[] {
  const [first = []] = positions;
  return first.map(({ time }, i) => {
    const points = positions.flatMap((series) => series[i] ?? []);
    const held = points.filter(({ shares }) => !shares.isZero);
    const value = addUp(held.map((point) => point.value));
    return {
      time,
      value,
      weightedApy: weightedApy(held, value.usd),
      interest: addUp(points.map(({ interest }) => interest)),
      interestPerSecond: addUp(held.map(({ interestPerSecond }) => interestPerSecond)),
    };
  });
}

function weightedApy(held: readonly PositionPoint[], usd: Rational | null): Rational | null {
  if (usd === null) return null;
  if (usd.isZero) return ZERO;
  const weighed = allKnown(
    held.map(({ apy, value }) => (apy === null ? null : (value.usd?.mul(apy) ?? null))),
  );
  return weighed === null ? null : total(weighed).div(usd);
}

function addUp(values: readonly (Value | null)[]): Value {
  const sumOf = (pick: (value: Value) => Rational | null) => {
    const known = allKnown(values.map((value) => (value === null ? null : pick(value))));
    return known === null ? null : total(known);
  };
  return { usd: sumOf(({ usd }) => usd), sol: sumOf(({ sol }) => sol) };
}

function allKnown(values: readonly (Rational | null)[]): Rational[] | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length === values.length ? known : null;
}
