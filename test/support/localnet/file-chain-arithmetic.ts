import type { Reserve } from '@sluice/protocol/klend/reserve';
import { expect } from 'vitest';

/** Arithmetic on decoded fields, independent of the product: big integers where exact, doubles elsewhere. */
export const SLOTS_PER_YEAR = 63_072_000;

/** n / 2^60 / 10^decimals in plain notation, rounded half-even to 34 significant digits. */
export function published(n: bigint, decimals: number, twos = 60): string {
  const all = n * 5n ** BigInt(twos);
  const extra = String(all).length - 34;
  const unit = 10n ** BigInt(Math.max(extra, 0));
  const [kept, rest] = [all / unit, all % unit];
  const isUp = 2n * rest > unit || (2n * rest === unit && kept % 2n === 1n);
  const places = twos + decimals;
  const digits = String((kept + (isUp ? 1n : 0n)) * unit).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The first twenty decimal places of a quotient. */
export function places20(n: bigint, d: bigint): string {
  const digits = String((n * 10n ** 20n) / d).padStart(21, '0');
  return `${digits.slice(0, -20)}.${digits.slice(-20)}`;
}

/** Agreement to twelve digits, where the test computes with doubles. */
export function expectNear(actual: unknown, expected: number): void {
  expect(typeof actual).toBe('string');
  expect(Math.abs(Number(actual) / expected - 1)).toBeLessThan(1e-12);
}

export const sf = (value: bigint) => Number(value) / 2 ** 60;
export const supplySf = ({ liquidity: l }: Reserve) =>
  (l.totalAvailableAmount << 60n) +
  l.borrowedAmountSf -
  l.accumulatedProtocolFeesSf -
  l.accumulatedReferrerFeesSf -
  l.pendingReferrerFeesSf;

/** The curve's yearly rate at a utilization. */
export function curveRate({ config }: Reserve, utilization: number): number {
  const { points } = config.borrowRateCurve;
  const at = points.findIndex((point) => point.utilizationRateBps / 10_000 >= utilization);
  const [left, right] = [points[at - 1], points[at]];
  if (left === undefined || right === undefined) throw new Error('off the curve');
  const width = right.utilizationRateBps - left.utilizationRateBps;
  const part = (utilization * 10_000 - left.utilizationRateBps) / width;
  return (left.borrowRateBps + part * (right.borrowRateBps - left.borrowRateBps)) / 10_000;
}

export const compounded = (apr: number) => Math.expm1(SLOTS_PER_YEAR * Math.log1p(apr / SLOTS_PER_YEAR));
