import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { mean, median } from '../../src/domain/arithmetic.ts';
import { type EpochSchedule, epochAt, firstSlotOf, lastSlotOf } from '../../src/domain/epochs.ts';
import { type EpochRate, epochYields } from '../../src/domain/staking-yield.ts';

const MAINNET: EpochSchedule = { slotsPerEpoch: 432_000n, firstNormalEpoch: 0n, firstNormalSlot: 0n };
/** Epochs grow from 32 slots to 8,192, as on a new cluster. */
const GROWING: EpochSchedule = { slotsPerEpoch: 8_192n, firstNormalEpoch: 8n, firstNormalSlot: 8_160n };
const YEAR_DAYS = 365;
const DAY_MS = 86_400_000;

describe('an epoch schedule', () => {
  it('divides all slots into epochs that follow each other, also while they grow', () => {
    let epoch = -1n;
    let first = 0n;
    for (let slot = 0n; slot < 40_000n; slot += 1n) {
      const now = epochAt(GROWING, slot);
      if (now !== epoch) {
        expect(now).toBe(epoch + 1n);
        if (epoch >= 0n) {
          // Counted here: each has twice as many slots as the one before, up to the full number.
          expect(slot - first).toBe(epoch < 8n ? 32n * 2n ** epoch : 8_192n);
          expect(lastSlotOf(GROWING, epoch)).toBe(slot - 1n);
        }
        expect(firstSlotOf(GROWING, now)).toBe(slot);
        [epoch, first] = [now, slot];
      }
    }
    expect(epoch).toBe(11n);
  });

  it('knows the epochs of mainnet', () => {
    expect(epochAt(MAINNET, 270_864_000n)).toBe(627n);
    expect(firstSlotOf(MAINNET, 627n)).toBe(270_864_000n);
    expect(lastSlotOf(MAINNET, 627n)).toBe(271_295_999n);
  });
});

/** The rate of an epoch, sampled some days after day 0, at 216,000 slots a day. */
const rateAt = (epoch: number, day: number, rate: string): EpochRate => ({
  epoch: BigInt(epoch),
  slot: BigInt(Math.round(day * 216_000)),
  sampledAt: new Date(day * DAY_MS),
  rate: parseDecimal(rate),
});

describe('the yield of a stake rate', () => {
  it('is its growth in an epoch, times or to the power of the epochs of a year', () => {
    const yields = epochYields(MAINNET, [
      rateAt(0, 1.9, '1.1'),
      rateAt(1, 3.9, '1.1004'),
      rateAt(2, 5.9, '1.1007'),
    ]);
    expect(yields.map(({ epoch }) => epoch)).toEqual([1n, 2n]);
    [1.1004 / 1.1, 1.1007 / 1.1004].forEach((growth, i) => {
      expect(yields[i]?.apr.toNumber()).toBeCloseTo((growth - 1) * (YEAR_DAYS / 2), 10);
      expect(yields[i]?.apy.toNumber()).toBeCloseTo(growth ** (YEAR_DAYS / 2) - 1, 10);
    });
    expect(yields[1]?.sampledAt).toEqual(new Date(5.9 * DAY_MS));
  });

  it('counts a raise as that of one epoch, however early in the epoch it was last sampled', () => {
    const [late] = epochYields(MAINNET, [rateAt(0, 1.9, '1'), rateAt(1, 3.9, '1.0004')]);
    const [early] = epochYields(MAINNET, [rateAt(0, 1.9, '1'), rateAt(1, 3.2, '1.0004')]);
    expect(early?.apy.toNumber()).toBeCloseTo(late?.apy.toNumber() ?? Number.NaN, 12);
  });

  it('uses the length that epochs really had', () => {
    // The same slots took half as much time again.
    const slow = [rateAt(0, 1.9, '1'), rateAt(1, 3.9, '1.0004')].map((rate) => ({
      ...rate,
      sampledAt: new Date(rate.sampledAt.getTime() * 1.5),
    }));
    expect(epochYields(MAINNET, slow)[0]?.apr.toNumber()).toBeCloseTo(0.0004 * (YEAR_DAYS / 3), 12);
  });

  it('is negative after a loss', () => {
    const [loss] = epochYields(MAINNET, [rateAt(0, 1.9, '1'), rateAt(1, 3.9, '0.99')]);
    expect(loss?.apr.toNumber()).toBeCloseTo(-0.01 * 182.5, 12);
    expect(loss?.apy.toNumber()).toBeCloseTo(0.99 ** 182.5 - 1, 12);
  });

  it.each([
    ['an epoch without a rate in between', [rateAt(0, 1.9, '1'), rateAt(2, 4.1, '1.1')]],
    ['samples less than half an epoch apart', [rateAt(0, 1.9, '1'), rateAt(1, 2.8, '1.1')]],
    ['samples more than one and a half epochs apart', [rateAt(0, 0.5, '1'), rateAt(1, 3.9, '1.1')]],
    ['a rate of zero', [rateAt(0, 1.9, '0'), rateAt(1, 3.9, '1')]],
    ['a single rate', [rateAt(0, 1.9, '1')]],
  ])('is unknown for %s', (_what, rates) => {
    expect(epochYields(MAINNET, rates)).toEqual([]);
  });
});

describe('median and mean', () => {
  const of = (...values: readonly number[]) => values.map((value) => parseDecimal(String(value)));

  it.each([
    [[3, 1, 2], 2, 2],
    [[4, 1, 2, 10], 3, 4.25],
    [[7], 7, 7],
    [[-1, -5], -3, -3],
  ])('of %j', (values, middle, average) => {
    expect(median(of(...values))?.toNumber()).toBe(middle);
    expect(mean(of(...values))?.toNumber()).toBe(average);
  });

  it('do not exist for an empty list', () => {
    expect([median([]), mean([])]).toEqual([null, null]);
  });
});
