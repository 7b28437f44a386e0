import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { type FeeBucket, feeBuckets, type VaultFeeRecord } from '../../src/domain/curator-fees.ts';
import { shareFalls } from '../../src/domain/share-falls.ts';

const DAY = 86_400_000;
const text = (value: Rational | null) => value && toDecimalString(value);

function run(vaults: readonly VaultFeeRecord<string>[], from: number): FeeBucket<string>[] {
  const steps = feeBuckets(vaults, from);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** @param fees performance, management and price by day; null for what is not recorded */
const record = (
  vault: string,
  createdAt: number | null,
  fees: Readonly<Record<number, readonly [string | null, string | null, string | null]>>,
): VaultFeeRecord<string> => ({
  vault,
  createdAt,
  points: Object.entries(fees).map(([day, values]) => {
    const [performance = null, management = null, tokenPriceUsd = null] = values.map(
      (each) => each && parseDecimal(each),
    );
    return { at: Number(day) * DAY, performance, management, tokenPriceUsd } as never;
  }),
});

const shown = (buckets: readonly FeeBucket<string>[]) =>
  buckets.map(({ at, usd, performanceUsd, vaults }) => [
    at / DAY,
    text(performanceUsd),
    text(usd),
    ...vaults.map(({ vault, performance, management }) => [vault, text(performance), text(management)]),
  ]);

describe('fees of a curator by bucket', () => {
  it('are the change of each vault, at the price of the bucket', () => {
    const a = record('a', 0, { 10: ['5', '1', '1'], 11: ['7', '1.5', '2'], 12: ['7', '2', '2'] });
    const b = record('b', 0, { 10: ['100', '0', '10'], 11: ['101', '0', '10'], 12: ['103', '0', '20'] });
    expect(shown(run([a, b], 11 * DAY))).toEqual([
      // a: 2 x 2 + 0.5 x 2 = 5; b: 1 x 10.
      [11, '14', '15', ['a', '2', '0.5'], ['b', '1', '0']],
      // a: 0 + 0.5 x 2 = 1; b: 2 x 20.
      [12, '40', '41', ['a', '0', '0.5'], ['b', '2', '0']],
    ]);
  });

  it('of a vault without a record in a bucket are in its next one', () => {
    const a = record('a', 0, { 10: ['5', '0', '1'], 12: ['9', '0', '1'] });
    const b = record('b', 0, { 10: ['0', '0', '1'], 11: ['1', '0', '1'], 12: ['1', '0', '1'] });
    expect(shown(run([a, b], 11 * DAY))).toEqual([
      [11, '1', '1', ['b', '1', '0']],
      [12, '4', '4', ['a', '4', '0'], ['b', '0', '0']],
    ]);
  });

  it('of the first record are known for a vault that was created in it, and for no other', () => {
    const young = record('young', 11 * DAY + 5, { 11: ['3', '0', '1'] });
    const old = record('old', 9 * DAY, { 11: ['3', '0', '1'], 12: ['4', '0', '1'] });
    expect(shown(run([young], 0))).toEqual([[11, '3', '3', ['young', '3', '0']]]);
    expect(shown(run([young, old], 0))).toEqual([
      [11, null, null, ['young', '3', '0'], ['old', null, null]],
      [12, '1', '1', ['old', '1', '0']],
    ]);
  });

  it('are unknown where they were not recorded, and in USD without a price', () => {
    const a = record('a', 0, {
      10: [null, null, '1'],
      11: ['5', '1', '1'],
      12: ['6', '1', null],
      13: ['6', '1', null],
    });
    expect(shown(run([a], 11 * DAY))).toEqual([
      [11, null, null, ['a', null, null]],
      [12, null, null, ['a', '1', '0']],
      // Nothing was charged: that is worth nothing at any price.
      [13, '0', '0', ['a', '0', '0']],
    ]);
  });
});

describe('falls of the value of a share', () => {
  const point = (day: number, perShare: string | null, fees: string | null) => ({
    bucket: new Date(day * DAY),
    tokensPerShare: perShare === null ? null : parseDecimal(perShare),
    sharesIssued: parseDecimal('100'),
    performanceFees: fees === null ? null : parseDecimal(fees),
    managementFees: parseDecimal('0'),
  });
  const found = (points: ReturnType<typeof point>[]) =>
    shareFalls(points).map(({ bucket, fall }) => [bucket.getTime() / DAY, text(fall)]);

  it('are losses beyond the fees', () => {
    expect(found([point(1, '2', '0'), point(2, '1.8', '0'), point(3, '1.9', '0')])).toEqual([[2, '0.1']]);
    // 10 tokens of fees on 100 shares are 0.1 a share: half of the fall.
    expect(found([point(1, '2', '0'), point(2, '1.8', '10')])).toEqual([[2, '0.05']]);
    expect(found([point(1, '2', '0'), point(2, '1.8', '20')])).toEqual([]);
  });

  it('need recorded fees and shares with a value', () => {
    expect(found([point(1, '2', null), point(2, '1', '0')])).toEqual([]);
    expect(found([point(1, '2', '0'), point(2, '0', '0'), point(3, '1', '0')])).toEqual([[3, '0.5']]);
  });
});
